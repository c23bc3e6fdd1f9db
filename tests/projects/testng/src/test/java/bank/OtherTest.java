package bank;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

public class OtherTest {
    @Test
    public void first() {
        new Account().deposit(1);
    }

    @Test(dependsOnMethods = "first")
    public void second() {
        assertEquals(1 + 1, 2);
    }
}
