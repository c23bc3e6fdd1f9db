// jdk 8-
package events;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

public class Events<E extends Comparable<E>> implements Iterable<E> {
    private final List<Consumer<? super E>> listeners = new ArrayList<>();
    private final List<E> past = new ArrayList<>(8);
    private static final Runnable NOTHING = new Runnable() {
        private int calls = 1;

        @Override
        public void run() {
            calls += 2;
        }
    };

    interface Filter<T> extends Serializable {
        boolean accepts(T value, int count);
    }

    class Cursor implements Iterator<E> {
        private int next = past.size() - 1;

        @Override
        public boolean hasNext() {
            return next >= 0;
        }

        @Override
        public E next() {
            return past.get(next--);
        }
    }

    @Override
    public Iterator<E> iterator() {
        return new Cursor();
    }

    public void fire(E event) {
        NOTHING.run();
        past.add(event);
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).accept(event);
        }
    }

    public Filter<E> recent(E bound) {
        return (Filter<E>) (value, count) -> value.compareTo(bound) > 0 && count < 10;
    }

    public void listen(Consumer<? super E> consumer, int limit) {
        class Limited implements Consumer<E> {
            private int left = limit * 2;

            @Override
            public void accept(E e) {
                if (left-- > 0) {
                    consumer.accept(e);
                }
            }
        }
        listeners.add(new Limited());
    }

    public void twice() {
        listeners.add(new Consumer<E>() {
            @Override
            public void accept(E e) {
                System.out.println("first " + e);
            }
        });
        listeners.add(new Consumer<E>() {
            @Override
            public void accept(E e) {
                System.out.println("second " + e);
            }
        });
    }

    static long nanos(TimeUnit unit) {
        switch (unit) {
            case MILLISECONDS:
                return 1_000_000;
            case SECONDS:
                return 1_000_000_000L;
            default:
                return unit.toNanos(1);
        }
    }
}
