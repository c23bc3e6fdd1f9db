package sleepy;

import static org.junit.Assert.assertEquals;

import java.io.FileOutputStream;
import java.io.IOException;
import org.junit.Test;

public class Value3Test {
    @Test
    public void value() throws Exception {
        check("value");
    }

    @Test
    public void again() throws Exception {
        check("again");
    }

    /** Leaves a file when all is done, for whoever wants to know how far it came. */
    private void check(String name) throws IOException, InterruptedException {
        Thread.sleep(120);
        assertEquals(3, Values.value3());
        new FileOutputStream("target/done-Value3Test-" + name).close();
    }
}
