"""CSS. A rule stands for a definition, a declaration for a member, a query for a condition, keyframes for a loop."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    @import url("base.css") screen;
    :root { --main: #336699; --gap: 4px }
    /* .btn { color: red; } and var(--gap, 4px) are said here */
    .btn { color: red; }
    .btn, a.btn:hover > span.x { color: red; margin: 0 auto 1px -2em; }
    #top::before { content: "color: red;"; width: calc(100% - 2 * var(--gap, 4px)); }
    @media (max-width: 600px) and screen {
      .btn {
        color: blue;
        background: url(x.png) no-repeat;
      }
    }
    @media print { .btn { display: none } }
    ul li + li, input[type=text]:not(.y):nth-child(2n+1) { border: 1px solid red !important; }
    @keyframes spin {
      from { transform: rotate(0deg); }
      50% { opacity: .5 }
      to { transform: rotate(360deg); }
    }
    @font-face { font-family: "X"; src: url("x.woff"); }
    .a { color: /* why */ red; .b { color: RED } }
    .c { background-color: #fff; color: #fff }
    .d { padding: 2px 2px; margin: 0 2px; color: rgba(0, 0, 0, .5) }
    """,
    rows=[
        Row("call", "var(--gap, $D)", [(6, "var(--gap, 4px)")], {"D": "4px"}, "expression"),
        Row("call", "rgba($R, $$$A)", [(23, "rgba(0, 0, 0, .5)")], {"R": "0", "A": "0, 0, .5"}),
        Row("call", "url($X)", [(1, 'url("base.css")'), (10, "url(x.png)"), (20, 'url("x.woff")')], {"X": '"base.css"'}),
        Row("definition", ".btn { $$$B }", [(4, ".btn { color: red; }"), (8, ".btn {"), (13, ".btn { display: none }")], {"B": "color: red;"}),
        Row("definition", ".btn { $$$A color: $C; $$$B }", [(4, ".btn { color: red; }"), (8, ".btn {")], {"A": "", "C": "red", "B": ""}, "statement"),
        Row("definition", "$S { color: red; }", [(4, ".btn { color: red; }")], {"S": ".btn"}),
        Row("definition", "@font-face { font-family: $F; $$$ }", [(20, '@font-face { font-family: "X"; src: url("x.woff"); }')], {"F": '"X"'}),
        Row("member", "color: $X", [(4, "color: red"), (5, "color: red"), (9, "color: blue"), (21, "color: /* why */ red"), (21, "color: RED"), (22, "color: #fff"), (23, "color: rgba(0, 0, 0, .5)")], {"X": "red"}),
        Row("member", "margin: $A $$$B", [(5, "margin: 0 auto 1px -2em"), (23, "margin: 0 2px")], {"A": "0", "B": "auto 1px -2em"}),
        Row("member", "$P: $$$V !important", [(14, "border: 1px solid red !important")], {"P": "border", "V": "1px solid red"}),
        Row("member", "--main: $V;", [(2, "--main: #336699")], {"V": "#336699"}),
        Row("condition", "@media $Q { $$$ }", [(7, "@media (max-width: 600px) and screen {"), (13, "@media print { .btn { display: none } }")], {"Q": "(max-width: 600px) and screen"}),
        Row("condition", "(max-width: $W)", [(7, "(max-width: 600px)")], {"W": "600px"}, "query"),
        Row("condition", "$X:hover", [(5, "a.btn:hover")], {"X": "a.btn"}, "selector"),
        Row("condition", "input[type=$T]", [(14, "input[type=text]")], {"T": "text"}),
        Row("condition", "$A > $B", [(5, "a.btn:hover > span.x")], {"A": "a.btn:hover", "B": "span.x"}),
        Row("loop", "@keyframes $N { $$$A to { $$$B } }", [(15, "@keyframes spin {")], {"N": "spin", "B": "transform: rotate(360deg);"}),
        Row("loop", "from { $$$B }", [(16, "from { transform: rotate(0deg); }")], {"B": "transform: rotate(0deg);"}, "keyframe"),
        Row("string", '"x.woff"', [(20, '"x.woff"')]),
        Row("string", '$P: "$X"', [(6, 'content: "color: red;"'), (20, 'font-family: "X"')], {"P": "content", "X": "color: red;"}),
        Row("comment", "color: red", [(4, "color: red"), (5, "color: red"), (21, "color: /* why */ red")]),
        Row("comment", ".btn { color: red; }", [(4, ".btn { color: red; }")]),
        Row("repeated", "padding: $X $X", [(23, "padding: 2px 2px")], {"X": "2px"}),
        Row("repeated", "$A: $C; $B: $C", [(22, "background-color: #fff; color: #fff")], {"A": "background-color", "B": "color", "C": "#fff"}),
    ],
    rewrites=[
        Rewrite("rgb($$$A)", "rgba($$$A, 1)", ".a { color: rgb(1, 2, 3); }\n", ".a { color: rgba(1, 2, 3, 1); }\n"),
        Rewrite("f($$$A)", "g($$$A, 1)", ".a { b: f(); c: f(2) }\n", ".a { b: g(1); c: g(2, 1) }\n"),
        Rewrite("double($X)", "$X * 2", ".a { width: calc(double(1px + 2em)); }\n", ".a { width: calc((1px + 2em) * 2); }\n"),
        Rewrite(".old { $$$B }", ".new {\n  $$$B\n}", "@media print {\n    .old {\n        color: red; /* kept */\n        margin: 0;\n    }\n}\n", "@media print {\n    .new {\n        color: red; /* kept */\n        margin: 0;\n    }\n}\n"),
        Rewrite("float: $_;", "", ".a {\n  color: red;\n  float: left;\n  margin: 0;\n}\n", ".a {\n  color: red;\n  margin: 0;\n}\n"),
        Rewrite("color: $C", "background: $C", ".a { color: red; margin: 0 }\n.b { color: blue }\n", ".a { background: red; margin: 0 }\n.b { background: blue }\n"),
        Rewrite("color: $C", "color: $C; }", ".a { color: red; }\n", None),
    ],
)  # fmt: skip
