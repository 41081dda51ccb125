"""JavaScript, with JSX."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    'use strict';
    import React, { useState, useEffect as effect } from 'react';
    import './style.css';
    const fs = require("fs"), path = require("path");
    const { join } = require("path"); // log("saved") later

    /* console.log("saved", name) is said here only. */
    export default class Editor extends React.Component {
      static limit = 10;
      #text = '';

      constructor(props, ...rest) {
        super(props);
        this.props = props;
        this.name = props.name ?? "console.log(1)";
      }

      async save($el, name = this.name) {
        if (name === undefined) return;
        if (!name) { throw new Error(`no ${name} here`); }
        try {
          await fs . promises
            ?.writeFile(name, this.#text);
        } catch (error) {
          console.log("saved", /* what */ name,);
        }
        for (const [key, value] of Object.entries(this.items)) {
          total = total + total;
        }
        for (let i = 0, n = 3; i < n; i++) { $(i).hide(); }
        switch (name) {
          case 'a': case 'b':
            break;
          case 'c': return total;
          default: console.log('saved');
        }
      }

      get size() { return this.#text.length; }
    }

    export const twice = (x) => x * 2, thrice = x => { return x * 3; };

    function* ids(start) {
      let i = start;
      while (true) yield i++;
    }

    function View({ items, onPick }) {
      const [open, setOpen] = useState(false);
      effect(() => { document.title = "x"; return () => reset(); }, [open]);
      const { a, ...others } = items.filter(i => i.ok).map((i) => ({ ...i, id: i.id, [key]: 1 }));
      if (open) { log(open); } else if (a) { log(a); } else { log(); }
      return <List id="main" onClick={() => onPick(a)} {...others}>
        {items.length > 0 && <Item key={a} />}
        console.log("saved", name)
      </List>;
    }
    module.exports = { View, ids };
    ''',
    rows=[
        Row("call", "console.log($$$A)", [(25, 'console.log("saved", /* what */ name,)'), (35, "console.log('saved')")], {"A": '"saved", /* what */ name'}),
        Row("call", "$X.promises?.writeFile($$$A)", [(22, "fs . promises")], {"X": "fs", "A": "name, this.#text"}),
        Row("call", "$X.map(($Y) => $Z)", [(52, "items.filter(i => i.ok).map((i) => ({ ...i, id: i.id, [key]: 1 }))")], {"X": "items.filter(i => i.ok)", "Y": "i"}),
        Row("call", "$X.filter($Y => $Z)", [(52, "items.filter(i => i.ok)")], {"Y": "i", "Z": "i.ok"}),
        Row("call", "$($X).hide()", [(30, "$(i).hide()")], {"X": "i"}),
        Row("call", "new Error($X)", [(20, "new Error(`no ${name} here`)")], {"X": "`no ${name} here`"}),
        Row("call", "log()", [(53, "log()")]),
        Row("definition", "function $F($$$A) { $$$B }", [(49, "function View({ items, onPick }) {")], {"F": "View", "A": "{ items, onPick }"}),
        Row("definition", "function* $F($$$A) { $$$B }", [(44, "function* ids(start) {")], {"F": "ids"}),
        Row("definition", "export default class $C extends $D { $$$B }", [(8, "export default class Editor extends React.Component {")], {"C": "Editor", "D": "React.Component"}),
        Row("definition", "class $C { $$$ }", []),
        Row("definition", "class $C extends $_ { $$$A constructor($$$P) { $$$B } $$$D }", [(8, "class Editor extends React.Component {")], {"A": "static limit = 10;\n  #text = ''", "P": "props, ...rest"}),
        Row("definition", "const { $$$N } = require($M)", [(5, 'const { join } = require("path")')], {"N": "join", "M": '"path"'}),
        Row("definition", "const $N = require($M)", [(5, 'const { join } = require("path")')]),
        Row("definition", "const $$$A, path = $M", [(4, 'const fs = require("fs"), path = require("path")')], {"A": 'fs = require("fs")'}),
        Row("definition", "import $D, { $$$N } from 'react'", [(2, "import React, { useState, useEffect as effect } from 'react'")], {"D": "React", "N": "useState, useEffect as effect"}),
        Row("definition", "import $M", [(3, "import './style.css'")], {"M": "'./style.css'"}),
        Row("definition", "const [$A, $B] = useState($C)", [(50, "const [open, setOpen] = useState(false)")], {"A": "open", "B": "setOpen"}),
        Row("member", "async $M($$$A) { $$$B }", [(18, "async save($el, name = this.name) {")], {"M": "save", "A": "$el, name = this.name"}),
        Row("member", "$M($$$A) { $$$B }", [(12, "constructor(props, ...rest) {")], {"M": "constructor"}),
        Row("member", "get $M() { return $X }", [(39, "get size() { return this.#text.length; }")], {"M": "size"}),
        Row("member", "static $N = $V", [(9, "static limit = 10")], {"N": "limit", "V": "10"}),
        Row("member", "$N = $V", [(10, "#text = ''")], {"N": "#text"}, "class member"),
        Row("member", "this.$X = props", [(14, "this.props = props")], {"X": "props"}),
        Row("member", "id: $V", [(52, "id: i.id")], {"V": "i.id"}, "pair"),
        Row("condition", "if ($C) { $$$A } else if ($D) { $$$B } else { $$$E }", [(53, "if (open) { log(open); } else if (a) { log(a); } else { log(); }")], {"C": "open", "D": "a"}),
        Row("condition", "if ($C) { $$$A }", [(20, "if (!name) { throw new Error(`no ${name} here`); }")], {"C": "!name"}),
        Row("condition", "if ($C) return", [(19, "if (name === undefined) return")]),
        Row("condition", "case $X: return $Y", [(34, "case 'c': return total")], {"X": "'c'", "Y": "total"}),
        Row("condition", "catch ($E) { $$$B }", [(24, "catch (error) {")], {"E": "error"}),
        Row("condition", "$X ?? $Y", [(15, 'props.name ?? "console.log(1)"')], {"X": "props.name"}),
        Row("loop", "for (const [$K, $V] of $X) { $$$B }", [(27, "for (const [key, value] of Object.entries(this.items)) {")], {"K": "key", "X": "Object.entries(this.items)"}),
        Row("loop", "for (let $I = 0; $C; $I++) { $$$B }", []),
        Row("loop", "for (let $I = 0, $$$D; $I < $N; $I++) { $$$B }", [(30, "for (let i = 0, n = 3; i < n; i++) { $(i).hide(); }")], {"I": "i", "D": "n = 3", "N": "n"}),
        Row("loop", "while (true) $S", [(46, "while (true) yield i++")]),
        Row("loop", "useEffect(() => { $$$A }, [$$$D])", []),
        Row("loop", "$F(() => { $$$A; return $C }, [$$$D])", [(51, 'effect(() => { document.title = "x"; return () => reset(); }, [open])')], {"F": "effect", "A": 'document.title = "x";', "C": "() => reset()", "D": "open"}),
        Row("loop", "($X) => $B", [(42, "(x) => x * 2"), (52, "(i) => ({ ...i, id: i.id, [key]: 1 })")], {"X": "x", "B": "x * 2"}),
        Row("string", "'saved'", [(35, "'saved'")]),
        Row("string", '"saved"', [(25, '"saved"')]),
        Row("string", "`no ${$X} here`", [(20, "`no ${name} here`")], {"X": "name"}),
        Row("string", "require('$M')", []),
        Row("string", 'require("$M")', [(4, 'require("fs")'), (4, 'require("path")'), (5, 'require("path")')], {"M": "fs"}),
        Row("string", "<$T id=\"$I\" $$$A>$$$C</$T>", [(54, '<List id="main" onClick={() => onPick(a)} {...others}>')], {"T": "List", "I": "main", "A": "onClick={() => onPick(a)} {...others}"}),
        Row("string", "<Item key={$K} />", [(55, "<Item key={a} />")], {"K": "a"}),
        Row("string", "onClick={() => $X}", [(54, "onClick={() => onPick(a)}")], {"X": "onPick(a)"}),
        Row("comment", 'console.log("saved", name)', [(25, 'console.log("saved", /* what */ name,)')]),
        Row("repeated", "$X = $X + $X", [(28, "total = total + total")], {"X": "total"}),
        Row("repeated", "this.$X = $X", [(14, "this.props = props")], {"X": "props"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, true)", "foo(); foo(a, ...b,);\nfoo(\n  a, // one\n  b\n)\n", "bar(true); bar(a, ...b, true);\nbar(a, // one\n  b, true)\n"),
        Rewrite("double($X)", "$X * 2", "x = double(a + b) + double(a?.b) + double(() => 1)\n", "x = (a + b) * 2 + a?.b * 2 + (() => 1) * 2\n"),
        Rewrite("function $F($$$A) { $$$B }", "const $F = ($$$A) => {\n  $$$B\n}", "function f(a, b = 1) {\n  return `\n  text ${a}\n`;\n  // last\n}\n", "const f = (a, b = 1) => {\n  return `\n  text ${a}\n`;\n  // last\n}\n"),
        Rewrite("$P.then(($X) => { $$$B })", "const $X = await $P;\n$$$B", "async function f() {\n  g().then((a) => {\n    h(a);\n    i();\n  });\n}\n", "async function f() {\n  const a = await g();\n  h(a);\n  i();\n}\n"),
        Rewrite("$X == null", "$X === null || $X === undefined", "if (a.b == null && c) d();\n", "if ((a.b === null || a.b === undefined) && c) d();\n"),
        Rewrite("import $X from '$M'", "const $X = require('$M')", "import a from 'b';\nimport { c } from './d';\n", "const a = require('b');\nconst { c } = require('./d');\n"),
        Rewrite("console.log($$$)", "", "a();\nconsole.log(1);\nb(); console.log(2)\n", "a();\nb();\n"),
        Rewrite("console.log($$$)", "", "if (a) console.log(1);\nb();\n", None),
        Rewrite("<b>$$$C</b>", "<strong>$$$C</strong>", "x = <p>\n  <b>a {c}\n    d</b>\n</p>;\n", "x = <p>\n  <strong>a {c}\n    d</strong>\n</p>;\n"),
        Rewrite("f($X)", "g($X", "f(1)\n", None),
    ],
)  # fmt: skip
