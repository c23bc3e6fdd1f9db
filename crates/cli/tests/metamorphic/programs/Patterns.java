// jdk 21-
package patterns;

import java.util.List;
import java.util.function.IntFunction;

sealed interface Expr {
    record Num(int value) implements Expr {
    }

    record Add(Expr left, Expr right) implements Expr {
    }

    record Mul(Expr left, Expr right) implements Expr {
    }

    enum Constant implements Expr {
        ZERO, ONE
    }

    static int eval(Expr expr) {
        return switch (expr) {
            case Num(int value) -> value;
            case Add(Num(var a), Num(var b)) when a > 100 -> a - b;
            case Add(Expr left, Expr right) -> eval(left) + eval(right);
            case Mul(var left, var right) -> eval(left) * eval(right);
            case Constant.ZERO -> 0;
            case Constant.ONE -> 1;
        };
    }

    default String show(Object o) {
        return switch (o) {
            case null -> "null";
            case String s when s.length() > 5 -> s + "...";
            case String s -> s;
            case Integer i when i < 0 -> "minus " + -i;
            case List<?> list -> "list of " + list.size();
            case Constant c -> c.name() + 1;
            default -> o.toString();
        };
    }

    default boolean isTwice(Expr e) {
        return e instanceof Mul(Num(int n), Expr other) && n == 2 && other != e;
    }

    static IntFunction<Expr> maker(boolean add) {
        return n -> add ? new Add(new Num(n), new Num(10)) : new Num(n + 3);
    }
}

class Walk {
    private int steps = 4;

    int count(Expr expr) {
        steps++;
        if (expr instanceof Expr.Add add) {
            return count(add.left()) + count(add.right()) + 1;
        }
        return switch (expr) {
            case Expr.Mul m -> 2;
            default -> steps % 3;
        };
    }
}
