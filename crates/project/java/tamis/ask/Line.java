package tamis.ask;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;

/**
 * The connection to Tamis: a port of the loopback address. The file that names the port also holds three secrets: one
 * that we send, and two with which the answers of Tamis begin. A program that took over the port later knows none.
 */
public final class Line {
    private static final String FORMAT = "tamis-gate 2";
    private static final int SECRET = 32;
    private static final int LONGEST_ARGUMENT = 1 << 16;
    private static final int CONNECT_MILLIS = 2_000;

    private final int port;
    private final byte[] ours;
    private final byte[] nothing;
    private final byte[] run;

    public Line(String file) throws Exception {
        if (new File(file).length() > 1024) {
            throw new IllegalStateException("not a gate: " + file);
        }
        String[] lines = new String(Files.readAllBytes(new File(file).toPath()), StandardCharsets.UTF_8).split("\n");
        if (lines.length != 5 || !lines[0].equals(FORMAT)) {
            throw new IllegalStateException("not a gate: " + file);
        }
        port = Integer.parseInt(lines[1]);
        ours = unhex(lines[2]);
        nothing = unhex(lines[3]);
        run = unhex(lines[4]);
    }

    /** The answer to a question, within a time. Uses a thread of its own, since a write may block forever. */
    public Answer ask(final byte[] question, final int patienceMillis) throws Exception {
        final Answer[] answer = {Answer.NONE};
        try (final Socket socket = new Socket(Proxy.NO_PROXY)) {
            Thread asking = new Thread("tamis-gate") {
                @Override
                public void run() {
                    try {
                        answer[0] = askOver(socket, question, patienceMillis);
                    } catch (Throwable broken) {
                        answer[0] = Answer.NONE;
                    }
                }
            };
            asking.setDaemon(true);
            asking.start();
            asking.join(patienceMillis);
            return asking.isAlive() ? Answer.NONE : answer[0];
        }
    }

    private Answer askOver(Socket socket, byte[] question, int patienceMillis) throws Exception {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        socket.connect(new InetSocketAddress(here, port), CONNECT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMillis);
        OutputStream out = socket.getOutputStream();
        out.write(ours);
        out.write(question);
        out.flush();
        return read(new DataInputStream(socket.getInputStream()));
    }

    private Answer read(DataInputStream in) throws IOException {
        byte[] secret = new byte[SECRET];
        in.readFully(secret);
        if (MessageDigest.isEqual(secret, nothing)) {
            return Answer.NOTHING;
        }
        if (!MessageDigest.isEqual(secret, run)) {
            return Answer.NONE;
        }
        boolean partial = in.readByte() != 0;
        int length = in.readInt();
        if (length < 0 || length > LONGEST_ARGUMENT) {
            return Answer.NONE;
        }
        byte[] argument = new byte[length];
        in.readFully(argument);
        return new Answer(false, new String(argument, StandardCharsets.UTF_8), partial);
    }

    private static byte[] unhex(String hex) {
        byte[] bytes = new byte[SECRET];
        if (hex.length() != 2 * SECRET) {
            throw new IllegalArgumentException("not a secret");
        }
        for (int i = 0; i < SECRET; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
