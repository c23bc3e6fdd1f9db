package single;

public class Greeter {
    public String hello(String name) {
        return "hello " + name;
    }

    public String bye(String name) {
        return "bye " + name;
    }
}
