package modular.api;

import java.util.ServiceLoader;

public class Names {
    public static String all() {
        StringBuilder all = new StringBuilder();
        for (Named named : ServiceLoader.load(Named.class)) {
            all.append(named.name());
        }
        return all.toString();
    }
}
