// jdk 8-
package enums;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntBinaryOperator;

enum Operation implements IntBinaryOperator {
    ADD("+") {
        @Override
        public int applyAsInt(int a, int b) {
            return a + b;
        }
    },
    SHIFT("<<") {
        @Override
        public int applyAsInt(int a, int b) {
            Runnable trace = () -> System.out.println("shift " + a);
            trace.run();
            return a << b + 1;
        }
    };

    private static final Map<Operation, Integer> USES = new EnumMap<>(Operation.class);
    final String sign;

    Operation(String sign) {
        this.sign = sign + " ";
    }

    static int uses(Operation operation) {
        return USES.merge(operation, 1, Integer::sum);
    }

    boolean commutes() {
        switch (this) {
            case ADD:
                return true;
            default:
                return false;
        }
    }
}

class Clock {
    private TimeUnit unit = TimeUnit.SECONDS;

    enum Hand {
        HOUR, MINUTE
    }

    String name(TimeUnit unit, Operation operation) {
        switch (unit) {
            case NANOSECONDS:
            case MICROSECONDS:
                return "tiny";
            case DAYS:
                return "long" + operation.sign;
            default:
                return "middle";
        }
    }

    int turn(Hand hand, int minutes) {
        switch (hand) {
            case HOUR:
                return minutes / 2;
            case MINUTE:
                return minutes * 6;
            default:
                throw new AssertionError(unit);
        }
    }

    static class Watch extends Clock {
        boolean isCoarse(TimeUnit unit) {
            switch (unit) {
                case HOURS:
                case DAYS:
                    return true;
                default:
                    return 3 < 2 + unit.ordinal();
            }
        }
    }
}
