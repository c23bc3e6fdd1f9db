package sample;

/** Features of Java 21 to 25: pattern switches (a bootstrap with class and string arguments), record patterns, code before `super`. */
public class Newest {
    record Pair(Object a, Object b) {}
    enum Colour { RED, BLUE }

    static String match(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 10 -> "big";
            case Integer i -> "int" + i;
            case Pair(String s, Pair(var x, Integer y)) -> s + x + y;
            case Pair(_, _) -> "pair";
            case Colour c when c == Colour.RED -> "red";
            case Colour c -> switch (c) { case RED -> "?"; case BLUE -> "blue"; };
            default -> o.toString();
        };
    }

    static class Base { final int n; Base(int n) { this.n = n; } }
    static class Derived extends Base {
        Derived(int n) {
            if (n < 0) throw new IllegalArgumentException();
            int twice = n > 3 ? n * 2 : n;
            super(twice);
        }
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        for (Object o : new Object[] {null, 5, 50, new Pair("s", new Pair(1, 2)), new Pair(1, 2), Colour.RED, Colour.BLUE, 'c'}) out.append(match(o)).append(' ');
        System.out.println(out.append(new Derived(3).n).append(new Derived(5).n));
    }
}
