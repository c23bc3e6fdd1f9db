package single;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    @Test
    void motto() throws IOException {
        assertFalse(read("motto.txt").contains("$"));
    }

    @Test
    void plain() throws IOException {
        assertFalse(read("plain.txt").isEmpty());
    }

    private String read(String name) throws IOException {
        try (var in = Greeter.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes());
        }
    }
}
