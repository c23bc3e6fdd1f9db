package lib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void twice() {
        assertEquals(6, Numbers.twice(3));
    }

    @Test
    void nothing() {}
}
