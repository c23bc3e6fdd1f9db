package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value6Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(6, Values.value6());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(6, Values.value6());
    }
}
