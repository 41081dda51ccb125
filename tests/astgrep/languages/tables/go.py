"""Go."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    package store

    import "fmt"

    // Open says fmt.Println("opened"), later.
    type Store struct {
        path  string
        items map[string]int
    }

    func (s *Store) Close() error {
        s.items = nil
        return nil
    }

    func Open(path string, max int) (*Store, error) {
        if path == "" {
            return nil, fmt.Errorf("fmt.Println(%s)", path)
        }
        for i := 0; i < max; i++ {
            fmt.Println("opened", i)
        }
        for _, item := range []string{"a", "b"} {
            fmt.Println( /* why */ item )
        }
        max = max + max
        return &Store{path: path, items: map[string]int{}}, nil
    }
    ''',
    rows=[
        Row("call", "fmt.Println($$$A)", [(21, 'fmt.Println("opened", i)'), (24, "fmt.Println( /* why */ item )")], {"A": '"opened", i'}),
        Row("definition", "func $F($$$A) ($$$R) { $$$B }", [(16, "func Open(path string, max int) (*Store, error) {")], {"F": "Open", "R": "*Store, error"}),
        Row("member", "$N map[$K]$V", [(8, "items map[string]int")], {"N": "items", "K": "string", "V": "int"}, "class member"),
        Row("condition", 'if $X == "" { $$$B }', [(17, 'if path == "" {')], {"X": "path"}),
        Row("loop", "for _, $I := range $X { $$$B }", [(23, 'for _, item := range []string{"a", "b"} {')], {"I": "item"}),
        Row("string", '"opened"', [(21, '"opened"')]),
        Row("comment", "fmt.Println($X)", [(24, "fmt.Println( /* why */ item )")], {"X": "item"}),
        Row("repeated", "$X = $X + $X", [(26, "max = max + max")], {"X": "max"}),
    ],
    rewrites=[
        Rewrite("foo($X, $$$A)", "bar($$$A, $X)", "package p\n\nfunc f() {\n\tfoo(a, b)\n}\n", "package p\n\nfunc f() {\n\tbar(b, a)\n}\n"),
        Rewrite("double($X)", "$X * 2", "package p\n\nvar x = double(a + b)\n", "package p\n\nvar x = (a + b) * 2\n"),
    ],
)  # fmt: skip
