class E1 extends RuntimeException {}
class E3 extends RuntimeException {}
class Handlers {
    static String handle(int k) {
        String r = "";
        try { r += run(k); }
        catch (E1 e) { r += "E1"; }
        catch (E3 e) { r += "E3"; }
        finally { r += "f"; }
        return r;
    }
    static int run(int k) {
        if (k == 1) throw new E1();
        if (k == 3) throw new E3();
        if (k == 4) throw new IllegalStateException();
        return k;
    }
}
