package single;

import java.io.IOException;
import java.util.Properties;

public class Motto {
    public static String motto() throws IOException {
        Properties properties = new Properties();
        properties.load(Motto.class.getResourceAsStream("/motto.properties"));
        return properties.getProperty("motto");
    }
}
