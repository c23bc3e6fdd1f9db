// jdk 8-
package nested;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class Nested {
    private int secret = 7;
    private static String shared = "s";

    private int hidden(int by) {
        return secret * by;
    }

    private Nested() {
    }

    static class Maker {
        Nested make() {
            Nested made = new Nested();
            made.secret += 2;
            shared = shared + made.hidden(3);
            return made;
        }

        private static int count = 1;

        private class Deep {
            int all() {
                return count++ + new Nested().secret;
            }
        }

        Deep deep() {
            return new Deep();
        }
    }

    class Inner {
        int secret = Nested.this.secret - 1;

        class Innermost {
            IntSupplier sum(int extra) {
                return () -> secret + Nested.this.secret + hidden(extra) + Maker.count;
            }
        }
    }

    Supplier<Supplier<String>> layers(String a) {
        return () -> {
            String b = a + 1;
            return () -> {
                Object o = new Object() {
                    @Override
                    public String toString() {
                        return a + b + secret + "!";
                    }
                };
                return o.toString();
            };
        };
    }

    static Object locals(int n) {
        class Left {
            int value = n + 1;
        }
        class Right extends Left {
            int other = value * 2;
        }
        if (n > 10) {
            class Far extends Right {
            }
            return new Far();
        }
        return n < 0 ? new Left() : new Right();
    }
}
