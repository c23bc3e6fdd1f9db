package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value3Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(3, Values.value3());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(3, Values.value3());
    }
}
