package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value4Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(4, Values.value4());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(4, Values.value4());
    }
}
