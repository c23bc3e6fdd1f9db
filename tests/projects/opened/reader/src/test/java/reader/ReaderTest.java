package reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import words.Word;

class ReaderTest {
    @Test
    void reads() throws Exception {
        assertEquals("word", Reader.read(new Word(), "text"));
    }
}
