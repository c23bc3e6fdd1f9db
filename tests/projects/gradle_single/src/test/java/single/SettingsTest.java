package single;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void mood() {
        assertNotNull(System.getenv("MOOD"));
    }

    @Test
    void mode() {
        assertNotNull(System.getProperty("mode"));
    }

    @Test
    void late() {
        assertNotNull(System.getProperty("late"));
    }

    @Test
    void motto() throws Exception {
        assertNotNull(Motto.motto());
    }
}
