// jdk 8-
package shapes;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;

interface Shape extends Comparable<Shape> {
    double area();

    default String label() {
        return name() + "(" + Math.round(area() * 10) / 10.0 + ")";
    }

    static Shape unit() {
        return new Square(1.0);
    }

    String name();

    @Override
    default int compareTo(Shape other) {
        return Double.compare(area(), other.area());
    }
}

abstract class Base implements Shape {
    private static final Comparator<Shape> ORDER = (a, b) -> a.name().compareTo(b.name()) * 2;
    protected int sides = 4;

    @Override
    public String name() {
        return getClass().getSimpleName() + sides;
    }

    static Comparator<Shape> order() {
        return ORDER.thenComparing(Shape::area);
    }
}

class Square extends Base {
    final double side;

    Square(double side) {
        this.side = side;
    }

    @Override
    public double area() {
        return side * side;
    }
}

class Circle extends Base {
    private final double radius;
    {
        sides = 0;
    }

    Circle(double radius) {
        this.radius = radius + 0.5;
    }

    Circle() {
        this(2.5);
    }

    @Override
    public double area() {
        return Math.PI * radius * radius;
    }

    Supplier<Shape> copy(int times) {
        return () -> {
            Function<Integer, Shape> make = n -> new Circle(n * radius) {
                @Override
                public String name() {
                    return "copy" + n + times;
                }
            };
            return make.apply(times + 1);
        };
    }
}
