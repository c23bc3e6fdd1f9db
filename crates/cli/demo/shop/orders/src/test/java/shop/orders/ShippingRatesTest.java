package shop.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import shop.pricing.Money;

class ShippingRatesTest {
    private final ShippingRates rates = new ShippingRates();

    @Test
    void aParcelCostsByCountry() {
        assertEquals(Money.cents(490), rates.to("DE"));
        assertEquals(Money.cents(1290), rates.to("CH"));
    }

    @Test
    void nothingIsSentElsewhere() {
        assertThrows(IllegalArgumentException.class, () -> rates.to("XX"));
    }
}
