package bank;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class AccountTest {
    private Account account;

    @BeforeMethod
    public void open() {
        account = new Account();
    }

    @DataProvider
    public Object[][] amounts() {
        return new Object[][] {{1}, {20}};
    }

    @Test(dataProvider = "amounts")
    public void deposit(int amount) {
        account.deposit(amount);
        assertEquals(account.balance(), amount);
    }

    @Test
    public void withdraw() {
        account.withdraw(1);
        assertEquals(account.balance(), -1);
    }
}
