package shop.pricing;

import java.util.Arrays;
import java.util.Random;

/** Plays a shop's month many times to see what its takings may be. */
public final class Forecast {
    private final long seed;

    public Forecast(long seed) {
        this.seed = seed;
    }

    /** The takings that so many percent of the months stay below. */
    public Money below(int percent, Money perCustomer, int months) {
        long[] takings = new long[months];
        Random random = new Random(seed);
        for (int month = 0; month < months; month++) {
            long sum = 0;
            for (int day = 0; day < 30; day++) {
                int customers = (int) Math.max(0, Math.round(100 + 20 * random.nextGaussian()));
                sum += perCustomer.times(customers).cents();
            }
            takings[month] = sum;
        }
        Arrays.sort(takings);
        return Money.cents(takings[(int) ((long) (months - 1) * percent / 100)]);
    }
}
