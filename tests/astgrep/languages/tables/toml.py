"""TOML. A pair stands for a call and a member, a table for a definition, an array of tables for a loop."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    # name = "toolpost" is said here
    title = "demo"

    [project]
    name = "toolpost"
    version   =   "1.2.0"  # why
    dependencies = [
      "attrs>=23",  # "anyio", is said here
      "anyio",
    ]
    urls = { home = "https://a", docs = 'b' }
    text = """
    name = "toolpost"
    """

    [project.scripts]
    run = "a:b"
    "quoted.key" = [1, 2]
    a.b.c = true

    [[tool.mypy.overrides]]
    module = "x"
    strict = true

    [[tool.mypy.overrides]]
    module = "y"
    pair = ["a:b", "a:b"]
    none = []
    ''',
    rows=[
        Row("call", "version = $V", [(6, 'version   =   "1.2.0"')], {"V": '"1.2.0"'}, "pair"),
        Row("call", "$K = true", [(19, "a.b.c = true"), (23, "strict = true")], {"K": "a.b.c"}),
        Row("definition", "[project]\n$$$A\nversion = $V\n$$$B", [(4, "[project]")], {"A": 'name = "toolpost"', "V": '"1.2.0"'}),
        Row("definition", "[$T.scripts]\n$$$B", [(16, "[project.scripts]")], {"T": "project"}, "table"),
        Row("definition", "[project]\nname = $N", []),
        Row("member", "a.$K.c = $V", [(19, "a.b.c = true")], {"K": "b", "V": "true"}),
        Row("member", "urls = {home = $H, $$$}", [(11, "urls = { home = \"https://a\", docs = 'b' }")], {"H": '"https://a"'}),
        Row("member", "home = $H, $$$REST", [(11, "home = \"https://a\", docs = 'b'")], {"REST": "docs = 'b'"}),
        Row("member", "[project]", [(4, "[project]")], {}, "header"),
        Row("condition", "module = $M\nstrict = true", [(22, 'module = "x"')], {"M": '"x"'}),
        Row("condition", "$K = []", [(28, "none = []")], {"K": "none"}),
        Row("loop", "[[tool.mypy.overrides]]\nmodule = $M\n$$$", [(21, "[[tool.mypy.overrides]]"), (25, "[[tool.mypy.overrides]]")], {"M": '"x"'}),
        Row("loop", "[$$$A, 2]", [(18, "[1, 2]")], {"A": "1"}, "expression"),
        Row("string", '"a:b"', [(17, '"a:b"'), (27, '"a:b"'), (27, '"a:b"')]),
        Row("string", '"quoted.key" = [$$$A]', [(18, '"quoted.key" = [1, 2]')], {"A": "1, 2"}),
        Row("comment", 'name = "toolpost"', [(5, 'name = "toolpost"')]),
        Row("comment", 'dependencies = [$A, "anyio"]', [(7, "dependencies = [")], {"A": '"attrs>=23"'}),
        Row("repeated", "$K = [$X, $X]", [(27, 'pair = ["a:b", "a:b"]')], {"K": "pair", "X": '"a:b"'}),
    ],
    rewrites=[
        Rewrite("tags = [$$$T]", 'labels = [$$$T, "new"]', '[a]\ntags = ["x", "y",]\n[b]\ntags = []\n', '[a]\nlabels = ["x", "y", "new"]\n[b]\nlabels = ["new"]\n'),
        Rewrite("[old]\n$$$B", "[new]\n$$$B", "a = 1\n\n[old]\nb = 1 # kept\n\n# about c\nc = [\n    2,\n]\n\n[next]\nd = 1\n", "a = 1\n\n[new]\nb = 1 # kept\n\n# about c\nc = [\n    2,\n]\n\n[next]\nd = 1\n"),
        Rewrite("version = $V", 'version = $V\nlicense = "MIT"', '[project]\nversion = "1"\nname = "a"\n', '[project]\nversion = "1"\nlicense = "MIT"\nname = "a"\n'),
        Rewrite("[old]\n$$$", "", "[old]\nb = 1 # b\n\n# about c\n[c]\nd = 1\n", "# b\n\n# about c\n[c]\nd = 1\n"),
        Rewrite("debug = $_", "", "a = 1\ndebug = true\nb = 2\n", "a = 1\nb = 2\n"),
        Rewrite("home = $_", "", 'urls = { docs = "a", home = "b" }\n', 'urls = { docs = "a" }\n'),
        Rewrite('"anyio"', "", 'a = [\n  "attrs",\n  "anyio",\n]\n', 'a = [\n  "attrs",\n]\n'),
        Rewrite("a = $X", "a = $X b", "a = 1\n", None),
        Rewrite("a = $X", "$X", "a = 1\n", None),
    ],
)  # fmt: skip
