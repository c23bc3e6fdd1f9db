package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a b", "c d"})
    void count(String text) {
        assertEquals(2, Words.count(text));
    }

    @RepeatedTest(2)
    void first() {
        assertEquals("a", Words.first("a b"));
    }

    @Nested
    class Ends {
        @Test
        void last() {
            assertEquals("b", Words.last("a b"));
        }

        @Test
        void nothing() {
            assertEquals(2, 1 + 1);
        }
    }
}
