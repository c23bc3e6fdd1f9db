package tamis.ask;

/** The answer of Tamis about one execution of a build. */
public final class Answer {
    /** There is no answer, or none that can be trusted: the tests run as if Tamis did not exist. */
    public static final Answer NONE = new Answer(false, "", false);

    static final Answer NOTHING = new Answer(true, "", false);

    /** Whether there is nothing to run. */
    public final boolean nothing;

    /** The argument with which a test JVM is observed; empty if none is to be given. */
    public final String jvmArgument;

    /** Whether tests may be left out inside the JVM. */
    public final boolean partial;

    Answer(boolean nothing, String jvmArgument, boolean partial) {
        this.nothing = nothing;
        this.jvmArgument = jvmArgument;
        this.partial = partial;
    }
}
