package shop.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import shop.pricing.Basket;
import shop.pricing.FixedDiscount;
import shop.pricing.Item;
import shop.pricing.Money;
import shop.pricing.PercentDiscount;

class InvoiceTest {
    private final Basket basket = new Basket().add(new Item("pot", Money.cents(5000)), 2);
    private final Invoice invoice = new Invoice();

    @Test
    void taxIsPaidOnGoodsAndParcel() {
        Order order = new Order("1-8", "Ada", "FR", basket, new PercentDiscount(10));
        assertEquals(Money.cents((9000 + 890) * 120 / 100), invoice.total(order));
    }

    @Test
    void aVoucherHasItsLine() {
        Order order = new Order("1-8", "Ada", "DE", basket, new FixedDiscount(Money.cents(500), Money.ZERO));
        assertEquals("voucher 5.00: -5.00", invoice.discountLine(order));
    }
}
