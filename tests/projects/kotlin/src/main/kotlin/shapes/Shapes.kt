package shapes

data class Square(val side: Int)

object Areas {
    fun of(square: Square): Int = square.side * square.side
}

inline fun <T> twice(action: () -> T): List<T> = listOf(action(), action())

fun Square.around(): Int = 4 * side
