package app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import core.Samples;
import org.junit.Test;

public class ShoutTest {
    @Test
    public void shout() {
        assertTrue(new Shout().shout(Samples.word()).endsWith("!"));
    }

    @Test
    public void whisper() {
        assertEquals("hush...", new Shout().whisper("Hush"));
    }

    @Test
    public void nothing() {
        assertEquals(2, 1 + 1);
    }
}
