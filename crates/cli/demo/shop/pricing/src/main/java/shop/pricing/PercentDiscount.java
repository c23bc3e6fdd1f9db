package shop.pricing;

/** So many percent off everything. */
public final class PercentDiscount extends Discount {
    private final int percent;

    public PercentDiscount(int percent) {
        super(percent + " % off");
        this.percent = percent;
    }

    @Override
    protected Money reduction(Basket basket) {
        return basket.subtotal().percent(percent);
    }
}
