"""Kotlin."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    package app.store

    import java.io.File
    import app.log as Log2

    // Opened by println("opened"), later.
    @Deprecated("use Cache")
    data class Shelf(val path: String, private var count: Int = 0) : Base(path), Closeable {
        private val items = mutableMapOf<String, Int>()
        lateinit var name: String
        val size: Int? get() = items.size

        init { load() }

        constructor(x: Int) : this("a", x)

        override suspend fun load(key: String, max: Int = 3): Result<Int?> {
            if (key == null) throw IllegalArgumentException("no key")
            if (max > 3) { return a } else { b() }
            if (max > 2) { return a }
            for (item in items) { println(item.key, max) }
            for ((k, v) in items) println( /* why */
                k)
            while (x > 0) { x-- }
            when (max) {
                1, 2 -> one()
                is String -> three()
                else -> println("log(1)")
            }
            try { read("a/$key/${max + 1}", "$MAX", "opened") } catch (e: IOException) { throw e }
            items.map { it.name }.filter { x -> x > 1 }
            handle?.close()
            val n = name ?: return null
            max = max + max
            max = max + size
            run(a = 1, b = 2) { go() }
            return x.let { it }
        }

        @Test
        fun close() = handle.close()

        companion object {
            const val MAX = 3
        }
    }

    sealed class R {
        object Ok : R()
    }

    fun String.ext(): Int = this.length
    val ready = !open && !closed
    val stale = !ready
    ''',
    rows=[
        Row("call", "println($$$A)", [(21, "println(item.key, max)"), (22, "println( /* why */"), (28, 'println("log(1)")')], {"A": "item.key, max"}),
        Row("call", "$O.filter { $X -> $Y }", [(31, "items.map { it.name }.filter { x -> x > 1 }")], {"O": "items.map { it.name }", "X": "x", "Y": "x > 1"}),
        Row("call", "$O.map { it.$N }", [(31, "items.map { it.name }")], {"O": "items", "N": "name"}),
        Row("call", "$X?.close()", [(32, "handle?.close()")], {"X": "handle"}),
        Row("call", "run(a = $X, $$$) { $$$B }", [(36, "run(a = 1, b = 2) { go() }")], {"X": "1", "B": "go()"}),
        Row("call", "!$X", [(53, "!closed"), (54, "!ready")], {"X": "closed"}),
        Row("call", "$A && $B", []),
        Row("definition", "override suspend fun $F($$$A): $T { $$$B }", [(17, "override suspend fun load(key: String, max: Int = 3): Result<Int?> {")], {"F": "load", "A": "key: String, max: Int = 3", "T": "Result<Int?>"}),
        Row("definition", "fun $F($$$A) { $$$B }", []),
        Row("definition", "@Test fun $F() = $E", [(40, "@Test")], {"F": "close", "E": "handle.close()"}),
        Row("definition", "fun $T.$F($$$A): $R = $E", [(52, "fun String.ext(): Int = this.length")], {"T": "String", "F": "ext", "A": "", "E": "this.length"}),
        Row("definition", "@Deprecated($M) data class $C($$$P) : $$$S { $$$B }", [(7, '@Deprecated("use Cache")')], {"C": "Shelf", "P": "val path: String, private var count: Int = 0", "S": "Base(path), Closeable"}),
        Row("definition", "sealed class $C { $$$B }", [(48, "sealed class R {")], {"C": "R", "B": "object Ok : R()"}),
        Row("definition", "import java.io.$X", [(3, "import java.io.File")], {"X": "File"}),
        Row("member", "private val $X = $Y", [(9, "private val items = mutableMapOf<String, Int>()")], {"X": "items"}),
        Row("member", "companion object { $$$B }", [(43, "companion object {")], {"B": "const val MAX = 3"}),
        Row("member", "init { $$$B }", [(13, "init { load() }")], {"B": "load()"}),
        Row("member", "constructor($$$A) : this($$$B)", [(15, 'constructor(x: Int) : this("a", x)')], {"A": "x: Int", "B": '"a", x'}),
        Row("member", "@Deprecated($$$A)", [(7, '@Deprecated("use Cache")')], {"A": '"use Cache"'}),
        Row("member", "$T?", [(11, "Int?"), (17, "Int?")], {"T": "Int"}),
        Row("condition", "if ($C) { $$$B }", [(20, "if (max > 2) { return a }")], {"C": "max > 2", "B": "return a"}),
        Row("condition", "if ($X == null) throw $E", [(18, 'if (key == null) throw IllegalArgumentException("no key")')], {"X": "key"}),
        Row("condition", "when ($X) { $$$A else -> $Y }", [(25, "when (max) {")], {"X": "max", "Y": 'println("log(1)")'}),
        Row("condition", "is $T -> $X", [(27, "is String -> three()")], {"T": "String", "X": "three()"}),
        Row("condition", "$X ?: return $Y", [(33, "name ?: return null")], {"X": "name", "Y": "null"}),
        Row("condition", "catch ($E: IOException) { $$$B }", [(30, "catch (e: IOException) { throw e }")], {"E": "e", "B": "throw e"}),
        Row("loop", "for ($I in $X) { $$$B }", [(21, "for (item in items) { println(item.key, max) }")], {"I": "item", "X": "items"}),
        Row("loop", "for (($A, $B) in $X) $S", [(22, "for ((k, v) in items) println( /* why */")], {"A": "k", "B": "v"}),
        Row("string", '"opened"', [(30, '"opened"')]),
        Row("string", r'"\$MAX"', [(30, '"$MAX"')]),
        Row("string", '"a/$key/${$X}"', [(30, '"a/$key/${max + 1}"')], {"X": "max + 1"}),
        Row("string", 'Base("$S")', []),
        Row("comment", 'println("opened")', []),
        Row("comment", "log($X)", []),
        Row("repeated", "$X = $X + $X", [(34, "max = max + max")], {"X": "max"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, c)", "val x = foo()\nval y = foo(a, b)\nval z = foo(a,)\n", "val x = bar(c)\nval y = bar(a, b, c)\nval z = bar(a, c)\n"),
        Rewrite("double($X)", "$X * 2", "val x = double(a + b)\n", "val x = (a + b) * 2\n"),
        Rewrite("not($X)", "!$X", "val x = not(a == b)\nval y = not(a ?: b)\n", "val x = !(a == b)\nval y = !(a ?: b)\n"),
        Rewrite(
            "synchronized($X) { $$$B }",
            "$X.withLock {\n    $$$B\n}",
            "fun f() {\n    synchronized(gate) {\n        first()\n        if (x) {\n            second()\n        }\n    }\n}\n",
            "fun f() {\n    gate.withLock {\n        first()\n        if (x) {\n            second()\n        }\n    }\n}\n",
        ),
        Rewrite("println($$$)", "", "fun f() {\n    println(1)\n    go()\n}\n", "fun f() {\n    go()\n}\n"),
        Rewrite("if ($X == null) return $Y", "$X ?: return $Y", "fun f() {\n    if (a == null) return 1\n}\n", "fun f() {\n    a ?: return 1\n}\n"),
        Rewrite("@Deprecated($$$)", "", 'class A {\n    @Deprecated("x")\n    fun f() {}\n}\n', "class A {\n    fun f() {}\n}\n"),
        Rewrite("$X.get()", "$X +", "val x = y.get()\n", None),
    ],
)  # fmt: skip
