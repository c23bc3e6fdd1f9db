package tamis.gate;

import java.io.DataInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;

/**
 * The connection to Tamis: a port of the loopback address. The file that names the port also holds two secrets, one
 * that we send and one that Tamis sends. A program that took over the port later knows neither.
 */
final class Line {
    private static final String FORMAT = "tamis-gate 1";
    private static final int SECRET = 32;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 2_000;

    private final int port;
    private final byte[] ours;
    private final byte[] theirs;

    Line(String file) throws Exception {
        if (new File(file).length() > 1024) {
            throw new IllegalStateException("not a gate: " + file);
        }
        String[] lines = new String(Files.readAllBytes(new File(file).toPath()), StandardCharsets.UTF_8).split("\n");
        if (lines.length != 4 || !lines[0].equals(FORMAT)) {
            throw new IllegalStateException("not a gate: " + file);
        }
        port = Integer.parseInt(lines[1]);
        ours = unhex(lines[2]);
        theirs = unhex(lines[3]);
    }

    /** Whether the answer is "nothing to run". Uses a thread of its own, since a write may block forever. */
    boolean ask(final byte[] question) throws Exception {
        final boolean[] answer = new boolean[1];
        try (final Socket socket = new Socket(Proxy.NO_PROXY)) {
            Thread asking = new Thread("tamis-gate") {
                @Override
                public void run() {
                    try {
                        answer[0] = ask(socket, question);
                    } catch (Throwable broken) {
                        answer[0] = false;
                    }
                }
            };
            asking.setDaemon(true);
            asking.start();
            asking.join(PATIENCE_MILLIS);
            return !asking.isAlive() && answer[0];
        }
    }

    private boolean ask(Socket socket, byte[] question) throws Exception {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        socket.connect(new InetSocketAddress(here, port), CONNECT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        OutputStream out = socket.getOutputStream();
        out.write(ours);
        out.write(question);
        out.flush();
        byte[] answer = new byte[SECRET];
        InputStream in = socket.getInputStream();
        new DataInputStream(in).readFully(answer);
        return MessageDigest.isEqual(answer, theirs);
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
