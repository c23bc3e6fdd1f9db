// jdk 8-
package failures;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

public abstract class Failures {
    private static int errors = 0;
    private final Lock lock = new ReentrantLock(true);

    static class Trouble extends Exception {
        private static final long serialVersionUID = 1L;
        final int code;

        Trouble(int code, Throwable cause) {
            super("trouble " + code, cause);
            this.code = code + 1000;
        }
    }

    static final class Handle implements Closeable {
        private boolean open = true;

        @Override
        public void close() throws IOException {
            if (!open) {
                throw new IOException("closed twice");
            }
            open = false;
        }
    }

    protected abstract int work(int n) throws Trouble;

    int guarded(int n) {
        lock.lock();
        try {
            return work(n) + 1;
        } catch (Trouble trouble) {
            errors++;
            return trouble.code % 7;
        } finally {
            lock.unlock();
        }
    }

    static int resources() throws IOException {
        try (Handle first = new Handle(); Handle second = new Handle()) {
            return first.open && second.open ? 2 : 0;
        } catch (IOException e) {
            synchronized (Failures.class) {
                errors += 5;
            }
            throw e;
        }
    }

    static <T> T retry(Callable<T> call, int times) throws Trouble {
        Throwable last = null;
        for (int i = times; i > 0; i--) {
            try {
                return call.call();
            } catch (RuntimeException e) {
                last = e;
            } catch (Exception e) {
                throw new Trouble(i * 2, e);
            }
        }
        throw new Trouble(-1, last);
    }

    static Failures never() {
        return new Failures() {
            @Override
            protected int work(int n) throws Trouble {
                assert n != 13;
                throw new Trouble(n, null);
            }
        };
    }
}
