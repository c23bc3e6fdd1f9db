package junit4;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OtherTest {
    @Test
    public void other() {
        assertEquals(2, 1 + 1);
    }
}
