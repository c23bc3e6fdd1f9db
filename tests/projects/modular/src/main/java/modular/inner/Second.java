package modular.inner;

import modular.api.Named;

public class Second implements Named {
    @Override
    public String name() {
        return "second";
    }
}
