package lib;

public class Numbers {
    public static int twice(int number) {
        return 2 * number;
    }
}
