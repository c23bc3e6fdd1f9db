package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BestOfferTest {
    private final Basket basket = new Basket().add(new Item("tea pot", Money.cents(4990)), 2);

    @Test
    void theLargerOfTwoIsChosen() {
        Discount small = new PercentDiscount(5);
        Discount large = new PercentDiscount(15);
        List<Discount> best = new BestOffer(1).choose(basket, Arrays.asList(small, large));
        assertEquals(1, best.size());
        assertSame(large, best.get(0));
    }

    @Test
    void nothingIsChosenFromNothing() {
        assertEquals(0, new BestOffer(3).choose(basket, new ArrayList<Discount>()).size());
    }

    @Test
    void threeOfManyAreTriedInEveryCombination() {
        List<Discount> offered = new ArrayList<>();
        for (int percent = 1; percent <= 24; percent++) {
            offered.add(new PercentDiscount(percent));
        }
        List<Discount> best = new BestOffer(3).choose(basket, offered);
        assertEquals(offered.subList(21, 24), best);
    }
}
