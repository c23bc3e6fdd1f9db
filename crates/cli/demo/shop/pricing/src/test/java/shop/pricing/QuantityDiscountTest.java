package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QuantityDiscountTest {
    private final Item tea = new Item("tea", Money.cents(350));
    private final Discount everyThird = new QuantityDiscount(tea, 3);

    @Test
    void twoCostTwo() {
        assertEquals(Money.cents(700), new Basket().add(tea, 2).total(everyThird));
    }

    @Test
    void threeCostTwo() {
        assertEquals(Money.cents(700), new Basket().add(tea, 3).total(everyThird));
    }

    @Test
    void saysWhatIsFree() {
        assertEquals("every 4th tea free", new QuantityDiscount(tea, 4).describe());
    }

    @Test
    void otherItemsDoNotCount() {
        Item cup = new Item("cup", Money.cents(900));
        assertEquals(Money.cents(2700), new Basket().add(cup, 3).total(everyThird));
    }
}
