"""C#."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    using System;

    namespace Store
    {
        // Opened by Console.WriteLine("opened"), later.
        [Obsolete("use Cache")]
        public class Shelf : IDisposable
        {
            private readonly string path = "";
            public int Count { get; private set; }

            public Shelf(string path) : base(path) { this.path = path; }

            public async Task<string> Load(string key, int max)
            {
                if (key == null) throw new ArgumentNullException(nameof(key));
                if (max > 3) { return null; } else { max = 3; }
                if (max > 2) { return null; }
                foreach (var item in items) { Console.WriteLine(item.Key, max); }
                for (int i = 0; i < max; i++)
                {
                    Console.WriteLine( /* why */
                        i);
                }
                Log("opened", $"Log({key})", price: "$A");
                try { Open(Path.Join(root, key)); } catch (IOException e) { throw; }
                switch (max) { case 1: Close(); break; default: break; }
                var name = max switch { 1 => "one", _ => "Log(1)" };
                items.Select(x => x.Name).ToList();
                max = max + max;
                max = max + Count;
                int Twice(int x) => x * 2;
                return await Fetch(key).ConfigureAwait(false);
            }

            [Fact]
            public void Dispose() { handle?.Dispose(); }
        }

        interface INamed { string Name { get; } }
    }
    ''',
    rows=[
        Row("call", "Console.WriteLine($$$A)", [(19, "Console.WriteLine(item.Key, max)"), (22, "Console.WriteLine( /* why */")], {"A": "item.Key, max"}),
        Row("call", "$O.Select($F).ToList()", [(29, "items.Select(x => x.Name).ToList()")], {"O": "items", "F": "x => x.Name"}),
        Row("call", "Open($F($_, $X))", [(26, "Open(Path.Join(root, key))")], {"F": "Path.Join", "X": "key"}),
        Row("call", "$X?.Dispose()", [(37, "handle?.Dispose()")], {"X": "handle"}),
        Row("call", "price: $X", [(25, 'price: "$A"')], {"X": '"$A"'}),
        Row("definition", "public async Task<$T> $F($$$A) { $$$ }", [(14, "public async Task<string> Load(string key, int max)")], {"T": "string", "F": "Load", "A": "string key, int max"}),
        Row("definition", "public class $C : $B { $$$M }", []),
        Row("definition", "[Obsolete($$$)] public class $C : $B { $$$ }", [(6, '[Obsolete("use Cache")]')], {"C": "Shelf", "B": "IDisposable"}),
        Row("definition", "[Fact] public void $F() { $$$B }", [(36, "[Fact]")], {"F": "Dispose", "B": "handle?.Dispose();"}),
        Row("definition", "int $F($$$A) => $E;", [(32, "int Twice(int x) => x * 2")], {"F": "Twice", "E": "x * 2"}, "local"),
        Row("member", "private readonly $T $N = $V;", [(9, 'private readonly string path = ""')], {"T": "string", "N": "path", "V": '""'}),
        Row("member", "public int $P { get; private set; }", [(10, "public int Count { get; private set; }")], {"P": "Count"}),
        Row("member", "public $C($$$A) : base($$$B) { $$$S }", [(12, "public Shelf(string path) : base(path) { this.path = path; }")], {"B": "path", "S": "this.path = path;"}),
        Row("member", "[Obsolete($X)]", [(6, '[Obsolete("use Cache")]')], {"X": '"use Cache"'}),
        Row("condition", "if ($C) { $$$B }", [(18, "if (max > 2) { return null; }")], {"C": "max > 2"}),
        Row("condition", "if ($X == null) throw new $E($$$A);", [(16, "if (key == null) throw new ArgumentNullException(nameof(key))")], {"X": "key", "A": "nameof(key)"}),
        Row("condition", "case $X: $$$B", [(27, "case 1: Close(); break")], {"X": "1", "B": "Close(); break;"}),
        Row("condition", "$X switch { $$$A }", [(28, 'max switch { 1 => "one", _ => "Log(1)" }')], {"A": '1 => "one", _ => "Log(1)"'}),
        Row("condition", "catch (IOException $V) { $$$B }", [(26, "catch (IOException e) { throw; }")], {"V": "e", "B": "throw;"}),
        Row("loop", "foreach (var $I in $X) { $$$B }", [(19, "foreach (var item in items) { Console.WriteLine(item.Key, max); }")], {"I": "item", "X": "items"}),
        Row("loop", "for (int $I = 0; $C; $S) { $$$ }", [(20, "for (int i = 0; i < max; i++)")], {"C": "i < max", "S": "i++"}),
        Row("string", '"opened"', [(25, '"opened"')]),
        Row("string", 'Log("$S", $$$)', [(25, 'Log("opened", $"Log({key})", price: "$A")')], {"S": "opened"}),
        Row("string", '$"Log({$X})"', [(25, '$"Log({key})"')], {"X": "key"}),
        Row("string", r'"\$A"', [(25, '"$A"')]),
        Row("comment", "Log($X)", []),
        Row("comment", 'Console.WriteLine("opened")', []),
        Row("repeated", "$X = $X + $X", [(30, "max = max + max")], {"X": "max"}),
        Row("repeated", "this.$X = $X", [(12, "this.path = path")], {"X": "path"}),
    ],
    rewrites=[
        Rewrite("Foo($$$A)", "Bar($$$A, c)", "class A { void F() { Foo(); Foo(a, b); } }\n", "class A { void F() { Bar(c); Bar(a, b, c); } }\n"),
        Rewrite("Double($X)", "$X * 2", "class A { int x = Double(a + b); }\n", "class A { int x = (a + b) * 2; }\n"),
        Rewrite(
            "lock ($X) { $$$B }",
            "using ($X.Hold())\n{\n    $$$B\n}",
            "class A\n{\n    void F()\n    {\n        lock (gate) {\n            First();\n            if (x) {\n                Second();\n            }\n        }\n    }\n}\n",
            "class A\n{\n    void F()\n    {\n        using (gate.Hold())\n        {\n            First();\n            if (x) {\n                Second();\n            }\n        }\n    }\n}\n",
        ),
        Rewrite("Log($$$)", "", "class A\n{\n    void F()\n    {\n        Log(1);\n        Go();\n    }\n}\n", "class A\n{\n    void F()\n    {\n        Go();\n    }\n}\n"),
        Rewrite("[Obsolete($$$)]", "", "class A\n{\n    [Obsolete(\"x\")]\n    void F() { }\n}\n", "class A\n{\n    void F() { }\n}\n"),
        Rewrite("if ($X == null) throw new ArgumentNullException($$$);", "ArgumentNullException.ThrowIfNull($X);", "class A { void F(T k) { if (k == null) throw new ArgumentNullException(nameof(k)); } }\n", "class A { void F(T k) { ArgumentNullException.ThrowIfNull(k); } }\n"),
        Rewrite("$X.Get()", "$X +", "class A { int x = y.Get(); }\n", None),
    ],
)  # fmt: skip
