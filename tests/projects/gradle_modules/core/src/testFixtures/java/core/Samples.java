package core;

public class Samples {
    public static String word() {
        return "Word".trim();
    }
}
