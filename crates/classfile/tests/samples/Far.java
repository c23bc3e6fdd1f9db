package sample;

/** Loops that end in a `goto`, with no conditional jump across them; and one with. */
public class Far {
    static int unconditional(int n) {
        for (;;) { n += 3; switch (n) { case 100: return n; default: } }
    }

    static int conditional(int n) { while (n < 100) n += 3; return n; }

    public static void main(String[] args) { System.out.println(unconditional(1) + conditional(1)); }
}
