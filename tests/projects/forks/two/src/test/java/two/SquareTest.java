package two;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SquareTest {
    @Test
    public void square() {
        assertEquals(9, Sums.square(3));
    }

    @Test
    public void nothing() {
        assertEquals(2, 1 + 1);
    }
}
