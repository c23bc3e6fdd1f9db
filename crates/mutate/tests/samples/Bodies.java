package p;

/** Each body is called once, and begins with something else. */
public class Program {
    enum Side { LEFT, RIGHT }
    static abstract class Base {
        final int size;
        Base(int size) { this.size = size; }
        abstract int area();
    }
    static class Sub extends Base {
        Sub(boolean large, String name) { super(large ? name.length() : 2); }
        int area() { return size * size; }
        native void none();
    }

    static int steps;
    static { steps = 1; }

    static void empty() { }
    static int loop() { while (steps < 4) steps++; return steps; }
    static int caught(String text) {
        try { return Integer.parseInt(text); } catch (Throwable e) { return -1; }
    }
    static int last(String text) {
        try { return Integer.parseInt(text); } finally { steps = 0; }
    }
    static String kind(int n) {
        switch (n) {
            case 1: return "one";
            case 2: return "two";
            default: return "many";
        }
    }
    synchronized double wide(long a, double b, Object[] c) { return c.length > 0 ? a + b : b; }
    synchronized static boolean locked(Object on) { synchronized (on) { return on == null; } }

    public static String run() {
        empty();
        Base sub = new Sub(true, "name");
        return loop() + caught("x") + last("3") + kind(2) + new Program().wide(1, 2, new Object[1]) + locked("a") + sub.area()
            + Side.valueOf(Side.values()[1].name());
    }
}
