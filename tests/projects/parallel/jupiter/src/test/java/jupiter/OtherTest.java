package jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OtherTest {
    @Test
    void other() {
        assertEquals(2, 1 + 1);
    }
}
