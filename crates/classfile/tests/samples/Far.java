package sample;

/** A loop that ends in a `goto` without a conditional jump across it, and one with such a jump. */
public class Far {
    static int unconditional(int n) {
        for (;;) { n += 3; switch (n) { case 100: return n; default: } }
    }

    static int conditional(int n) { while (n < 100) n += 3; return n; }

    public static void main(String[] args) { System.out.println(unconditional(1) + conditional(1)); }
}
