"""Scala."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    package app.store

    import java.io.File
    import app.util.{Log, Clock => Time}
    import app.json._

    // Opened by println("opened"), later.
    @deprecated("use Cache", "2.0")
    final case class Shelf[T](path: String, count: Int = 0)(implicit ec: Context) extends Base(path) with Closeable {
      private val items = mutable.Map.empty[String, Int]
      var name: String = _

      def this(x: Int) = this("a", x)

      override def load(key: String, max: Int = 3): Future[Option[Int]] = {
        if (key == null) throw new IllegalArgumentException("no key")
        if (max > 3) { return a } else { b() }
        if (max > 2) { a() }
        for (item <- items) { println(item.key, max) }
        for (i <- 0 until max if i > 1) println( /* why */
          i)
        val names = for { a <- items; b = a.x } yield b.name
        while (x > 0) { x -= 1 }
        max match {
          case 1 | 2 => one()
          case Some(v) if v > 1 => two(v)
          case s: String => three(s)
          case _ => println("log(1)")
        }
        try { read(s"a/$key/${max + 1}", "$MAX", "opened") } catch { case e: IOException => throw e }
        items.map(_.name).filter { x => x > 1 }
        max = max + max
        max = max + size
        run(a = 1, b = 2) { go() }
        ok = size * 2 + count == max && name != null
        all = first :: rest :: Nil
        x.asInstanceOf[Int]
      }

      def close(): Unit = handle.close()
    }

    object Shelf {
      def twice(x: Int): Int =
        log(x)
        x * 2
    }

    sealed trait Shape
    ''',
    rows=[
        Row("call", "println($$$A)", [(19, "println(item.key, max)"), (20, "println( /* why */"), (28, 'println("log(1)")')], {"A": "item.key, max"}),
        Row("call", "$O.map(_.$N)", [(31, "items.map(_.name)")], {"O": "items", "N": "name"}),
        Row("call", "$O.filter { $X => $Y }", [(31, "items.map(_.name).filter { x => x > 1 }")], {"O": "items.map(_.name)", "Y": "x > 1"}),
        Row("call", "run(a = $X, $$$) { $$$B }", [(34, "run(a = 1, b = 2) { go() }")], {"X": "1", "B": "go()"}),
        Row("call", "$X.asInstanceOf[$T]", [(37, "x.asInstanceOf[Int]")], {"X": "x", "T": "Int"}),
        Row("call", "new $E($$$A)", [(16, 'new IllegalArgumentException("no key")')], {"E": "IllegalArgumentException"}),
        Row("call", "$A * $B", [(35, "size * 2"), (46, "x * 2")], {"A": "size", "B": "2"}),
        Row("call", "$A == $B", [(16, "key == null"), (35, "size * 2 + count == max")], {"A": "key"}),
        Row("call", "$A + count", [(35, "size * 2 + count")], {"A": "size * 2"}),
        Row("call", "max && $B", []),
        Row("call", "$A :: $B", []),
        Row("definition", "override def $F($$$A): $T = { $$$B }", [(15, "override def load(key: String, max: Int = 3): Future[Option[Int]] = {")], {"A": "key: String, max: Int = 3", "T": "Future[Option[Int]]"}),
        Row("definition", "def $F($$$A) = $E", [(13, 'def this(x: Int) = this("a", x)')], {"F": "this", "A": "x: Int"}),
        Row("definition", "def $F($$$A): $T =\n  $$$B", [(44, "def twice(x: Int): Int =")], {"F": "twice", "B": "log(x)\n    x * 2"}),
        Row("definition", "def $F($$$A): Unit = $E", [(40, "def close(): Unit = handle.close()")], {"F": "close", "A": "", "E": "handle.close()"}),
        Row("definition", "@deprecated($$$) final case class $C[$T]($$$P)($$$I) extends $$$S { $$$B }", [(8, '@deprecated("use Cache", "2.0")')], {"P": "path: String, count: Int = 0", "S": "Base(path) with Closeable"}),
        Row("definition", "object $O { $$$B }", [(43, "object Shelf {")], {"O": "Shelf"}),
        Row("definition", "sealed trait $T", [(49, "sealed trait Shape")], {"T": "Shape"}),
        Row("definition", "import java.io.$X", [(3, "import java.io.File")], {"X": "File"}),
        Row("definition", "import $$$P._", [(5, "import app.json._")], {"P": "app.json"}),
        Row("member", "private val $X = $Y", [(10, "private val items = mutable.Map.empty[String, Int]")], {"X": "items"}),
        Row("member", "var $X: $T = _", [(11, "var name: String = _")], {"X": "name", "T": "String"}),
        Row("member", "$P: $T = $D", [(15, "max: Int = 3")], {"P": "max", "D": "3"}),
        Row("member", "@deprecated($X, $_)", [(8, '@deprecated("use Cache", "2.0")')], {"X": '"use Cache"'}),
        Row("condition", "if ($C) { $$$B }", [(18, "if (max > 2) { a() }")], {"C": "max > 2", "B": "a()"}),
        Row("condition", "if ($X == null) throw $E", [(16, 'if (key == null) throw new IllegalArgumentException("no key")')], {"X": "key"}),
        Row("condition", "$X match { $$$A case _ => $E }", [(24, "max match {")], {"X": "max", "E": 'println("log(1)")'}),
        Row("condition", "case $V: $T => $E", [(27, "case s: String => three(s)"), (30, "case e: IOException => throw e")], {"V": "s", "T": "String"}),
        Row("condition", "case Some($V) if $C => $E", [(26, "case Some(v) if v > 1 => two(v)")], {"V": "v", "C": "v > 1"}),
        Row("condition", "try { $$$A } catch { case $E: $T => $B }", [(30, 'try { read(s"a/$key/${max + 1}", "$MAX", "opened") } catch { case e: IOException => throw e }')], {"T": "IOException"}),
        Row("loop", "for ($I <- $X) { $$$B }", [(19, "for (item <- items) { println(item.key, max) }")], {"I": "item", "X": "items"}),
        Row("loop", "for ($I <- $X if $C) $S", [(20, "for (i <- 0 until max if i > 1) println( /* why */")], {"X": "0 until max", "C": "i > 1"}),
        Row("loop", "for { $$$E } yield $Y", [(22, "for { a <- items; b = a.x } yield b.name")], {"E": "a <- items; b = a.x", "Y": "b.name"}),
        Row("string", '"opened"', [(30, '"opened"')]),
        Row("string", r'"\$MAX"', [(30, '"$MAX"')]),
        Row("string", 's"a/$key/${$X}"', [(30, 's"a/$key/${max + 1}"')], {"X": "max + 1"}),
        Row("comment", 'println("opened")', []),
        Row("comment", "log($X)", [(45, "log(x)")], {"X": "x"}),
        Row("repeated", "$X = $X + $X", [(32, "max = max + max")], {"X": "max"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, c)", "val x = foo()\nval y = foo(a, b)\n", "val x = bar(c)\nval y = bar(a, b, c)\n"),
        Rewrite("double($X)", "$X * 2", "val x = double(a + b)\nval y = double(a max b)\n", "val x = (a + b) * 2\nval y = (a max b) * 2\n"),
        Rewrite("$A == null", "Option($A).isEmpty", "val x = ok && a == null || b == null\nval y = c == null && d\n", "val x = ok && a == null || b == null\nval y = Option(c).isEmpty && d\n"),
        Rewrite("foo($X)", "$X + 1", "val x = a * foo(b)\n", "val x = a * (b + 1)\n"),
        Rewrite(
            "synchronized { $$$B }",
            "lock.locked {\n  $$$B\n}",
            "def f() = {\n  synchronized {\n    first()\n    if (x) {\n      second()\n    }\n  }\n}\n",
            "def f() = {\n  lock.locked {\n    first()\n    if (x) {\n      second()\n    }\n  }\n}\n",
        ),
        Rewrite("println($$$)", "", "def f() = {\n  println(1)\n  go()\n}\n", "def f() = {\n  go()\n}\n"),
        Rewrite("if ($C) true else false", "$C", "val x = if (a && b) true else false\n", "val x = a && b\n"),
        Rewrite("$X.get()", "$X match {", "val x = y.get()\n", None),
    ],
)  # fmt: skip
