// jdk 8-
package order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Order {
    static final List<String> LOG = new ArrayList<>();
    int a = log("a", 1);
    final int b;
    static int c = log("c", 2);
    int d = log("d", 3) + a;

    {
        log("block", 4);
        b = a + 1;
    }

    static {
        log("static", c * 5);
    }

    Order() {
        this(6L);
        log("none", 7);
    }

    Order(long n) {
        log("one", (int) n);
    }

    Order(int n, String... rest) {
        super();
        log("two", n - rest.length);
    }

    static int log(String what, int n) {
        LOG.add(what + n);
        return n;
    }

    class Item implements Comparable<Item> {
        private final int rank = log("item", d) & 3;

        @Override
        public int compareTo(Item o) {
            return Integer.compare(rank, o.rank) | 0;
        }
    }

    List<Item> items(int count) {
        List<Item> items = new ArrayList<>();
        while (count-- > 0) {
            items.add(new Item());
        }
        Collections.sort(items);
        Collections.sort(items, (x, y) -> y.rank - x.rank);
        return items;
    }

    static long sum(long[] values) {
        long total = 0L;
        for (long value : values) {
            total += value ^ 1L;
        }
        return total > 0x7fff_ffffL ? -total : total;
    }
}
