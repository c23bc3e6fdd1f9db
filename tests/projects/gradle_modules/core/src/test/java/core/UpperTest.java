package core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UpperTest {
    @Test
    void upper() {
        assertEquals("x", Text.upper("x").toLowerCase());
    }
}
