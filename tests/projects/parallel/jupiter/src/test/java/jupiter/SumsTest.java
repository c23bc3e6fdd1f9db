package jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SumsTest {
    @Test
    void twice() throws InterruptedException {
        Thread.sleep(20);
        assertEquals(6, Sums.twice(3));
        Thread.sleep(20);
    }

    @Test
    void square() throws InterruptedException {
        Thread.sleep(20);
        assertEquals(9, Sums.square(3));
        Thread.sleep(20);
    }
}
