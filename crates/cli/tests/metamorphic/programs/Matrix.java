// jdk 8-
package matrix;

import java.util.Arrays;
import java.util.stream.IntStream;

public class Matrix {
    private static final int[][] IDENTITY;
    private final double[][] cells;
    static float scale = 1.5f;
    static boolean strict = true;

    static {
        IDENTITY = new int[3][3];
        for (int i = 0; i < 3; i++) {
            IDENTITY[i][i] = 1;
        }
    }

    Matrix(int rows, int columns) {
        cells = new double[rows][columns];
    }

    Matrix times(Matrix other) {
        Matrix result = new Matrix(cells.length, other.cells[0].length);
        for (int i = 0; i < cells.length; i++) {
            for (int j = 0; j < other.cells[0].length; j++) {
                double sum = 0.0;
                for (int k = 0; k < other.cells.length; k++) {
                    sum += cells[i][k] * other.cells[k][j];
                }
                result.cells[i][j] = strict ? sum : sum * scale;
            }
        }
        return result;
    }

    int bits(int x, long y, byte b) {
        int mixed = (x & 0xff) | (x >>> 8) ^ (int) (y >> 32);
        mixed <<= 2;
        b += 1;
        return ~mixed + b % 3 - (short) (y * 5);
    }

    double trace() {
        return IntStream.range(0, cells.length).mapToDouble(i -> cells[i][i] + 0.25).sum();
    }

    boolean isSquare() {
        return cells.length == 0 || cells.length == cells[0].length && !strict;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof Matrix)) {
            return false;
        }
        return Arrays.deepEquals(cells, ((Matrix) o).cells);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.deepHashCode(cells) + 17;
    }

    synchronized String show(char separator, Object... rest) {
        StringBuilder text = new StringBuilder(64);
        int n = 0;
        do {
            text.append(separator).append(rest.length > n ? rest[n] : "-");
            n++;
        } while (n < 3);
        return text.toString() + 'x' + 1.25f + 3L;
    }
}
