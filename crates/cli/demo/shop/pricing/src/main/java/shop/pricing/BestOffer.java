package shop.pricing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tries every combination of vouchers that may be used together and keeps the one that leaves least to pay. */
public final class BestOffer {
    private final int together;

    public BestOffer(int together) {
        this.together = together;
    }

    public List<Discount> choose(Basket basket, List<? extends Discount> offered) {
        Money subtotal = basket.subtotal();
        List<Discount> best = Collections.emptyList();
        Money most = Money.ZERO;
        for (long chosen = 0; chosen < 1L << offered.size(); chosen++) {
            if (Long.bitCount(chosen) > together) {
                continue;
            }
            List<Discount> discounts = new ArrayList<>();
            Money off = Money.ZERO;
            for (int i = 0; i < offered.size(); i++) {
                if ((chosen >> i & 1) != 0) {
                    discounts.add(offered.get(i));
                    off = off.plus(offered.get(i).off(basket));
                }
            }
            off = Money.smaller(off, subtotal);
            if (off.compareTo(most) > 0) {
                most = off;
                best = discounts;
            }
        }
        return best;
    }
}
