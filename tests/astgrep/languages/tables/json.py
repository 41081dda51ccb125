"""JSON. A pair stands for a call and a member, an object for a definition, an array for a loop."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    // "debug": true is said here, and is no setting
    {
      "name": "toolpost",
      "version": "1.2.0",
      "scripts": {
        "build": "tsc -p .",
        "text": "\"debug\": true"
      },
      "dependencies": {"react": "^18.2.0", "react-dom": "^18.2.0"},
      "debug"
        : /* why */ true,
      "paths": {"@/*": ["src/*"]},
      "servers": [
        {"host": "a.example", "port": 80, "tls": null},
        {"host": "b.example", /* old */ "port": 8080},
        {"host": "c.example", "alias": "c.example"}
      ],
      "matrix": [[1, 2], [2, 2], [], [1, 2, 3]],
      "$ID": {"$ref": "#/definitions/a"},
      "none": {}, "empty": ""
    }
    ''',
    rows=[
        Row("call", '"version": $V', [(4, '"version": "1.2.0"')], {"V": '"1.2.0"'}, "pair"),
        Row("call", '$K: "^18.2.0"', [(9, '"react": "^18.2.0"'), (9, '"react-dom": "^18.2.0"')], {"K": '"react"'}),
        Row("definition", '{"host": $H, "port": $P}', [(15, '{"host": "b.example", /* old */ "port": 8080}')], {"H": '"b.example"', "P": "8080"}),
        Row("definition", '{$$$A, "port": $P, $$$B}', [(14, '{"host": "a.example", "port": 80, "tls": null}'), (15, '{"host": "b.example", /* old */ "port": 8080}')], {"A": '"host": "a.example"', "P": "80", "B": '"tls": null'}),
        Row("member", '"scripts": {"build": "$B", $$$REST}', [(5, '"scripts": {')], {"B": "tsc -p .", "REST": r'"text": "\"debug\": true"'}),
        Row("member", '"host": $H, "port": $P', [(14, '"host": "a.example", "port": 80'), (15, '"host": "b.example", /* old */ "port": 8080')], {"H": '"a.example"'}),
        Row("member", '"host": $H, $$$REST', [(14, '"host": "a.example", "port": 80, "tls": null'), (15, '"host": "b.example", /* old */ "port": 8080'), (16, '"host": "c.example", "alias": "c.example"')], {"REST": '"port": 80, "tls": null'}),
        Row("condition", "$K: null", [(14, '"tls": null')], {"K": '"tls"'}),
        Row("condition", "$K: {}", [(20, '"none": {}')], {"K": '"none"'}),
        Row("loop", "[$A, $$$B, 2]", [(18, "[1, 2]"), (18, "[2, 2]")], {"A": "1", "B": ""}),
        Row("loop", "[1, $$$B]", [(18, "[1, 2]"), (18, "[1, 2, 3]")], {"B": "2"}),
        Row("loop", "2, 3", [(18, "2, 3")], {}, "element"),
        Row("string", '"c.example"', [(16, '"c.example"'), (16, '"c.example"')]),
        Row("string", '{"$K": ["$V"]}', [(12, '{"@/*": ["src/*"]}')], {"K": "@/*", "V": "src/*"}),
        Row("string", r'"\$ID": {"$ref": $_}', [(19, '"$ID": {"$ref": "#/definitions/a"}')]),
        Row("comment", '"debug": true', [(10, '"debug"')]),
        Row("comment", '"debug": $X,', [(10, '"debug"')], {"X": "true"}),
        Row("repeated", '{"host": $H, "alias": $H}', [(16, '{"host": "c.example", "alias": "c.example"}')], {"H": '"c.example"'}),
        Row("repeated", "[$X, $X]", [(18, "[2, 2]")], {"X": "2"}),
    ],
    rewrites=[
        Rewrite('"tags": [$$$T]', '"labels": [$$$T, "new"]', '{"a": {"tags": ["x", "y"]}, "b": {"tags": []}}\n', '{"a": {"labels": ["x", "y", "new"]}, "b": {"labels": ["new"]}}\n'),
        Rewrite('"port": $P', '"listen": {"port": $P}', '{"host": "a", "port": 80}\n', '{"host": "a", "listen": {"port": 80}}\n'),
        Rewrite('"old": {$$$B}', '"new": {\n  $$$B\n}', '{\n    "old": {\n        "a": 1,\n        // kept\n        "b": [\n            2\n        ]\n    }\n}\n', '{\n    "new": {\n        "a": 1,\n        // kept\n        "b": [\n            2\n        ]\n    }\n}\n'),
        Rewrite('"debug": $_', "", '{\n  "a": 1,\n  "debug": true,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "b": 2\n}\n'),
        Rewrite('"debug": $_', "", '{\n  "a": 1,\n  "debug": true\n}\n', '{\n  "a": 1\n}\n'),
        Rewrite('"a": $X', '"a": $X + 1', '{"a": 1}\n', None),
        Rewrite('"a": $X', "$X", '{"a": 1}\n', None),
    ],
)  # fmt: skip
