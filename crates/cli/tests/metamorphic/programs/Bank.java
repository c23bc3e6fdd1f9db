// jdk 8-
package bank;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

public class Bank {
    private static int opened = 100;
    private final Map<String, Account> accounts = new HashMap<>(16);
    private int fee = 3;

    static class Account {
        private long balance;
        private final String owner;

        Account(String owner, long balance) {
            this.owner = owner;
            this.balance = balance * 100L;
        }

        boolean withdraw(long amount) {
            if (amount <= 0 || amount > balance) {
                return false;
            }
            balance -= amount;
            return true;
        }

        @Override
        public String toString() {
            return owner + ": " + balance / 100 + "." + balance % 100;
        }
    }

    enum Kind {
        SAVINGS(2), CHECKING(0) {
            @Override
            int rate(int years) {
                return years * -1;
            }
        };

        private final int percent;

        Kind(int percent) {
            this.percent = percent;
        }

        int rate(int years) {
            return percent + years;
        }
    }

    Account open(String owner, Kind kind) {
        opened++;
        Account account = new Account(owner, kind == Kind.SAVINGS ? 10 : 5);
        accounts.put(owner + "#" + opened, account);
        return account;
    }

    long days(TimeUnit unit, long count) {
        switch (unit) {
            case DAYS:
                return count;
            case HOURS:
                return count / 24;
            default:
                return -1L;
        }
    }

    int code(String command) {
        switch (command) {
            case "open":
                return 1;
            case "close":
                return 2;
            default:
                return command.length() + 40;
        }
    }

    List<Account> rich(long limit) {
        List<Account> found = new ArrayList<>();
        accounts.values().forEach(account -> {
            if (account.balance - fee > limit) {
                found.add(account);
            }
        });
        return found;
    }
}
