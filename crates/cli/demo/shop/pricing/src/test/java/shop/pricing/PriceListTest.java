package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PriceListTest {
    private final PriceList list = new PriceList().with("tea", 350).with("pot", 4990).with("cup", 900);

    @Test
    void anItemIsFoundByItsName() {
        assertEquals(Money.cents(900), list.find("cup").price());
    }

    @Test
    void anItemThatIsNotThereIsAnError() {
        assertThrows(IllegalArgumentException.class, () -> list.find("coffee"));
    }

    @Test
    void itemsUpToAPriceIncludeThatPrice() {
        assertEquals(Arrays.asList("tea", "cup"), list.upTo(Money.cents(900)));
    }

    @Test
    void theCheapestComesFirst() {
        assertEquals(Arrays.asList("tea", "cup", "pot"), list.byPrice());
    }
}
