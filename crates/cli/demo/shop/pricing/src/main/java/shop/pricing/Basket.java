package shop.pricing;

import java.util.LinkedHashMap;
import java.util.Map;

/** Items and how many of each. */
public final class Basket {
    private final Map<Item, Integer> counts = new LinkedHashMap<>();

    public Basket add(Item item, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least one " + item.name());
        }
        counts.merge(item, count, Integer::sum);
        return this;
    }

    public int count(Item item) {
        return counts.getOrDefault(item, 0);
    }

    public int size() {
        int size = 0;
        for (int count : counts.values()) {
            size += count;
        }
        return size;
    }

    public Money subtotal() {
        Money sum = Money.ZERO;
        for (Map.Entry<Item, Integer> entry : counts.entrySet()) {
            sum = sum.plus(entry.getKey().price().times(entry.getValue()));
        }
        return sum;
    }

    /** What is to be paid when one discount is granted. */
    public Money total(Discount discount) {
        return subtotal().minus(discount.off(this));
    }
}
