// jdk 9-
package tasks;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

interface Task {
    int DEFAULT = Integer.getInteger("tasks.default", 4);

    private int bump(int n) {
        return n + 1;
    }

    private static String prefix(String name) {
        return "task-" + name;
    }

    default int priority(int base) {
        UnaryOperator<Integer> twice = n -> bump(n) * 2;
        return twice.apply(base) + DEFAULT;
    }

    static Task named(String name) {
        return () -> prefix(name) + name.length();
    }

    String run();
}

class Tasks {
    private final Set<Task> tasks = Set.of(Task.named("a"), Task.named("b"));
    private static final Map<String, Integer> LIMITS = Map.of("low", 1, "high", 9);

    int weight(Task task, TimeUnit unit) {
        int weight = switchOn(unit) + task.priority(3);
        return weight > LIMITS.get("high") ? 0 : weight;
    }

    private int switchOn(TimeUnit unit) {
        switch (unit) {
            case MINUTES:
                return 60;
            case HOURS:
                return 3600;
            default:
                return tasks.size();
        }
    }

    Task anonymous(int n) {
        return new Task() {
            @Override
            public String run() {
                return "n" + n;
            }

            @Override
            public int priority(int base) {
                return Task.super.priority(base) - n;
            }
        };
    }
}
