package door;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CLaterTest {
    @Test
    void sign() {
        System.out.println("CLaterTest runs");
        assertEquals(4, Door.sign().length());
    }
}
