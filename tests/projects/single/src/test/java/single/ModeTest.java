package single;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

class ModeTest {
    @Test
    void mode() {
        assertNotNull(System.getProperty("mode"));
    }

    @Test
    void given() {
        assertNotNull(System.getProperty("given", "nothing"));
    }
}
