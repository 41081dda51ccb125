"""Go."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    package store

    import (
    \t"fmt"
    \tlog "log/slog"
    )

    const (
    \tlimit = iota
    \tmost
    )

    // Open says fmt.Println("opened"), later.
    type Store[T any] struct {
    \tsync.Mutex
    \tpath, name string `json:"path"`
    \titems map[string][]*T
    }

    type Closer interface {
    \tClose() error
    }

    func (s *Store[T]) Close() error {
    \ts.items = nil
    \treturn nil
    }

    func Open(ctx context.Context, path string, max ...int) (*Closer, error) {
    \tif path == "" {
    \t\treturn nil, fmt.Errorf("fmt.Println(%s)\\n", path)
    \t}
    \tfile, err := os.Open(path)
    \tif err != nil {
    \t\treturn nil, err
    \t}
    \tdefer file.Close()
    \tfor i := 0; i < limit; i++ {
    \t\tfmt.Println("opened", i)
    \t}
    \tfor _, item := range []string{"a", "b"} {
    \t\tfmt.Println( /* why */ item )
    \t}
    \tif value, ok := cache[path].(Closer); ok {
    \t\treturn &value, nil
    \t} else if max != nil {
    \t\tmax = max + max
    \t}
    \tswitch kind := any(path).(type) {
    \tcase string, []byte:
    \t\tlog.Info(`opened`, "kind", kind)
    \tdefault:
    \t}
    \tselect {
    \tcase event := <-events:
    \t\tevents <- event
    \tcase <-ctx.Done():
    \t\treturn nil, ctx.Err()
    \t}
    \tgo func() { done <- struct{}{} }()
    \tpath, name = name, path
    \treturn &Closer{path: path, items: map[string]int{}}, nil
    }

    func Map[K comparable, V any](in map[K]V, each func(V) V) []V {
    \tout := make([]V, 0, len(in))
    \tfor { out = append(out, each(in[0])) }
    }
    """,
    rows=[
        Row("call", "fmt.Println($$$A)", [(39, 'fmt.Println("opened", i)'), (42, "fmt.Println( /* why */ item )")], {"A": '"opened", i'}),
        Row("call", 'fmt.Errorf("$M", $$$A)', [(31, 'fmt.Errorf("fmt.Println(%s)\\n", path)')], {"M": "fmt.Println(%s)\\n", "A": "path"}),
        Row("call", "$X = append($X, $$$A)", [(67, "out = append(out, each(in[0]))")], {"X": "out", "A": "each(in[0])"}),
        Row("call", "make([]$T, $$$N)", [(66, "make([]V, 0, len(in))")], {"T": "V", "N": "0, len(in)"}),
        Row("call", "defer $X.Close()", [(37, "defer file.Close()")], {"X": "file"}),
        Row("call", "go func() { $$$B }()", [(60, "go func() { done <- struct{}{} }()")], {"B": "done <- struct{}{}"}),
        Row("definition", "func $F($$$A) ($$$R) { $$$B }", [(29, "func Open(ctx context.Context, path string, max ...int) (*Closer, error) {")], {"F": "Open", "R": "*Closer, error"}),
        Row("definition", "func $F(ctx context.Context, $$$A) ($R, error) { $$$B }", [(29, "func Open(ctx context.Context, path string, max ...int) (*Closer, error) {")], {"A": "path string, max ...int", "R": "*Closer"}),
        Row("definition", "func ($R *$T) $F() error { $$$B }", [(24, "func (s *Store[T]) Close() error {")], {"R": "s", "T": "Store[T]", "F": "Close"}),
        Row("definition", "func $F[$$$G]($$$A) $R { $$$B }", [(65, "func Map[K comparable, V any](in map[K]V, each func(V) V) []V {")], {"F": "Map", "G": "K comparable, V any", "R": "[]V"}),
        Row("definition", "func $F($$$A) { $$$B }", []),
        Row("definition", "type $T[$$$G] struct { $$$F }", [(14, "type Store[T any] struct {")], {"T": "Store", "G": "T any"}),
        Row("definition", "type $T interface { $$$M }", [(20, "type Closer interface {")], {"T": "Closer", "M": "Close() error"}),
        Row("definition", "import ($$$P)", [(3, "import (")], {"P": '"fmt"\n\tlog "log/slog"'}),
        Row("definition", "const ($$$C)", [(8, "const (")], {"C": "limit = iota\n\tmost"}),
        Row("member", "$N map[$K]$V", [(17, "items map[string][]*T")], {"N": "items", "K": "string", "V": "[]*T"}, "class member"),
        Row("member", "$$$N string `$J`", [(16, 'path, name string `json:"path"`')], {"N": "path, name", "J": 'json:"path"'}),
        Row("member", "$M() error", [(21, "Close() error")], {"M": "Close"}),
        Row("member", "path: $V", [(62, "path: path")], {"V": "path"}, "pair"),
        Row("member", "&$T{path: $V, $$$R}", [(62, "&Closer{path: path, items: map[string]int{}}")], {"T": "Closer", "R": "items: map[string]int{}"}),
        Row("condition", 'if $X == "" { $$$B }', [(30, 'if path == "" {')], {"X": "path"}),
        Row("condition", "$X, err := $F($$$A)\nif err != nil { return $$$R, err }", [(33, "file, err := os.Open(path)")], {"X": "file", "F": "os.Open", "R": "nil"}),
        Row("condition", "if $X, ok := $Y.($T); ok { $$$A } else if $C { $$$B }", [(44, "if value, ok := cache[path].(Closer); ok {")], {"X": "value", "Y": "cache[path]", "T": "Closer"}),
        Row("condition", "if $X, ok := $Y; ok { $$$A }", []),
        Row("condition", "switch $X := $Y.(type) { $$$C }", [(49, "switch kind := any(path).(type) {")], {"X": "kind", "Y": "any(path)"}),
        Row("condition", "case $V := <-$X: $$$B", [(55, "case event := <-events:")], {"V": "event", "X": "events", "B": "events <- event"}),
        Row("condition", "case <-$X: $$$B", [(57, "case <-ctx.Done():")], {"X": "ctx.Done()"}, "select case"),
        Row("loop", "for _, $I := range $X { $$$B }", [(41, 'for _, item := range []string{"a", "b"} {')], {"I": "item"}),
        Row("loop", "for $I := 0; $I < $N; $I++ { $$$B }", [(38, "for i := 0; i < limit; i++ {")], {"I": "i", "N": "limit"}),
        Row("loop", "for { $$$B }", [(67, "for { out = append(out, each(in[0])) }")]),
        Row("string", '"opened"', [(39, '"opened"')]),
        Row("string", "`$S`", [(16, '`json:"path"`'), (51, "`opened`")], {"S": 'json:"path"'}),
        Row("comment", "fmt.Println($X)", [(42, "fmt.Println( /* why */ item )")], {"X": "item"}),
        Row("repeated", "$X = $X + $X", [(47, "max = max + max")], {"X": "max"}),
        Row("repeated", "$X, $Y = $Y, $X", [(61, "path, name = name, path")], {"X": "path", "Y": "name"}),
    ],
    rewrites=[
        Rewrite("foo($X, $$$A)", "bar($$$A, $X)", "package p\n\nfunc f() {\n\tfoo(a, b)\n}\n", "package p\n\nfunc f() {\n\tbar(b, a)\n}\n"),
        Rewrite("foo($$$A)", "bar(ctx, $$$A)", "package p\n\nfunc f() {\n\tfoo()\n\tfoo(\n\t\ta,\n\t\tb...,\n\t)\n}\n", "package p\n\nfunc f() {\n\tbar(ctx)\n\tbar(ctx, a,\n\t\tb...)\n}\n"),
        Rewrite("double($X)", "$X * 2", "package p\n\nvar x = double(a + b)\n", "package p\n\nvar x = (a + b) * 2\n"),
        Rewrite('errors.New(fmt.Sprintf("$F", $$$A))', 'fmt.Errorf("$F", $$$A)', 'package p\n\nvar x = errors.New(fmt.Sprintf("a\\t%s", b))\n', 'package p\n\nvar x = fmt.Errorf("a\\t%s", b)\n'),
        Rewrite("if $C { $$$B }", "for $C {\n\t$$$B\n}", "package p\n\nfunc f() {\n\tif a {\n\t\t// why\n\t\tb(\n\t\t\t1,\n\t\t)\n\t\tc()\n\t}\n}\n", "package p\n\nfunc f() {\n\tfor a {\n\t\t// why\n\t\tb(\n\t\t\t1,\n\t\t)\n\t\tc()\n\t}\n}\n"),
        Rewrite("fmt.Println($$$)", "", "package p\n\nfunc f() {\n\tfmt.Println(1)\n\tg()\n\tfmt.Println(2)\n}\n", "package p\n\nfunc f() {\n\tg()\n}\n"),
        Rewrite('"os"', "", 'package p\n\nimport (\n\t"fmt"\n\t"os"\n)\n', 'package p\n\nimport (\n\t"fmt"\n)\n', "file"),
        Rewrite("f($X)", "g($X", "package p\n\nvar x = f(1)\n", None),
    ],
)  # fmt: skip
