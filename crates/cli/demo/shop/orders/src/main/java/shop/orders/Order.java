package shop.orders;

import shop.pricing.Basket;
import shop.pricing.Discount;

/** What a customer wants, where, and at which discount. */
public final class Order {
    private final String number;
    private final String customer;
    private final String country;
    private final Basket basket;
    private final Discount discount;

    public Order(String number, String customer, String country, Basket basket, Discount discount) {
        this.number = number;
        this.customer = customer;
        this.country = country;
        this.basket = basket;
        this.discount = discount;
    }

    public String number() {
        return number;
    }

    public String customer() {
        return customer;
    }

    public String country() {
        return country;
    }

    public Basket basket() {
        return basket;
    }

    public Discount discount() {
        return discount;
    }
}
