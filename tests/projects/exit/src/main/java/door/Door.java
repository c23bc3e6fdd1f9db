package door;

public class Door {
    public static void leave() {
        System.exit(0);
    }

    public static String sign() {
        return "exit";
    }
}
