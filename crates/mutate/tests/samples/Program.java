package p;

import java.io.*;
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

/** Has sites for every operator; its output changes with each of them. */
public class Program {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { String value() default "m"; }

    interface Named { default String name() { return "named"; } }
    interface Titled extends Named { default String title() { return "title"; } }
    static class Base implements Titled {
        protected int size = 4;
        static int count;
        public int area() { return size * size; }
        @Override public String toString() { return "base " + size; }
    }
    @Mark("sub") static class Sub extends Base {
        @Mark int own = 3;
        @Override public int area() { return size + own; }
        @Mark public long grown(long by) { return by - size; }
        public boolean isLarge() { return size > 100; }
    }
    static class Statics { static int level; static double ratio; static int level() { return level; } }
    static class Plain { public Plain() { } }

    static final int NUMBER = 77;
    static final String TEXT = "text";
    static final long BIG = 5_000_000_000L;
    static final List<String> log = new ArrayList<>();

    static String kind(int n) {
        switch (n) {
            case 1: return "one";
            case 2: return "two";
            case 3: return "three";
            default: return "many";
        }
    }
    static String far(int n) {
        switch (n) {
            case 10: return "ten";
            case 1000: return "thousand";
            default: return "other";
        }
    }
    static int caught(String text) {
        try { return Integer.parseInt(text); } catch (NumberFormatException e) { return -1; }
    }
    static void note(String text, long at, double of) { log.add(text + at + of); }
    static int steps(int to) { int n = 0; for (int i = 0; i < to; i++) n += 2; return n; }
    static float half(float x) { return x / 2f; }
    static byte small() { return 9; }
    static char letter() { return 'x'; }
    static Object some() { return "some"; }
    static String concat(String a) { String mid = "-"; return a.concat(mid); }
    static int wide() { return 1_000_000; }
    static double precise() { return 2.25; }
    static float light() { return 2.5f; }

    public static String run() throws Exception {
        StringBuilder out = new StringBuilder();
        Sub sub = new Sub();
        note("a", 1L, 2.0);
        Function<Integer, String> twice = n -> n > 3 ? "big" + n : String.valueOf(n * 2);
        out.append(sub.area()).append(' ').append(sub).append(' ').append(sub.grown(20)).append(' ').append(sub.isLarge());
        out.append(' ').append(sub.name()).append(' ').append(sub.title()).append(' ').append(new Base().area());
        for (int i = 1; i < 4; i++) out.append(' ').append(kind(i)).append(twice.apply(i + 1));
        out.append(' ').append(far(10)).append(far(1000)).append(caught("x")).append(caught("12")).append(log);
        out.append(' ').append(steps(5)).append(half(3)).append(small()).append(letter()).append(some()).append(concat("c"));
        out.append(' ').append(wide()).append(precise()).append(light()).append(BIG).append(Program.class.getDeclaredField("NUMBER").get(null));
        out.append(Program.class.getDeclaredField("TEXT").get(null)).append(Program.class.getDeclaredField("BIG").get(null));
        out.append(' ').append(Statics.level()).append(Statics.ratio).append(System.getProperty("tamis.mutant"));
        System.clearProperty("tamis.mutant");
        for (Class<?> c : new Class<?>[] { Base.class, Sub.class, Statics.class, Plain.class, Titled.class, Named.class, Program.class }) {
            out.append('\n').append(c.getSimpleName());
            for (Class<?> i : c.getInterfaces()) out.append(' ').append(i.getSimpleName());
            List<String> members = new ArrayList<>();
            for (java.lang.reflect.Method m : c.getMethods()) members.add(m.getName() + m.getDeclaringClass().getSimpleName());
            Collections.sort(members);
            out.append(members).append(c.getConstructors().length).append(c.getAnnotations().length);
            for (java.lang.reflect.Field f : c.getDeclaredFields()) out.append(f.getAnnotations().length);
            for (java.lang.reflect.Method m : c.getMethods()) if (m.getAnnotations().length > 0) out.append('@');
        }
        Class.forName(Plain.class.getName());
        Class.forName(Program.class.getName() + "$Mark");
        return out.toString();
    }
}
