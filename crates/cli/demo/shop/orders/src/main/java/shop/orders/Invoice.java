package shop.orders;

import shop.pricing.Money;
import shop.pricing.TaxTable;

/** What an order costs in the end: goods, parcel, tax. */
public final class Invoice {
    private final TaxTable taxes = new TaxTable();
    private final ShippingRates shipping = new ShippingRates();

    public Money total(Order order) {
        Money goods = order.basket().total(order.discount());
        Money net = goods.plus(shipping.to(order.country()));
        return net.plus(taxes.on(net, order.country()));
    }

    public String discountLine(Order order) {
        return order.discount().describe() + ": -" + order.discount().off(order.basket());
    }
}
