package tamis.gate;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Reads and calls members of objects whose classes Maven loads elsewhere, in unknown versions. */
final class Fields {
    /** The result of {@link #value} if there is no such field. */
    static final Object ABSENT = new Object();

    private Fields() {}

    /** The value of the field of this name, declared by the class or its nearest superclass. */
    static Object value(Object object, String name) {
        for (Field field : all(object.getClass())) {
            if (field.getName().equals(name)) {
                return value(object, field);
            }
        }
        return ABSENT;
    }

    static void set(Object object, String name, Object value) throws Exception {
        for (Field field : all(object.getClass())) {
            if (field.getName().equals(name)) {
                field.setAccessible(true);
                field.set(object, value);
                return;
            }
        }
    }

    static Object value(Object object, Field field) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (Exception refused) {
            throw new IllegalStateException(field.toString(), refused);
        }
    }

    /** The instance fields of a class and its superclasses, the class's own first. */
    static List<Field> all(Class<?> of) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = of; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    /** Calls the method of this name that has no parameters, or only a list that may be null. */
    static Object call(Object object, String name) throws Exception {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name) && !Modifier.isAbstract(method.getModifiers())) {
                    if (method.getParameterTypes().length == 0) {
                        method.setAccessible(true);
                        return method.invoke(object);
                    }
                    if (method.isVarArgs() && method.getParameterTypes().length == 1) {
                        method.setAccessible(true);
                        return method.invoke(object, (Object) null);
                    }
                }
            }
        }
        throw new NoSuchMethodException(object.getClass().getName() + "." + name);
    }

    static boolean extendsClass(Object object, String name) {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
