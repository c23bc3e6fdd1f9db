package shop;

import java.util.ArrayList;
import java.util.List;

public class Basket {
    private final List<Integer> prices = new ArrayList<>();

    public void add(int cents) {
        prices.add(cents);
    }

    public int total() {
        return prices.stream().mapToInt(cents -> cents).sum();
    }

    public Runnable receipt() {
        return new Runnable() {
            public void run() {
                System.out.println("total " + total());
            }
        };
    }
}
