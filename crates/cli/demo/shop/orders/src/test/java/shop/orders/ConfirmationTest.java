package shop.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import shop.pricing.Basket;
import shop.pricing.Money;
import shop.pricing.PercentDiscount;

class ConfirmationTest {
    private final Order order = new Order("1001-2", "Ada", "DE", new Basket(), new PercentDiscount(0));

    @Test
    void aLetterNamesCustomerNumberAndTotal() {
        String letter = new Confirmation().letter(order, Money.cents(1234));
        assertTrue(letter.contains("Ada") && letter.contains("1001-2") && letter.contains("12.34"), letter);
    }

    @Test
    void nothingIsLeftToFillIn() {
        assertFalse(new Confirmation().letter(order, Money.ZERO).contains("{"));
    }

    @Test
    void aTemplateThatIsNotThereIsAnError() {
        assertThrows(IllegalArgumentException.class, () -> new Template("none.txt"));
    }

    @Test
    void aTemplateIsReadWhole() {
        String text = new Template("confirmation.txt").fill(Collections.<String, String>emptyMap());
        assertEquals(3, text.split("\\{", -1).length - 1);
    }
}
