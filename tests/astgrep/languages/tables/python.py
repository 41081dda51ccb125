"""Python: layout is syntax, so many rewrites are about lines."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    """Says log.info("opened") only here."""
    import os, sys
    import json as j
    from collections import (
        OrderedDict,  # not log.info("opened")
        deque,
    )

    TIMEOUT: int = 3

    @dataclass(frozen=True)
    class Store(Base, metaclass=Meta):
        path: str
        items: dict[str, int] = field(default_factory=dict)

        @property
        def size(self) -> int:
            return len(self.items)

        @cached
        @property
        def first(self):
            return self.items[0] if self.items else None

        async def close(self, *, force=False):
            async with self.lock as held:
                await self.flush( # soon
                    force=force )
            if force == None: return
            if self.path is None:
                return None
            elif held:
                raise StoreError('closed', 'log.info("opened")') from None
            else:
                pass

    def load(path, *rest, **options):
        for index, line in enumerate(open(path)):
            total = total + total
            if not line:
                continue
        while True:
            log.info("opened", path)
        else:
            log . info (
                "opened",
            )
        try:
            data = j.loads(f"{path}: {rest!r}")
        except (OSError, ValueError) as error:
            log.error("opened")
        except KeyError:
            pass
        finally:
            rest[1:] = {"a": 1, "b": {**options}}
        names = [name for name in data if name]
        best = max(names, key=lambda name: len(name))
        with open(path) as f, lock:
            f.write(b"x" "y")
        match best:
            case "a" | "b":
                return 1, 2
            case Point(x=0) if rest:
                return
    ''',
    rows=[
        Row("call", "log.info($$$A)", [(43, 'log.info("opened", path)'), (45, "log . info (")], {"A": '"opened", path'}),
        Row("call", "log.$M($X)", [(45, "log . info ("), (51, 'log.error("opened")')], {"M": "info", "X": '"opened"'}),
        Row("call", "await $F(force=$X)", [(27, "await self.flush( # soon")], {"F": "self.flush", "X": "force"}),
        Row("call", "max($X, key=lambda $Y: $Z)", [(57, "max(names, key=lambda name: len(name))")], {"X": "names", "Y": "name", "Z": "len(name)"}),
        Row("call", "$F(open($P))", [(38, "enumerate(open(path))")], {"F": "enumerate", "P": "path"}),
        Row("call", "$X[1:]", [(55, "rest[1:]")], {"X": "rest"}),
        Row("definition", "def $F($$$A): $$$B", [(22, "def first(self):"), (37, "def load(path, *rest, **options):")], {"F": "first", "A": "self"}),
        Row("definition", "def $F(self) -> $R: $$$B", [(17, "def size(self) -> int:")], {"F": "size", "R": "int", "B": "return len(self.items)"}),
        Row("definition", "async def $F(self, *, $K=$V): $$$B", [(25, "async def close(self, *, force=False):")], {"F": "close", "K": "force", "V": "False"}),
        Row("definition", "def $_($_, *$A, **$K): $$$", [(37, "def load(path, *rest, **options):")], {"A": "rest", "K": "options"}),
        Row("definition", "@property\ndef $F(self) -> $R: $$$B", [(16, "@property")], {"F": "size"}),
        Row("definition", "class $C($$$P): $$$B", [(12, "class Store(Base, metaclass=Meta):")], {"C": "Store", "P": "Base, metaclass=Meta"}),
        Row("definition", "class $C($P): $$$B", []),
        Row("definition", "@$D\nclass $C($P, metaclass=$M): $$$B", [(11, "@dataclass(frozen=True)")], {"D": "dataclass(frozen=True)", "P": "Base"}),
        Row("definition", "import $M", [(3, "import json as j")], {"M": "json as j"}),
        Row("definition", "import $$$M", [(2, "import os, sys"), (3, "import json as j")], {"M": "os, sys"}),
        Row("definition", "from $M import ($$$N)", [(4, "from collections import (")], {"M": "collections"}),
        Row("member", "$N: $T", [(13, "path: str")], {"N": "path", "T": "str"}),
        Row("member", "$N: $T = $V", [(9, "TIMEOUT: int = 3"), (14, "items: dict[str, int] = field(default_factory=dict)")], {"N": "TIMEOUT", "V": "3"}),
        Row("member", "self.$N", [(18, "self.items"), (23, "self.items"), (23, "self.items"), (26, "self.lock"), (27, "self.flush"), (30, "self.path")], {"N": "items"}),
        Row("member", "@dataclass($$$A)", [(11, "@dataclass(frozen=True)")], {"A": "frozen=True"}),
        Row("condition", "if $X is None: $$$B", []),
        Row("condition", "if $X is None:\n    $$$A\nelif $Y:\n    $$$B\nelse:\n    $$$C", [(30, "if self.path is None:")], {"X": "self.path", "A": "return None", "Y": "held", "C": "pass"}),
        Row("condition", "if $C: $$$B", [(29, "if force == None: return"), (40, "if not line:")], {"C": "force == None", "B": "return"}),
        Row("condition", "$X == None", [(29, "force == None")], {"X": "force"}),
        Row("condition", "$X if $C else $Y", [(23, "self.items[0] if self.items else None")], {"X": "self.items[0]", "C": "self.items", "Y": "None"}),
        Row("condition", "except ($$$E) as $N: $$$B", [(50, "except (OSError, ValueError) as error:")], {"E": "OSError, ValueError", "N": "error"}),
        Row("condition", "except $E: pass", [(52, "except KeyError:")], {"E": "KeyError"}),
        Row("condition", "case $P: $$$B", [(61, 'case "a" | "b":')], {"P": '"a" | "b"', "B": "return 1, 2"}),
        Row("condition", "case $T($K=$V) if $G: $$$B", [(63, "case Point(x=0) if rest:")], {"T": "Point", "K": "x", "V": "0", "G": "rest"}),
        Row("condition", "raise $E($$$A) from $C", [(33, "raise StoreError('closed', 'log.info(\"opened\")') from None")], {"E": "StoreError", "C": "None"}),
        Row("loop", "for $I, $X in enumerate($Y): $$$B", [(38, "for index, line in enumerate(open(path)):")], {"I": "index", "X": "line", "Y": "open(path)"}),
        Row("loop", "while $C: $$$A", []),
        Row("loop", "while $C:\n    $$$A\nelse:\n    $$$B", [(42, "while True:")], {"C": "True", "A": 'log.info("opened", path)'}),
        Row("loop", "[$X for $Y in $Z if $C]", [(56, "[name for name in data if name]")], {"Y": "name", "Z": "data"}),
        Row("loop", "with open($P) as $F, $X: $$$B", [(58, "with open(path) as f, lock:")], {"P": "path", "F": "f", "X": "lock"}),
        Row("string", '"opened"', [(43, '"opened"'), (46, '"opened"'), (51, '"opened"')]),
        Row("string", 'f"{$X}: {$Y!r}"', [(49, 'f"{path}: {rest!r}"')], {"X": "path", "Y": "rest"}),
        Row("string", "'$S'", [(33, "'closed'"), (33, "'log.info(\"opened\")'")], {"S": "closed"}),
        Row("string", '"a": $V', [(55, '"a": 1')], {"V": "1"}, "pair"),
        Row("string", "{$$$A}", [(55, '{"a": 1, "b": {**options}}'), (55, "{**options}")], {"A": '"a": 1, "b": {**options}'}),
        Row("comment", 'log.info("opened")', [(45, "log . info (")]),
        Row("repeated", "$X = $X + $X", [(39, "total = total + total")], {"X": "total"}),
        Row("repeated", "$X[0] if $X else None", [(23, "self.items[0] if self.items else None")], {"X": "self.items"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, strict=True)", "foo()\nfoo(a, *b,)\nfoo(\n    a,\n    b=1,\n)\n", "bar(strict=True)\nbar(a, *b, strict=True)\nbar(a,\n    b=1, strict=True)\n"),
        Rewrite("double($X)", "$X * 2", "x = double(a + b)\ny = double(a.b)\nz = double(a if b else c)\n", "x = (a + b) * 2\ny = a.b * 2\nz = (a if b else c) * 2\n"),
        Rewrite("if $C: $$$B", "while $C:\n    $$$B", "def f():\n        if a:\n                b(\n                    1)\n                # why\n                c()\n", "def f():\n        while a:\n            b(\n                1)\n            # why\n            c()\n"),
        Rewrite("with $X as $Y:\n    $$$B", "$Y = $X\n$$$B", "def f():\n    with open(a) as b:\n        c = '''\n  text\n'''\n        d()\n    e()\n", "def f():\n    b = open(a)\n    c = '''\n  text\n'''\n    d()\n    e()\n"),
        Rewrite("print($$$)", "", "def f():\n    print(1)  # why\n    print(2); return 1\n", "def f():\n    # why\n    return 1\n"),
        Rewrite("print($$$)", "", "def f():\n    print(1)\n    g()\n    print(2)\n", "def f():\n    g()\n"),
        Rewrite("print($$$)", "", "def f():\n    print(1)\n", None),
        Rewrite("old=$V", "new=$V", "f(a, old=1, b=2)\nold = 3\n", "f(a, new=1, b=2)\nold = 3\n", "argument"),
        Rewrite("$X == None", "$X is None", "if not a.b == None and c == None: pass\n", "if not a.b is None and c is None: pass\n"),
        Rewrite("f($X)", "g($X", "f(1)\n", None),
    ],
)  # fmt: skip
