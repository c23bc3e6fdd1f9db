package clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SetUpTest {
    @BeforeAll
    static void setUp() {
        assertEquals(1, Clock.hours(60));
    }

    @Test
    void nothing() {
        assertEquals(2, 1 + 1);
    }
}
