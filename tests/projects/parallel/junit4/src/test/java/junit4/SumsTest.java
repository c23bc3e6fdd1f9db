package junit4;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SumsTest {
    @Test
    public void twice() throws InterruptedException {
        Thread.sleep(20);
        assertEquals(6, Sums.twice(3));
        Thread.sleep(20);
    }

    @Test
    public void square() throws InterruptedException {
        Thread.sleep(20);
        assertEquals(9, Sums.square(3));
        Thread.sleep(20);
    }
}
