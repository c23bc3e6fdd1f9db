package shop.orders;

import shop.pricing.Basket;
import shop.pricing.Discount;
import shop.pricing.Item;

/** Takes orders: from the stock, under a number, with a letter as answer. */
public final class OrderService {
    private final Stock stock;
    private final Invoice invoice = new Invoice();
    private final Confirmation confirmation = new Confirmation();
    private long last = 1000;

    public OrderService(Stock stock) {
        this.stock = stock;
    }

    public String order(String customer, String country, Item item, int count, Discount discount) {
        stock.take(item.name(), count);
        last++;
        Basket basket = new Basket().add(item, count);
        Order order = new Order(OrderNumber.of(last), customer, country, basket, discount);
        return confirmation.letter(order, invoice.total(order));
    }
}
