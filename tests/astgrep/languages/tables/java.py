"""Java."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    package app.store;

    import java.util.List;
    import static app.Util.*;

    /** Calls log.info("opened") when it is opened. */
    @Entity(name = "store")
    public class Store<T extends Item> extends Base implements Closeable, Named {
        private static final Logger LOG = LoggerFactory.getLogger(Store.class);
        @Autowired
        private Map<String, List<T>> items;
        private int size = 0, limit;

        public Store(String name, int... limits) {
            super(name);
            this.name = name;
            this.other = name;
        }

        @Override
        public void close() throws IOException {
            if (items != null) {
                items.clear();
            }
            log.info("opened"); // log.info("closed")
            log . info(
                "closed", /* why */ size
            );
        }

        @Test
        @Deprecated(since = "2", forRemoval = true)
        protected <R> List<R> map(Function<T, R> each, final Object key) {
            List<R> found = new ArrayList<>();
            for (T item : all()) {
                if (key == null) continue;
                found.add(each.apply(item));
            }
            for (int i = 0; i < limit; i++) total = total + total;
            while (queue.hasNext()) { queue.next().run(); }
            try (Reader in = open("log.info(\"opened\")"); Writer out = other()) {
                return all().stream().map(x -> x.name()).filter(Objects::nonNull).toList();
            } catch (IOException | Error e) {
                throw new IllegalStateException("opened", e);
            } finally {
                done((String) key);
            }
        }

        static int kind(Shape shape) {
            int[] sizes = new int[] {1, 2};
            switch (sizes[0]) {
                case 1: return 2;
                default: break;
            }
            if (shape instanceof Circle circle) return circle.r();
            else if (shape == null) { return shape.size() > 1 ? 1 : 0; }
            Runnable run = () -> { LOG.info("x"); };
            return switch (shape) { case Square s -> 1; case null, default -> 0; };
        }
    }

    enum Level { LOW(1), HIGH(2); final int n; Level(int n) { this.n = n; } }
    record Point(int x, int y) {}
    interface Named { String name(); default int size() { return 0; } }
    ''',
    rows=[
        Row("call", "log.info($$$A)", [(25, 'log.info("opened")'), (26, "log . info(")], {"A": '"opened"'}),
        Row("call", "log.info($X)", [(25, 'log.info("opened")')], {"X": '"opened"'}),
        Row("call", "$X.add($F.apply($Y))", [(37, "found.add(each.apply(item))")], {"X": "found", "F": "each", "Y": "item"}),
        Row("call", "super($$$A);", [(15, "super(name)")], {"A": "name"}),
        Row("call", "new $E($M, $C)", [(44, 'new IllegalStateException("opened", e)')], {"E": "IllegalStateException", "C": "e"}),
        Row("call", "new $T<>()", [(34, "new ArrayList<>()")], {"T": "ArrayList"}),
        Row("call", "$X.map($P -> $B).filter($F)", [(42, "all().stream().map(x -> x.name()).filter(Objects::nonNull)")], {"X": "all().stream()", "P": "x", "B": "x.name()", "F": "Objects::nonNull"}),
        Row("call", "$T::nonNull", [(42, "Objects::nonNull")], {"T": "Objects"}),
        Row("call", "() -> { $$$B }", [(58, '() -> { LOG.info("x"); }')], {"B": 'LOG.info("x");'}),
        Row("call", "($T) $X", [(46, "(String) key")], {"T": "String", "X": "key"}),
        Row("definition", "$T $F($$$A) { $$$B }", []),
        Row("definition", "static $T $F($$$A) { $$$B }", [(50, "static int kind(Shape shape) {")], {"T": "int", "F": "kind", "A": "Shape shape"}),
        Row("definition", "@Override\npublic void $F() throws $E { $$$B }", [(20, "@Override")], {"F": "close", "E": "IOException"}),
        Row("definition", "@Test\n@$D($$$V)\nprotected <$G> $T $F($$$A) { $$$B }", [(31, "@Test")], {"D": "Deprecated", "T": "List<R>", "A": "Function<T, R> each, final Object key"}),
        Row("definition", "public $C($$$A) { super($X); $$$B }", [(14, "public Store(String name, int... limits) {")], {"C": "Store", "A": "String name, int... limits", "X": "name"}),
        Row("definition", "@Entity($$$A)\npublic class $C<$G> extends $P implements $$$I { $$$B }", [(7, '@Entity(name = "store")')], {"C": "Store", "G": "T extends Item", "I": "Closeable, Named"}),
        Row("definition", "enum $E { $$$V; $$$B }", [(63, "enum Level { LOW(1), HIGH(2); final int n; Level(int n) { this.n = n; } }")], {"E": "Level", "V": "LOW(1), HIGH(2)"}),
        Row("definition", "record $R($$$F) {}", [(64, "record Point(int x, int y) {}")], {"R": "Point", "F": "int x, int y"}),
        Row("definition", "interface $I { $$$A default $T $F() { $$$B } }", [(65, "interface Named { String name(); default int size() { return 0; } }")], {"A": "String name();", "F": "size"}),
        Row("definition", "import $P;", [(3, "import java.util.List")], {"P": "java.util.List"}),
        Row("definition", "import static $P.*;", [(4, "import static app.Util.*")], {"P": "app.Util"}),
        Row("member", "private static final $T $N = $V;", [(9, "private static final Logger LOG = LoggerFactory.getLogger(Store.class)")], {"T": "Logger", "N": "LOG"}),
        Row("member", "@Autowired\nprivate $T $N;", [(10, "@Autowired")], {"T": "Map<String, List<T>>", "N": "items"}),
        Row("member", "private int $N = $V;", []),
        Row("member", "private int $N = $V, $M;", [(12, "private int size = 0, limit")], {"N": "size", "V": "0", "M": "limit"}),
        Row("member", "this.$X = $X", [(16, "this.name = name"), (63, "this.n = n")], {"X": "name"}),
        Row("member", "@Deprecated($$$A)", [(32, '@Deprecated(since = "2", forRemoval = true)')], {"A": 'since = "2", forRemoval = true'}),
        Row("member", "List<$T>", [(11, "List<T>"), (33, "List<R>"), (34, "List<R>")], {"T": "T"}),
        Row("member", "final $T $N", [(33, "final Object key")], {"T": "Object", "N": "key"}, "parameter"),
        Row("condition", "if ($X != null) { $X.clear(); }", [(22, "if (items != null) {")], {"X": "items"}),
        Row("condition", "if ($X == null) $S", [(36, "if (key == null) continue"), (57, "if (shape == null) { return shape.size() > 1 ? 1 : 0; }")], {"X": "key"}),
        Row("condition", "if ($X instanceof $T $N) return $R; else $S", [(56, "if (shape instanceof Circle circle) return circle.r();")], {"T": "Circle", "N": "circle"}),
        Row("condition", "$A > 1 ? $B : $C", [(57, "shape.size() > 1 ? 1 : 0")], {"A": "shape.size()"}),
        Row("condition", "case $X: return $Y;", [(53, "case 1: return 2")], {"X": "1", "Y": "2"}),
        Row("condition", "case $T $N -> $V;", [(59, "case Square s -> 1")], {"T": "Square", "N": "s"}),
        Row("condition", "catch ($E $N) { throw $X; }", [(43, "catch (IOException | Error e) {")], {"E": "IOException | Error", "N": "e"}),
        Row("condition", "try ($$$R) { $$$A } catch ($E $N) { $$$B } finally { $$$C }", [(41, r'try (Reader in = open("log.info(\"opened\")"); Writer out = other()) {')], {"C": "done((String) key);"}),
        Row("condition", "try ($$$R) { $$$A } catch ($E $N) { $$$B }", []),
        Row("loop", "for ($T $I : $X) { $$$B }", [(35, "for (T item : all()) {")], {"T": "T", "I": "item", "X": "all()"}),
        Row("loop", "for (int $I = 0; $I < $N; $I++) $S", [(39, "for (int i = 0; i < limit; i++) total = total + total")], {"I": "i", "N": "limit"}),
        Row("loop", "while ($X.hasNext()) { $$$B }", [(40, "while (queue.hasNext()) { queue.next().run(); }")], {"X": "queue", "B": "queue.next().run();"}),
        Row("loop", "new $T[] {$$$A}", [(51, "new int[] {1, 2}")], {"T": "int", "A": "1, 2"}),
        Row("string", '"opened"', [(25, '"opened"'), (44, '"opened"')]),
        Row("string", 'open("$S")', [(41, r'open("log.info(\"opened\")")')], {"S": r'log.info(\"opened\")'}),
        Row("string", '$X.info("$S")', [(25, 'log.info("opened")'), (58, 'LOG.info("x")')], {"X": "log", "S": "opened"}),
        Row("comment", 'log.info("closed", $$$A)', [(26, "log . info(")], {"A": "size"}),
        Row("repeated", "$X = $X + $X", [(39, "total = total + total")], {"X": "total"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, true)", "class A { void f() { foo(); foo(a, b); } }\n", "class A { void f() { bar(true); bar(a, b, true); } }\n"),
        Rewrite("twice($X)", "$X * 2", "class A { int x = twice(a + b) + twice((int) c) + twice(d ? 1 : 2); }\n", "class A { int x = (a + b) * 2 + (int) c * 2 + (d ? 1 : 2) * 2; }\n"),
        Rewrite("$X.equals($Y)", "Objects.equals($X, $Y)", "class A {\n    boolean x() {\n        return !a.b()\n            .equals(\"c\");\n    }\n}\n", "class A {\n    boolean x() {\n        return !Objects.equals(a.b(), \"c\");\n    }\n}\n"),
        Rewrite("new Thread(() -> { $$$B }).start();", "executor.submit(() -> {\n    $$$B\n});", "class A {\n  void f() {\n    new Thread(() -> {\n      // later\n      g(1,\n        2);\n      h();\n    }).start();\n  }\n}\n", "class A {\n  void f() {\n    executor.submit(() -> {\n      // later\n      g(1,\n        2);\n      h();\n    });\n  }\n}\n"),
        Rewrite("@Test\npublic void $F() { $$$B }", "@Test\nvoid $F() { $$$B }", "class A {\n    @Test\n    public void f() {\n        g();\n    }\n}\n", "class A {\n    @Test\n    void f() {\n        g();\n    }\n}\n"),
        Rewrite("System.out.println($$$);", "", "class A {\n  void f() {\n    System.out.println(1);\n    g();\n  }\n}\n", "class A {\n  void f() {\n    g();\n  }\n}\n"),
        Rewrite("import $P;", "", "import a.B;\nimport c.D;\n\nclass A {}\n", "\nclass A {}\n"),
        Rewrite("private $T $N;", "private final $T $N;", "class A {\n    private int a;\n    private int b = 1;\n}\n", "class A {\n    private final int a;\n    private int b = 1;\n}\n"),
        Rewrite("g($X)", "g($X", "class A { int x = g(1); }\n", None),
    ],
)  # fmt: skip
