package sample;

import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

/** Every construct that makes javac write something unusual, with a result that can be checked. */
public class Sample {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark { String[] value() default {"a", "b"}; int[] numbers() default {}; Kind kind() default Kind.ONE; }

    enum Kind { ONE, TWO { @Override int weight() { return 2; } }; int weight() { return 1; } }

    interface Shape { default int sides() { return 0; } static int count() { return 7; } }

    static final long LONG = 0x1234_5678_9abcL;
    static final double DOUBLE = 1.5e300;
    volatile @Mark("field") List<@Mark String> names = new ArrayList<>();

    // The first instruction is the target of a jump.
    static int loopFirst() { for (;;) { if (System.nanoTime() != 0) return 1; } }

    static int tables(int x) {
        int r = 0;
        switch (x) { case 1: r += 10; case 2: r += 20; break; case 3: r += 30; break; default: r -= 1; }
        switch (x) { case -1000000: r += 1; break; case 1: r += 2; break; case 1000000: r += 3; }
        return r;
    }

    static String strings(String s) {
        switch (s) { case "Aa": return "one"; case "BB": return "two"; case "x": return "three"; }
        return s + LONG + DOUBLE + 'c' + 1.5f + true;
    }

    static int handlers(Object[] a, int i) {
        int r = 0;
        try {
            synchronized (a) { r = ((@Mark("cast") String) a[i]).length(); }
        } catch (ClassCastException | NullPointerException e) {
            r = -1;
        } catch (ArrayIndexOutOfBoundsException e) {
            r = -2;
        } finally {
            r *= 2;
        }
        return r;
    }

    // A conditional between `new` and its constructor: uninitialised objects in frames, values on the stack.
    static String uninitialised(boolean b, int n) {
        return new StringBuilder(new String(b ? "yes" : n > 3 ? "many" : "few")).append(n + (b ? 1 : 2) * (n > 0 ? n : -n)).toString();
    }

    Sample(int n) { this(n > 0 ? "+" : "-", n % 2 == 0); }

    Sample(String s, boolean b) { super(); names.add(b ? s : s + "!"); }

    static int wide(int a) {
        long l00 = a, l01 = a, l02 = a, l03 = a, l04 = a, l05 = a, l06 = a, l07 = a, l08 = a, l09 = a;
        long[][] m = new long[3][2];
        for (int i = 0; i < 2; i++) for (int j = 0; j < m.length; j++) { m[j][i] += l00 + i * 1000; l09 += 1; }
        a += 10000;
        return (int) (m[2][1] + l09 + l08 + a);
    }

    static int lambdas(int n) {
        @Mark("local") int k = n;
        IntUnaryOperator f = x -> x + k;
        Supplier<List<String>> s = ArrayList::new;
        Function<Integer, int[]> g = int[]::new;
        Runnable r = new Runnable() { public void run() { if (k > 100) throw new IllegalStateException(); } };
        r.run();
        class Local implements Shape { public int sides() { return k + Shape.count(); } }
        return f.applyAsInt(1) + s.get().size() + g.apply(3).length + new Local().sides();
    }

    static long arithmetic(int i, long l, float f, double d) {
        assert i != 12345 : "no";
        byte b = (byte) i; char c = (char) i; short s = (short) i;
        l = l * i / 3 % 1000 << 2 >> 1 >>> 1 & 0xffffff | 1 ^ 2;
        f = -f * 2 + i; d = d / f - l;
        return b + c + s + l + (long) f + (long) d + (f > d ? 1 : 0) + (l < i ? 1 : 0) + (~i);
    }

    <T extends Comparable<? super T> & java.io.Serializable> T generic(@Mark T a, T b) throws IllegalArgumentException {
        return a instanceof @Mark Comparable<?> && a.compareTo(b) > 0 ? a : b;
    }

    @Deprecated
    static int deep(int n) { do { n--; if (n == 7) continue; while (n > 20) { n -= 3; } } while (n > 0); return n; }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        out.append(loopFirst()).append(' ');
        for (int i = 0; i < 5; i++) out.append(tables(i)).append(' ');
        for (String s : new String[] {"Aa", "BB", "x", "y"}) out.append(strings(s)).append(' ');
        Object[] a = {"abc", 1, null};
        for (int i = 0; i < 4; i++) out.append(handlers(a, i)).append(' ');
        for (int i = -1; i < 6; i += 2) out.append(uninitialised(i > 2, i)).append(' ');
        out.append(new Sample(3).names).append(new Sample(4).names).append(' ');
        out.append(wide(5)).append(' ').append(lambdas(9)).append(' ').append(arithmetic(300, 5, 1.25f, 9)).append(' ');
        out.append(new Sample(1).generic("p", "q")).append(' ').append(deep(50)).append(' ');
        for (Kind k : Kind.values()) { switch (k) { case ONE: out.append("1-"); break; default: out.append(k.weight()); } }
        System.out.println(out);
    }
}
