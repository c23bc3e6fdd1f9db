package modular.inner;

import modular.api.Named;

public class First implements Named {
    @Override
    public String name() {
        return "first";
    }
}
