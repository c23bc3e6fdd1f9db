package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class BasketTest {
    private final Item tea = new Item("tea", Money.cents(350));

    @Test
    void anEmptyBasketCostsNothing() {
        assertEquals(Money.ZERO, new Basket().subtotal());
    }

    @Test
    void theSameItemIsCountedTogether() {
        Basket basket = new Basket().add(tea, 1).add(tea, 2);
        assertEquals(3, basket.count(tea));
        assertEquals(3, basket.size());
        assertEquals(Money.cents(1050), basket.subtotal());
    }

    @Test
    void nothingCannotBeAdded() {
        assertThrows(IllegalArgumentException.class, () -> new Basket().add(tea, 0));
    }
}
