package old;

import static org.junit.Assert.assertEquals;

import core.Text;
import org.junit.Test;

public class OldTest {
    @Test
    public void lower() {
        assertEquals("a", Text.lower("A"));
    }

    @Test
    public void nothing() {}
}
