package app;

import core.Text;
import lib.Numbers;

public class Shout {
    public static String shout(String text) {
        return Text.upper(text).concat("!");
    }

    public static int twice(int number) {
        return Numbers.twice(number);
    }
}
