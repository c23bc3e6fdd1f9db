package app;

import core.Text;

public class Shout {
    public String shout(String text) {
        return Text.upper(text) + "!";
    }

    public String whisper(String text) {
        return Text.lower(text) + "...";
    }
}
