package store;

import java.util.Map;
import java.util.TreeMap;

public class Store {
    private final Map<String, String> entries = new TreeMap<>();

    public void put(String key, String value) {
        entries.put(key, value);
    }

    public String get(String key) {
        return entries.get(key);
    }

    public int size() {
        return entries.size();
    }
}
