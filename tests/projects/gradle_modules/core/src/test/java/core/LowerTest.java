package core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LowerTest {
    @Test
    void lower() {
        assertEquals("x", Text.lower("x").toLowerCase());
    }
}
