package shop.orders;

/** A number with a check digit, so that a mistyped one is noticed. */
public final class OrderNumber {
    private OrderNumber() {}

    public static String of(long number) {
        return number + "-" + checkDigit(Long.toString(number));
    }

    public static boolean isValid(String text) {
        int dash = text.lastIndexOf('-');
        return dash > 0
                && text.length() == dash + 2
                && text.substring(0, dash).matches("[0-9]+")
                && text.charAt(dash + 1) == '0' + checkDigit(text.substring(0, dash));
    }

    private static int checkDigit(String digits) {
        int sum = 0;
        boolean doubled = true;
        for (int i = digits.length() - 1; i >= 0; i--) {
            int digit = digits.charAt(i) - '0';
            int weighted = doubled ? 2 * digit : digit;
            sum += weighted > 9 ? weighted - 9 : weighted;
            doubled = !doubled;
        }
        return (10 - sum % 10) % 10;
    }
}
