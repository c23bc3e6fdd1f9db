package shop.orders;

import java.util.LinkedHashMap;
import java.util.Map;
import shop.pricing.Money;

/** The letter that an order is answered with. */
public final class Confirmation {
    private final Template template = new Template("confirmation.txt");

    public String letter(Order order, Money total) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("customer", order.customer());
        values.put("number", order.number());
        values.put("total", total.toString());
        return template.fill(values);
    }
}
