package shop;

public class Gift extends Basket {
    static int wrapping = 150;
}
