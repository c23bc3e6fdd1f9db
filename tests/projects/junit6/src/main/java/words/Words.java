package words;

public class Words {
    public static int count(String text) {
        return text.split(" ").length;
    }

    public static String first(String text) {
        return text.split(" ")[0];
    }

    public static String last(String text) {
        return text.substring(text.lastIndexOf(' ') + 1);
    }
}
