package shop.orders;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import shop.pricing.Item;
import shop.pricing.Money;
import shop.pricing.PercentDiscount;

class OrderServiceTest {
    private final Stock stock = new Stock();
    private final OrderService service = new OrderService(stock);
    private final Item tea = new Item("tea", Money.cents(350));

    @BeforeEach
    void fill() {
        stock.put("tea", 20_000);
    }

    @Test
    void anOrderIsAnsweredWithItsNumber() {
        String letter = service.order("Ada", "DE", tea, 2, new PercentDiscount(10));
        assertTrue(letter.contains(OrderNumber.of(1001)), letter);
    }

    @Test
    void whatIsNotThereCannotBeOrdered() {
        assertThrows(
                IllegalStateException.class,
                () -> service.order("Ada", "DE", new Item("cup", Money.cents(900)), 1, new PercentDiscount(0)));
    }

    @Test
    void aLongDayEndsWithAnEmptyStock() {
        for (int i = 0; i < 20_000; i++) {
            service.order("Ada", "FR", tea, 1, new PercentDiscount(5));
        }
        assertThrows(IllegalStateException.class, () -> stock.take("tea", 1));
    }
}
