package single;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GreeterIT {
    @Test
    void hello() {
        assertTrue(new Greeter().hello("all").endsWith("all"));
    }
}
