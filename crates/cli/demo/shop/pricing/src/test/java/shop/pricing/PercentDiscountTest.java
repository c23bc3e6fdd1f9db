package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PercentDiscountTest {
    private final Basket basket = new Basket().add(new Item("tea", Money.cents(350)), 2);

    @Test
    void takesItsPartOff() {
        assertEquals(Money.cents(630), basket.total(new PercentDiscount(10)));
    }

    @Test
    void neverTakesMoreThanEverything() {
        assertEquals(Money.ZERO, basket.total(new PercentDiscount(120)));
    }

    @Test
    void saysWhatItIs() {
        assertEquals("10 % off", new PercentDiscount(10).describe());
    }
}
