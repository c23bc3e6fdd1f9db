package clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void hours() {
        assertEquals(2, Clock.hours(120));
    }

    @Test
    void minutes() {
        assertEquals(120, Clock.minutes(2));
    }

    @Test
    void assumed() {
        assumeTrue(Clock.hours(60) == 1);
    }

    @Test
    @Disabled("a test that is turned off does not count as one that ran")
    void disabled() {
        assertEquals(3, 1 + 1);
    }
}
