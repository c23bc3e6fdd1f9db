package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value1Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(1, Values.value1());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(1, Values.value1());
    }
}
