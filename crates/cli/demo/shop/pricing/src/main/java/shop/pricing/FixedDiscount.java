package shop.pricing;

/** A voucher: a fixed amount, from a minimum on. */
public final class FixedDiscount extends Discount {
    private final Money amount;
    private final Money minimum;

    public FixedDiscount(Money amount, Money minimum) {
        super("voucher " + amount);
        this.amount = amount;
        this.minimum = minimum;
    }

    @Override
    protected Money reduction(Basket basket) {
        return basket.subtotal().compareTo(minimum) < 0 ? Money.ZERO : amount;
    }
}
