package single;

public class Version {
    public static String label() {
        return "${label}";
    }
}
