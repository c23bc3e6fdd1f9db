package shop.orders;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class ParcelsTest {
    @Test
    public void smallThingsShareAParcel() {
        assertEquals(1, new Parcels(1000).fewest(300, 300, 400));
    }

    @Test
    public void whatIsTooHeavyIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Parcels(1000).fewest(1001));
    }

    @Test
    public void manyThingsArePackedAsTightAsCanBe() {
        int[] grams = {510, 420, 330, 270, 640, 360, 480, 220, 590, 410, 300, 350, 230, 260, 350, 340, 290, 310};
        assertEquals(7, new Parcels(1000).fewest(grams));
    }
}
