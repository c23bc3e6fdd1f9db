package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value5Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(5, Values.value5());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(5, Values.value5());
    }
}
