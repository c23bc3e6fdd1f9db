package shop.orders;

/** Packs things into as few parcels as possible, by trying. */
public final class Parcels {
    private final int limit;
    private int[] grams = {};
    private int best;

    public Parcels(int limit) {
        this.limit = limit;
    }

    public int fewest(int... things) {
        grams = things.clone();
        for (int thing : grams) {
            if (thing > limit) {
                throw new IllegalArgumentException(thing + " g do not fit into a parcel of " + limit + " g");
            }
        }
        best = grams.length;
        pack(0, new int[grams.length], 0);
        return best;
    }

    private void pack(int next, int[] parcels, int used) {
        if (used >= best) {
            return;
        }
        if (next == grams.length) {
            best = used;
            return;
        }
        for (int i = 0; i <= used && i < parcels.length; i++) {
            if (parcels[i] + grams[next] <= limit) {
                parcels[i] += grams[next];
                pack(next + 1, parcels, Math.max(used, i + 1));
                parcels[i] -= grams[next];
            }
        }
    }
}
