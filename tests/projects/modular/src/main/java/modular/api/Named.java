package modular.api;

public interface Named {
    String name();
}
