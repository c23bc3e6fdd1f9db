package each;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TwiceTest {
    @Test
    public void twice() {
        assertEquals(6, Sums.twice(3));
    }
}
