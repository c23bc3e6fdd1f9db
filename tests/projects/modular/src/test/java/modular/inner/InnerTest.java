package modular.inner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import modular.api.Names;
import org.junit.jupiter.api.Test;

class InnerTest {
    @Test
    void first() {
        assertTrue(new First().name().startsWith("f"));
    }

    @Test
    void second() {
        assertTrue(new Second().name().startsWith("s"));
    }

    @Test
    void services() {
        assertFalse(Names.all().isEmpty());
    }

    @Test
    void isInTheModule() {
        assertTrue(First.class.getModule().isNamed());
    }
}
