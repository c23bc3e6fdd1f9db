// jdk 17-
package points;

import java.util.List;
import java.util.concurrent.TimeUnit;

sealed interface Place permits Point, Area, Place.Nowhere {
    int size();

    final class Nowhere implements Place {
        @Override
        public int size() {
            return 0;
        }
    }
}

record Point(int x, int y) implements Place {
    static final Point ORIGIN = new Point(0, 0);

    Point {
        if (x < -1000 || y < -1000) {
            throw new IllegalArgumentException("too far: " + x + "," + y);
        }
    }

    Point(int both) {
        this(both, both + 1);
    }

    @Override
    public int x() {
        return x * 2;
    }

    @Override
    public int size() {
        return 1;
    }

    Point plus(Point other) {
        return new Point(x + other.x, y - other.y);
    }
}

record Area<P extends Place>(List<P> parts, String name) implements Place {
    @Override
    public int size() {
        return parts.stream().mapToInt(p -> p.size() + 1).sum();
    }

    String describe(Object o) {
        if (o instanceof Area<?> area && area.parts.size() > 2) {
            return area.name() + "s";
        }
        return """
            nothing
              here""" + name;
    }

    static int weight(TimeUnit unit) {
        return switch (unit) {
            case DAYS, HOURS -> 10;
            case SECONDS -> {
                int base = unit.ordinal();
                yield base + 5;
            }
            default -> -1;
        };
    }

    enum Edge {
        NORTH, SOUTH;

        Edge turn() {
            return switch (this) {
                case NORTH -> SOUTH;
                case SOUTH -> NORTH;
            };
        }
    }

    static Object pair(int a, int b) {
        record Pair(int first, int second) {
            int difference() {
                return first - second;
            }
        }
        enum Sign {
            PLUS, MINUS
        }
        var pair = new Pair(a, b);
        return pair.difference() > 0 ? Sign.PLUS : pair;
    }
}
