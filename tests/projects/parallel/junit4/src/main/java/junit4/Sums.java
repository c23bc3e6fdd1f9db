package junit4;

public class Sums {
    public static int twice(int number) {
        return number + number;
    }

    public static int square(int number) {
        return number * number;
    }
}
