package shapes

import kotlin.test.Test
import kotlin.test.assertEquals

class ShapesTest {
    @Test
    fun area() = assertEquals(9, Areas.of(Square(3)))

    @Test
    fun around() = assertEquals(12, Square(3).around())

    @Test
    fun inlined() = assertEquals(2, twice { 1 }.size)

    @Test
    fun nothing() = assertEquals(2, 1 + 1)
}
