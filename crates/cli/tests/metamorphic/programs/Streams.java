// jdk 8-
package streams;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

class Streams {
    private final List<String> words = Arrays.asList("one", "two", "three");
    private final Function<String, Integer> length = s -> s.length() + 1;
    private static final Predicate<String> LONG = s -> s.length() > 4;
    private static final Supplier<List<String>> LIST = java.util.ArrayList::new;

    String joined() {
        return words.stream().filter(LONG.negate()).map(String::trim).map(w -> w + "/").collect(Collectors.joining(", "));
    }

    int total(int start) {
        int[] sum = {start};
        words.forEach(w -> sum[0] += length.apply(w));
        return sum[0];
    }

    Optional<String> best() {
        return words.stream().max((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
    }

    <A, B, C> Function<A, C> then(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) {
        return a -> g.apply(f.apply(a));
    }

    Runnable twins() {
        Runnable a = () -> System.out.println("twin");
        Runnable b = () -> System.out.println("twin");
        return () -> {
            a.run();
            b.run();
        };
    }

    BiFunction<Integer, Integer, Integer> power() {
        return new BiFunction<Integer, Integer, Integer>() {
            @Override
            public Integer apply(Integer base, Integer exponent) {
                return exponent == 0 ? 1 : base * apply(base, exponent - 1);
            }
        };
    }

    Supplier<String> self() {
        return super::toString;
    }

    static List<String> empty() {
        return LIST.get();
    }
}
