package clock;

public class Clock {
    public static int hours(int minutes) {
        return minutes / 100;
    }

    public static int minutes(int hours) {
        return hours * 60;
    }
}
