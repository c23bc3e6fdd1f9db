// jdk 8-
package generic;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

abstract class Node<K extends Comparable<K>, V> implements Comparable<Node<K, V>>, Callable<V> {
    protected final K key;
    V value;
    static int created = 12;

    Node(K key, V value) {
        this.key = Objects.requireNonNull(key, "key");
        this.value = value;
        created += 1;
    }

    @Override
    public int compareTo(Node<K, V> other) {
        return key.compareTo(other.key) * -1;
    }

    abstract <R extends V> Node<K, V> with(R value);

    @SuppressWarnings("unchecked")
    <T> T[] pair(T a) {
        return (T[]) new Object[] {a, value, 9};
    }
}

class Leaf<V> extends Node<String, V> implements Cloneable {
    Leaf(String key, V value) {
        super(key + "!", value);
    }

    @Override
    <R extends V> Leaf<V> with(R value) {
        return new Leaf<>(key, value);
    }

    @Override
    public V call() {
        return created > 20 ? null : value;
    }

    @Override
    protected Leaf<V> clone() throws CloneNotSupportedException {
        @SuppressWarnings("unchecked")
        Leaf<V> copy = (Leaf<V>) super.clone();
        copy.value = null;
        return copy;
    }

    Map.Entry<String, ? super V> entry() {
        return new AbstractMap.SimpleEntry<String, V>(key, value) {
            private static final long serialVersionUID = 3L;

            @Override
            public String toString() {
                return getKey() + "=" + getValue() + 1.5;
            }
        };
    }
}
