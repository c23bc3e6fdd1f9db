package door;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ABeforeTest {
    @Test
    void sign() {
        System.out.println("ABeforeTest runs");
        assertEquals(4, Door.sign().length());
    }
}
