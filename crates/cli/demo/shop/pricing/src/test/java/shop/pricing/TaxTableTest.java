package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TaxTableTest {
    @Test
    void everyCountryHasItsOwn() {
        TaxTable table = new TaxTable();
        assertEquals(Money.cents(190), table.on(Money.cents(1000), "DE"));
        assertEquals(Money.cents(200), table.on(Money.cents(1000), "FR"));
    }

    @Test
    void aCountryThatIsNotKnownIsAnError() {
        assertThrows(IllegalArgumentException.class, () -> new TaxTable().percent("XX"));
    }
}
