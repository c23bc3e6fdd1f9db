package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import core.Samples;
import org.junit.jupiter.api.Test;

class ShoutTest {
    @Test
    void shout() {
        assertTrue(Shout.shout("x").startsWith("X"));
    }

    @Test
    void sample() {
        assertTrue(Samples.word().length() > 1);
    }

    @Test
    void twice() {
        assertEquals(4, Shout.twice(2));
    }
}
