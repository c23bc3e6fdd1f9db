package shop.pricing;

/** Every so many of an item, one of them is free. */
public final class QuantityDiscount extends Discount {
    private final Item item;
    private final int every;

    public QuantityDiscount(Item item, int every) {
        super("every " + every + "th " + item.name() + " free");
        this.item = item;
        this.every = every;
    }

    @Override
    protected Money reduction(Basket basket) {
        return item.price().times(basket.count(item) / every);
    }
}
