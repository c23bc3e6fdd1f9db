package shop.pricing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Everything the shop sells. */
public final class PriceList {
    private final List<Item> items = new ArrayList<>();

    public PriceList with(String name, long cents) {
        items.add(new Item(name, Money.cents(cents)));
        return this;
    }

    public Item find(String name) {
        for (Item item : items) {
            if (item.name().equals(name)) {
                return item;
            }
        }
        throw new IllegalArgumentException("nothing is called " + name);
    }

    public List<String> upTo(Money limit) {
        return items.stream()
                .filter(item -> item.price().compareTo(limit) <= 0)
                .map(Item::name)
                .collect(Collectors.toList());
    }

    public List<String> byPrice() {
        return items.stream()
                .sorted(Comparator.comparing(Item::price).thenComparing(Item::name))
                .map(Item::name)
                .collect(Collectors.toList());
    }
}
