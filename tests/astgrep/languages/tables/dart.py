"""Dart, from the mission's own examples: a guard that frees what it tested, and a function that becomes a method."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    import 'package:flutter/material.dart';
    import 'dart:async' as timers;

    // dispose(controller) is said here only, and so is "saved".
    typedef Parser<T> = T Function(String text);

    class Editor extends StatefulWidget {
      const Editor({super.key, required this.path});

      final Map<String, int>? path;
      static const limit = 10;

      @override
      State<Editor> createState() => _EditorState();
    }

    class _EditorState extends State<Editor> with Saving {
      final controller = TextEditingController();
      Timer? timer, other;

      @override
      void dispose() {
        if (timer != null) timer.dispose();
        if (timer  !=  null)
          other . dispose( );
        if (widget.timer
            != null) widget.timer /* of the widget */ .dispose();
        if (other != null) { other.dispose(); }
        dispose(controller);
        dispose( /* last */ widget.focus,
        );
        log('dispose(controller)');
        super.dispose();
      }

      void add(String text) {
        controller..clear()..text = text;
        text = text + text;
        for (final line in text.split('\n')) {
          if (line == 'saved') {
            log('saved');
          } else if (line.isEmpty) {
            return;
          }
        }
        try {
          log("saved");
        } on FormatException catch (error) {
          rethrow;
        }
      }

      int get size => switch (widget.path) { 'a' => 1, _ => controller!.text.length };
    }

    Future<void> save(String path, {int tries = 3}) async {
      void again() { log('again', 2); }
      await write(path, mode: 'w');
      final names = [for (var i = 0; i < tries; i++) 'name$i', ...?others];
    }
    ''',
    rows=[
        Row("call", "dispose($X)", [(29, "dispose(controller)"), (30, "dispose( /* last */ widget.focus,")], {"X": "controller"}),
        Row("call", "dispose( $X );", [(29, "dispose(controller)"), (30, "dispose( /* last */ widget.focus,")]),
        Row("call", "dispose(controller)", [(29, "dispose(controller)")]),
        Row("call", "$X.dispose()", [(23, "timer.dispose()"), (25, "other . dispose( )"), (27, "widget.timer /* of the widget */ .dispose()"), (28, "other.dispose()")], {"X": "timer"}),
        Row("call", "super.$M()", [(33, "super.dispose()")], {"M": "dispose"}),
        Row("call", "$X..$M()", [(37, "controller..clear()")], {"X": "controller", "M": "clear"}),
        Row("call", "write($P, mode: $M)", [(58, "write(path, mode: 'w')")], {"P": "path", "M": "'w'"}),
        Row("call", "await $F($$$A)", [(58, "await write(path, mode: 'w')")], {"F": "write", "A": "path, mode: 'w'"}),
        Row("call", "log($A, $$$B)", [(32, "log('dispose(controller)')"), (41, "log('saved')"), (47, 'log("saved")'), (57, "log('again', 2)")], {"A": "'dispose(controller)'", "B": ""}),
        Row("definition", "void $F($$$A) { $$$B }", [(22, "void dispose() {"), (36, "void add(String text) {"), (57, "void again() { log('again', 2); }")], {"F": "dispose", "A": ""}),
        Row("definition", "Future<$T> $F($$$A) async { $$$B }", [(56, "Future<void> save(String path, {int tries = 3}) async {")], {"T": "void", "F": "save", "A": "String path, {int tries = 3}"}),
        Row("definition", "class $C extends $S { $$$B }", [(7, "class Editor extends StatefulWidget {")], {"C": "Editor"}),
        Row("definition", "class $C extends State<$W> with $M { $$$B }", [(17, "class _EditorState extends State<Editor> with Saving {")], {"C": "_EditorState", "W": "Editor", "M": "Saving"}),
        Row("definition", "class $C extends $S with $M { $$$B }", [(17, "class _EditorState extends State<Editor> with Saving {")], {"S": "State<Editor>"}),
        Row("definition", "import $P as $N;", [(2, "import 'dart:async' as timers")], {"P": "'dart:async'", "N": "timers"}),
        Row("definition", "class $_ extends $_ { $$$ void add($$$) { $$$ } $$$ }", []),
        Row("definition", "class $_ extends $_ with $_ { $$$ void add($$$) { $$$ } $$$ }", [(17, "class _EditorState extends State<Editor> with Saving {")]),
        Row("definition", "typedef $N<$P> = $T;", [(5, "typedef Parser<T> = T Function(String text)")], {"N": "Parser", "P": "T"}),
        Row("member", "final $T $N;", [(10, "final Map<String, int>? path")], {"T": "Map<String, int>?", "N": "path"}, "class member"),
        Row("member", "final $N = $V;", [(18, "final controller = TextEditingController()")], {"N": "controller"}, "class member"),
        Row("member", "$T? $$$N;", [(19, "Timer? timer, other")], {"T": "Timer", "N": "timer, other"}, "class member"),
        Row("member", "static const $N = $V;", [(11, "static const limit = 10")], {"N": "limit", "V": "10"}),
        Row("member", "@override\n$T $F() => $E;", [(13, "@override")], {"T": "State<Editor>", "F": "createState", "E": "_EditorState()"}),
        Row("member", "@override\nvoid $F() => $E;", []),
        Row("member", "@override\nState<$T> $F() => $E;", [(13, "@override")], {"T": "Editor", "F": "createState", "E": "_EditorState()"}),
        Row("member", "$T get $N => $E;", [(53, "int get size => switch (widget.path) { 'a' => 1, _ => controller!.text.length }")], {"N": "size"}),
        Row("member", "const $C({super.key, $$$P});", [(8, "const Editor({super.key, required this.path})")], {"C": "Editor", "P": "required this.path"}, "class member"),
        Row("condition", "if ($X != null) $X.dispose()", [(23, "if (timer != null) timer.dispose()"), (26, "if (widget.timer")], {"X": "timer"}),
        Row("condition", "if($X!=null)$X.dispose();", [(23, "if (timer != null) timer.dispose()"), (26, "if (widget.timer")]),
        Row("condition", "if ($X != null) { $$$B }", [(28, "if (other != null) { other.dispose(); }")], {"X": "other", "B": "other.dispose();"}),
        Row("condition", "if ($C) { $$$A } else if ($D) { return; }", [(40, "if (line == 'saved') {")], {"D": "line.isEmpty"}),
        Row("condition", "if ($C) { $$$A } else { $$$B }", []),
        Row("condition", "switch ($X) { $$$C }", [(53, "switch (widget.path) { 'a' => 1, _ => controller!.text.length }")], {"X": "widget.path", "C": "'a' => 1, _ => controller!.text.length"}, "expression"),
        Row("condition", "$P => $X!.$$$Y", []),
        Row("condition", "_ => $X", [(53, "_ => controller!.text.length")], {"X": "controller!.text.length"}),
        Row("condition", "on $T catch ($E) { $$$B }", [(48, "on FormatException catch (error) {")], {"T": "FormatException", "B": "rethrow;"}),
        Row("loop", "for (final $I in $X) { $$$B }", [(39, r"for (final line in text.split('\n')) {")], {"I": "line", "X": r"text.split('\n')"}),
        Row("loop", "for (var $I = $A; $I < $N; $I++) $X", [(59, "for (var i = 0; i < tries; i++) 'name$i'")], {"N": "tries", "X": "'name$i'"}, "pair"),
        Row("string", "'saved'", [(40, "'saved'"), (41, "'saved'")]),
        Row("string", r"'name\$i'", []),
        Row("string", "'name$i'", [(59, "'name$i'")]),
        Row("string", "import 'package:flutter/material.dart';", [(1, "import 'package:flutter/material.dart'")]),
        Row("comment", 'log("saved")', [(47, 'log("saved")')]),
        Row("comment", "log('dispose(controller)')", [(32, "log('dispose(controller)')")]),
        Row("repeated", "$X = $X + $X", [(38, "text = text + text")], {"X": "text"}),
    ],
    rewrites=[
        Rewrite("dispose($X)", "$X.dispose()", "void f() { dispose(a); dispose( b.c , ); dispose(a ?? b); dispose(await c); dispose(d as E); }\n", "void f() { a.dispose(); b.c.dispose(); (a ?? b).dispose(); (await c).dispose(); (d as E).dispose(); }\n"),
        Rewrite("dispose($X);", "$X.dispose();", "void f() {\n  if (a) dispose(b);\n  else dispose(c);\n  g(() => dispose(d));\n}\n", "void f() {\n  if (a) b.dispose();\n  else c.dispose();\n  g(() => d.dispose());\n}\n"),
        Rewrite("if ($X != null) $X.dispose()", "$X?.dispose()", "void f() {\n  if (a.b != null) a.b.dispose();\n  if (a != null) b.dispose();\n}\n", "void f() {\n  a.b?.dispose();\n  if (a != null) b.dispose();\n}\n"),
        Rewrite("Text($$$A)", "Label($$$A, dense: true)", "var a = [Text(), Text('b'), Text(\n  'c',\n  style: d,\n)];\n", "var a = [Label(dense: true), Label('b', dense: true), Label('c',\n  style: d, dense: true)];\n"),
        Rewrite("double($X)", "$X * 2", "var x = double(a + b);\n", "var x = (a + b) * 2;\n"),
        Rewrite("if ($C) { $$$B }", "while ($C) {\n  $$$B\n}", "void f() {\n  if (a) {\n    b(\n      1,\n    );\n    // c\n    d();\n  }\n}\n", "void f() {\n  while (a) {\n    b(\n      1,\n    );\n    // c\n    d();\n  }\n}\n"),
        Rewrite("print($$$);", "", "void f() {\n  print('a');\n  b(); print(1, 2);\n}\n", "void f() {\n  b();\n}\n"),
        Rewrite("void $F() { $$$B }", "Future<void> $F() async { $$$B }", "class A {\n  void f() { g(); }\n}\n\nvoid main() { h(); }\n", "class A {\n  Future<void> f() async { g(); }\n}\n\nFuture<void> main() async { h(); }\n"),
        Rewrite("$X.dispose()", "dispose($X)", "void f() {\n  a.dispose();\n  b(\n    c,\n  ).dispose();\n}\n", "void f() {\n  dispose(a);\n  dispose(b(\n    c,\n  ));\n}\n"),
        Rewrite("print($X)", "print($X", "void f() { print(1); }\n", None),
        Rewrite("print($X)", "", "void f() { if (a) print(1); g(); }\n", None),
    ],
)  # fmt: skip
