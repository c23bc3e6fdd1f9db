package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value7Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(7, Values.value7());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(7, Values.value7());
    }
}
