package store;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class StoreTest {
    @Test
    public void size() {
        assertEquals(0, new Store().size());
    }
}
