package shop.orders;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class OrderNumberTest {
    @Test
    public void aNumberHasACheckDigit() {
        assertEquals("7992739871-3", OrderNumber.of(7992739871L));
    }

    @Test
    public void whatIsNoNumberIsNotValid() {
        for (String text : new String[] {"", "-", "12", "12-", "12-34", "a-1"}) {
            assertFalse(text, OrderNumber.isValid(text));
        }
    }

    @Test
    public void everyMistypedDigitIsNoticed() {
        for (int number = 1000; number < 25_000; number++) {
            String right = OrderNumber.of(number);
            assertTrue(right, OrderNumber.isValid(right));
            for (int at = 0; at < right.length() - 2; at++) {
                char wrong = (char) ('0' + (right.charAt(at) - '0' + 1 + number % 9) % 10);
                if (wrong != right.charAt(at)) {
                    String typed = right.substring(0, at) + wrong + right.substring(at + 1);
                    assertFalse(typed, OrderNumber.isValid(typed));
                }
            }
        }
    }
}
