package shop.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import shop.pricing.Basket;
import shop.pricing.Discount;
import shop.pricing.Item;
import shop.pricing.Money;
import shop.pricing.QuantityDiscount;

class ReceiptTest {
    private final Item cup = new Item("cup", Money.cents(900));
    private final Discount everyFourth = new QuantityDiscount(cup, 4);

    private Order order(int cups) {
        return new Order("1-8", "Ada", "DE", new Basket().add(cup, cups), everyFourth);
    }

    @Test
    void whatIsFreeHasItsLine() {
        assertEquals("every 4th cup free: -9.00", new Invoice().discountLine(order(5)));
    }

    @Test
    void whatIsFreeIsNotTaxed() {
        assertEquals(new Invoice().total(order(3)), new Invoice().total(order(4)));
    }
}
