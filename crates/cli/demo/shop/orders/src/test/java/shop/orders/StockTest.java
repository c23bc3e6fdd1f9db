package shop.orders;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import org.junit.Before;
import org.junit.Test;

public class StockTest {
    private final Stock stock = new Stock();

    @Before
    public void fill() {
        stock.put("tea", 10);
        stock.put("cup", 2);
    }

    @Test
    public void whatIsTakenIsGone() {
        stock.take("tea", 10);
        assertThrows(IllegalStateException.class, () -> stock.take("tea", 1));
    }

    @Test
    public void moreThanThereIsCannotBeTaken() {
        assertThrows(IllegalStateException.class, () -> stock.take("cup", 3));
    }

    @Test
    public void whatRunsOutIsListed() {
        assertEquals(Arrays.asList("cup"), stock.runningOut(3));
    }
}
