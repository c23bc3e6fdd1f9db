package ng;

import static org.testng.Assert.assertEquals;

import core.Text;
import org.testng.annotations.Test;

public class NgTest {
    @Test
    public void upper() {
        assertEquals(Text.upper("a"), "A");
    }
}
