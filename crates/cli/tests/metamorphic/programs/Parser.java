// jdk 8-
package parser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;

public final class Parser {
    private final String text;
    private int at;

    public Parser(String text) {
        this.text = text;
    }

    public int parse() {
        int value = sum();
        if (at != text.length()) {
            throw new IllegalStateException("rest at " + at);
        }
        return value;
    }

    private int sum() {
        int value = product();
        while (at < text.length()) {
            char op = text.charAt(at);
            if (op == '+') {
                at++;
                value += product();
            } else if (op == '-') {
                at++;
                value -= product();
            } else {
                break;
            }
        }
        return value;
    }

    private int product() {
        int value = atom();
        loop:
        for (;;) {
            switch (at < text.length() ? text.charAt(at) : 0) {
                case '*':
                    at += 1;
                    value = value * atom();
                    break;
                case '/':
                    at += 1;
                    int by = atom();
                    if (by == 0) {
                        continue loop;
                    }
                    value = value / by;
                    break;
                default:
                    break loop;
            }
        }
        return value;
    }

    private int atom() {
        try {
            int start = at;
            while (Character.isDigit(text.charAt(at))) {
                at++;
            }
            return Integer.parseInt(text.substring(start, at)) << 1 >> 1;
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            return -7;
        } finally {
            at = Math.min(at, text.length());
        }
    }

    static class Stack {
        private final Deque<Integer> values = new ArrayDeque<>();
        private int depth;

        void push(int value) {
            assert value >= 0 : "negative " + value;
            values.push(value);
            depth = Math.max(depth, values.size());
        }

        int pop() {
            Integer top = values.poll();
            if (top == null) {
                throw new NoSuchElementException("empty after " + depth);
            }
            return top;
        }
    }

    static int run(String program) {
        Stack stack = new Stack();
        for (String word : program.split(" ")) {
            if (word.equals("dup")) {
                int top = stack.pop();
                stack.push(top);
                stack.push(top);
            } else {
                stack.push(Integer.parseInt(word, 10));
            }
        }
        return stack.depth + stack.pop();
    }
}
