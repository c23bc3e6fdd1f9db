package shop.pricing;

import java.util.Locale;

/** An amount in cents. */
public final class Money implements Comparable<Money> {
    public static final Money ZERO = new Money(0);

    private final long cents;

    private Money(long cents) {
        this.cents = cents;
    }

    public static Money cents(long cents) {
        return cents == 0 ? ZERO : new Money(cents);
    }

    public long cents() {
        return cents;
    }

    public Money plus(Money other) {
        return cents(Math.addExact(cents, other.cents));
    }

    public Money minus(Money other) {
        return cents(Math.subtractExact(cents, other.cents));
    }

    public Money times(int count) {
        return cents(Math.multiplyExact(cents, (long) count));
    }

    /** Half a cent is rounded up. */
    public Money percent(int percent) {
        return cents(Math.floorDiv(Math.addExact(Math.multiplyExact(cents, (long) percent), 50), 100));
    }

    public static Money smaller(Money a, Money b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money && ((Money) other).cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d.%02d", cents / 100, Math.abs(cents % 100));
    }
}
