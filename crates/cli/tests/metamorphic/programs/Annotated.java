// jdk 8-
package annotated;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Tags.class)
@interface Tag {
    String value() default "none";

    int[] levels() default {1, 2};
}

@Retention(RetentionPolicy.RUNTIME)
@interface Tags {
    Tag[] value();
}

@Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
@interface Checked {
}

@Tag("class")
@Tag(value = "again", levels = 3)
class Annotated<@Checked T extends @Checked Number> {
    @Tag
    @Deprecated
    protected volatile long counter = 5L;
    private transient List<@Checked String> names;

    @Tag(levels = {})
    Annotated(@Tag("parameter") int first, @Checked String second) {
        counter = first + second.length() - 2;
    }

    @SafeVarargs
    static <X extends Comparable<X>> X largest(@Checked X first, X... others) {
        X best = first;
        for (X other : others) {
            best = other.compareTo(best) > 0 ? other : best;
        }
        return best;
    }

    @Checked String cast(Object o) throws @Checked IllegalStateException {
        @Checked String s = (@Checked String) o;
        Object made = new @Checked Object();
        return o instanceof @Checked String ? s + made : "no";
    }

    @Deprecated
    @Tag("method")
    strictfp double half(double d) {
        return d / 2.0;
    }
}
