"""HTML. An element stands for a call and a definition, an attribute for a member, a list for a loop."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    <!DOCTYPE html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <title>A page</title>
      <link rel="stylesheet" href='a.css'/>
      <script src="a.js" defer></script>
      <script>if (a < b) { f("<b>bold</b>"); }</script>
    </head>
    <body class="main">
      <!-- <button class="btn">Save</button> is said here -->
      <button type="submit" class="btn" disabled>Save</button>
      <BUTTON
        class="btn"
      >
        Save <!-- why -->
      </BUTTON>
      <ul>
        <li>One</li>
        <li>Two <b>bold</b></li>
      </ul>
      <p>a &amp; b
      <p>second
      <input value=x type="submit">
      <img src="x.png" alt="x.png"><img src="y.png" alt="">
    </body>
    </html>
    """,
    rows=[
        Row("call", '<button class="btn">Save</button>', [(13, "<BUTTON")]),
        Row("call", "<button $$$A>Save</button>", [(12, '<button type="submit" class="btn" disabled>Save</button>'), (13, "<BUTTON")], {"A": 'type="submit" class="btn" disabled'}),
        Row("definition", "<$T>$X</$T>", [(5, "<title>A page</title>"), (19, "<li>One</li>"), (20, "<b>bold</b>")], {"T": "title", "X": "A page"}, "element"),
        Row("definition", '<$T class="main">$$$B</$T>', [(10, '<body class="main">')], {"T": "body"}),
        Row("definition", '<button $$$A class="$C" $$$B>', [(12, '<button type="submit" class="btn" disabled>'), (13, "<BUTTON")], {"A": 'type="submit"', "C": "btn", "B": "disabled"}),
        Row("definition", '<script src="$S" $$$></script>', [(7, '<script src="a.js" defer></script>')], {"S": "a.js"}),
        Row("member", 'class="$C"', [(10, 'class="main"'), (12, 'class="btn"'), (14, 'class="btn"')], {"C": "main"}),
        Row("member", '$A="submit"', [(12, 'type="submit"'), (24, 'type="submit"')], {"A": "type"}, "attribute"),
        Row("member", "disabled", [(12, "disabled")], {}, "name"),
        Row("member", "<link $$$A href='$H'/>", [(6, "<link rel=\"stylesheet\" href='a.css'/>")], {"A": 'rel="stylesheet"', "H": "a.css"}),
        Row("condition", "<input value=$V $$$>", [(24, '<input value=x type="submit">')], {"V": "x"}),
        Row("condition", "<p>$$$B", [(22, "<p>a &amp; b"), (23, "<p>second")], {"B": "a &amp; b"}),
        Row("loop", "<ul>$$$A<li>Two $$$B</li></ul>", [(18, "<ul>")], {"A": "<li>One</li>", "B": "<b>bold</b>"}),
        Row("loop", "<li>One</li>\n<li>$$$B</li>", [(19, "<li>One</li>")], {"B": "Two <b>bold</b>"}),
        Row("loop", "<li>One</li> $$$R", [(19, "<li>One</li>")], {"R": "<li>Two <b>bold</b></li>"}),
        Row("string", "Save", [(12, "Save"), (16, "Save")]),
        Row("string", '<img src="y.png" alt="">', [(25, '<img src="y.png" alt="">')]),
        Row("comment", '<button class="btn">$X</button>', [(13, "<BUTTON")], {"X": "Save"}),
        Row("comment", "<b>$X</b>", [(20, "<b>bold</b>")], {"X": "bold"}),
        Row("repeated", '<img src="$S" alt="$S">', [(25, '<img src="x.png" alt="x.png">')], {"S": "x.png"}),
    ],
    rewrites=[
        Rewrite("<b $$$A>$$$B</b>", "<strong $$$A>$$$B</strong>", '<p><b>x</b> and <b class="y">z <i>w</i></b></p>\n', '<p><strong>x</strong> and <strong class="y">z <i>w</i></strong></p>\n'),
        Rewrite('<a href="$H">$$$B</a>', '<a href="$H" rel="nofollow">$$$B</a>', '<p>\n  <a href="x">\n    one\n    <b>two</b>\n  </a>\n</p>\n', '<p>\n  <a href="x" rel="nofollow">\n    one\n    <b>two</b>\n  </a>\n</p>\n'),
        Rewrite("<center>$$$B</center>", '<div class="center">\n  $$$B\n</div>', "<body>\n    <center>\n        <p>one</p>\n        <!-- kept -->\n        <p>two</p>\n    </center>\n</body>\n", '<body>\n    <div class="center">\n        <p>one</p>\n        <!-- kept -->\n        <p>two</p>\n    </div>\n</body>\n'),
        Rewrite('class="old"', 'class="new"', '<p class="old" id="a">x</p>\n', '<p class="new" id="a">x</p>\n'),
        Rewrite("<hr>", "", "<body>\n  <p>a</p>\n  <hr>\n  <p>b</p>\n</body>\n", "<body>\n  <p>a</p>\n  <p>b</p>\n</body>\n"),
        Rewrite('align="$_"', "", '<p align="left" id="a">x</p>\n', '<p id="a">x</p>\n'),
        Rewrite("<b>$X</b>", "<i>$X</b>", "<p><b>x</b></p>\n", None),
    ],
)  # fmt: skip
