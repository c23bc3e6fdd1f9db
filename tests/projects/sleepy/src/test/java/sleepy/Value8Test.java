package sleepy;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class Value8Test {
    @Test
    public void value() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(8, Values.value8());
    }

    @Test
    public void again() throws InterruptedException {
        Thread.sleep(120);
        assertEquals(8, Values.value8());
    }
}
