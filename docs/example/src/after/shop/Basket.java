package shop;

import java.util.ArrayList;
import java.util.List;

/** Counts what is bought. The methods were put in another order. */
public class Basket {
    private final List<Integer> prices = new ArrayList<>();

    public Runnable clear() {
        return new Runnable() {
            public void run() {
                prices.removeIf(cents -> true);
            }
        };
    }

    public Runnable receipt() {
        return new Runnable() {
            public void run() {
                System.out.println("total " + total());
            }
        };
    }

    public int total() {
        return prices.stream().mapToInt(cents -> Math.max(cents, 0)).sum();
    }

    public void add(int cents) {
        prices.add(cents);
    }
}
