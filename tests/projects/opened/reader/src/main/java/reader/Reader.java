package reader;

import java.lang.reflect.Field;

public class Reader {
    public static Object read(Object from, String name) throws ReflectiveOperationException {
        Field field = from.getClass().getDeclaredField(name);
        return field.trySetAccessible() ? field.get(from) : null;
    }
}
