package shop;

public class Gift extends Basket {
    static int wrapping = 200;

    @Override
    public int total() {
        return super.total() + wrapping;
    }
}
