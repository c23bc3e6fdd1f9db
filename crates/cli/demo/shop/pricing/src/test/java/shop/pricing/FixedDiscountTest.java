package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FixedDiscountTest {
    private final Discount voucher = new FixedDiscount(Money.cents(500), Money.cents(2000));

    private static Basket basket(long cents) {
        return new Basket().add(new Item("anything", Money.cents(cents)), 1);
    }

    @Test
    void isGrantedFromTheMinimumOn() {
        assertEquals(Money.cents(1500), basket(2000).total(voucher));
    }

    @Test
    void isNotGrantedBelow() {
        assertEquals(Money.cents(1999), basket(1999).total(voucher));
    }

    @Test
    void saysWhatItIsWorth() {
        assertEquals("voucher 5.00", voucher.describe());
    }
}
