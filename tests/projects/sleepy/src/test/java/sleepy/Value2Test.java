package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value2Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(2, Values.value2());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(2, Values.value2());
    }
}
