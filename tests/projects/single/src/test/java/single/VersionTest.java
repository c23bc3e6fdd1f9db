package single;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void label() {
        assertFalse(Version.label().isEmpty());
    }
}
