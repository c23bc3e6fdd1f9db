package single;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GreeterTest {
    @Test
    void hello() {
        assertTrue(new Greeter().hello("you").endsWith("you"));
    }

    @Test
    void bye() {
        assertTrue(new Greeter().bye("you").endsWith("you"));
    }
}
