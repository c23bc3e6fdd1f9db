package shop.pricing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ForecastTest {
    @Test
    void halfOfTheMonthsStayBelowTheMean() {
        long mean = 100 * 30 * 1250;
        long median = new Forecast(1).below(50, Money.cents(1250), 150_000).cents();
        assertEquals(mean, median, mean / 100.0);
    }

    @Test
    void aGoodMonthIsBetterThanABadOne() {
        Forecast forecast = new Forecast(2);
        Money bad = forecast.below(5, Money.cents(1250), 50_000);
        Money good = forecast.below(95, Money.cents(1250), 50_000);
        assertTrue(bad.compareTo(good) < 0);
    }

    @Test
    void theSameSeedIsTheSameMonth() {
        assertEquals(new Forecast(3).below(50, Money.cents(100), 10), new Forecast(3).below(50, Money.cents(100), 10));
    }
}
