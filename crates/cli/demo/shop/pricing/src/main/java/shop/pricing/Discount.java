package shop.pricing;

/** Takes something off the price of a basket. */
public abstract class Discount {
    private final String name;

    protected Discount(String name) {
        this.name = name;
    }

    /** How much is taken off, never more than the basket costs. */
    public final Money off(Basket basket) {
        return Money.smaller(reduction(basket), basket.subtotal());
    }

    protected abstract Money reduction(Basket basket);

    /** One line for a receipt. */
    public String describe() {
        return name;
    }
}
