package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoneyTest {
    @Test
    void amountsAreAddedAndSubtracted() {
        assertEquals(Money.cents(150), Money.cents(100).plus(Money.cents(50)));
        assertEquals(Money.cents(-50), Money.cents(50).minus(Money.cents(100)));
    }

    @ParameterizedTest
    @CsvSource({"100, 10, 10", "105, 10, 11", "104, 10, 10", "0, 50, 0"})
    void halfACentIsRoundedUp(long cents, int percent, long expected) {
        assertEquals(Money.cents(expected), Money.cents(cents).percent(percent));
    }

    @Test
    void tooMuchMoneyIsAnError() {
        assertThrows(ArithmeticException.class, () -> Money.cents(Long.MAX_VALUE).plus(Money.cents(1)));
    }

    @Test
    void isWrittenWithTwoDigits() {
        assertEquals("12.05", Money.cents(1205).toString());
    }
}
