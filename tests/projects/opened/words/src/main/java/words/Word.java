package words;

public class Word {
    private final String text = "word";
}
