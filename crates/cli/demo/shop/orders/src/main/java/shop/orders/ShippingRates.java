package shop.orders;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import shop.pricing.Money;

/** What a parcel costs, from a resource. */
public final class ShippingRates {
    private final Properties rates = new Properties();

    public ShippingRates() {
        try (InputStream in = ShippingRates.class.getResourceAsStream("shipping.properties")) {
            rates.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("shipping.properties", e);
        }
    }

    public Money to(String country) {
        String cents = rates.getProperty(country);
        if (cents == null) {
            throw new IllegalArgumentException("nothing is sent to " + country);
        }
        return Money.cents(Long.parseLong(cents));
    }
}
