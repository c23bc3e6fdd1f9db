package core;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TextTest {
    @Test
    public void upper() {
        assertEquals("ABC", Text.upper("aBc"));
    }

    @Test
    public void lower() {
        assertEquals("abc", Text.lower("aBc"));
    }
}
