package sample;

import java.util.*;

/** Features up to Java 17: records, sealed types, patterns, text blocks, switch expressions, nests. */
public class Modern {
    sealed interface Shape permits Circle, Square, Empty {}
    record Circle(@Deprecated int radius) implements Shape { Circle { if (radius < 0) throw new IllegalArgumentException(); } }
    record Square(int side, String... names) implements Shape {}
    enum Empty implements Shape { EMPTY }

    private static int secret = 4;
    static class Nested { int peek() { return secret++; } }

    static int area(Object o) {
        if (o instanceof Circle c && c.radius() > 1) return 3 * c.radius() * c.radius();
        if (!(o instanceof Square s)) return -1;
        return s.side() * s.side();
    }

    static String name(int day) {
        return switch (day) {
            case 1, 7 -> "weekend";
            case 2 -> { try { yield Integer.toString(Integer.parseInt("x")); } catch (NumberFormatException e) { yield "bad"; } }
            default -> """
                some
                  day""";
        };
    }

    public static void main(String[] args) {
        System.out.println(area(new Circle(2)) + area(new Square(3, "a")) + area("x") + name(1) + name(2) + name(3)
            + new Nested().peek() + new Nested().peek() + new Circle(5) + new Circle(5).equals(new Circle(5)) + List.of(Empty.values()));
    }
}
