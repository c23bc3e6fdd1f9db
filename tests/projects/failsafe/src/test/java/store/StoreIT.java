package store;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class StoreIT {
    @Test
    public void whatIsPutIsThere() {
        Store store = new Store();
        store.put("key", "value");
        assertEquals("value", store.get("key"));
    }

    @Test
    public void nothing() {
        assertEquals(2, 1 + 1);
    }
}
