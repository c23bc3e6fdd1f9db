package door;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.MethodName.class)
class BLeavingTest {
    @Test
    void a() {
        assertEquals(2, 1 + 1);
    }

    @Test
    void b() {
        System.out.println("BLeavingTest leaves");
        Door.leave();
    }

    @Test
    void c() {
        assertEquals(2, 1 + 1);
    }
}
