package single;

public class Greeter {
    public String hello(String name) {
        return "hello ".concat(name);
    }

    public String bye(String name) {
        return "bye ".concat(name);
    }
}
