package shop.orders;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How much of everything there is. */
public final class Stock {
    private final Map<String, Integer> counts = new TreeMap<>();

    public void put(String name, int count) {
        counts.merge(name, count, Integer::sum);
    }

    public void take(String name, int count) {
        int there = counts.getOrDefault(name, 0);
        if (there < count) {
            throw new IllegalStateException("only " + there + " of " + name);
        }
        counts.put(name, there - count);
    }

    public List<String> runningOut(int fewerThan) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() < fewerThan)
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());
    }
}
