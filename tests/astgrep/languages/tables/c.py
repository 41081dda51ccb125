"""C: what is between a product and a pointer, preprocessor lines, labels."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    #include <stdio.h>
    #include "store.h"

    #define MAX_ITEMS 16
    #define SQUARE(x) ((x) * (x))

    /* store_open() calls printf("opened"), later. */
    struct store {
        char *path;
        int count;
        struct item items[MAX_ITEMS];
    };

    typedef struct {
        int x, y;
    } point_t;

    enum color { RED, GREEN = 2 };

    static int limit = 10;

    static int store_close(struct store *s)
    {
        free(s->path);
        s->count = 0;
        return 0;
    }

    struct store *store_open(const char *path, int max)
    {
        FILE *file = fopen(path, "r");
        struct store *s = malloc(sizeof(struct store));
        unsigned char *bytes = (unsigned char *)path;
        if (file == NULL) {
            printf("opened"
                   " not");
            return NULL;
        }
        if (max > 0) {
            printf("opened");
        } else {
            goto out;
        }
        for (int i = 0; i < max; i++) {
            printf("%d\n", i);
        }
        while (max--)
            printf( /* why */ "%d" , max );
        max = max + max;
        s->count = SQUARE(max);
        s->items[0].size = max > 2 ? 1 : 0;
        switch (max) {
        case 1:
            free(s);
            break;
        default:
            abort();
        }
    #ifdef DEBUG
        printf("debug");
    #endif
    out:
        return s;
    }
    ''',
    rows=[
        Row(
            "call",
            "printf($F, $$$A)",
            [
                (35, 'printf("opened"'),
                (40, 'printf("opened")'),
                (45, 'printf("%d\\n", i)'),
                (48, 'printf( /* why */ "%d" , max )'),
                (60, 'printf("debug")'),
            ],
            {"F": '"opened"\n               " not"', "A": ""},
        ),
        Row("call", "malloc(sizeof(struct $S))", [(32, "malloc(sizeof(struct store))")], {"S": "store"}),
        Row("call", "free($X->$F);", [(24, "free(s->path)")], {"X": "s", "F": "path"}),
        Row("definition", "static int $F($$$A) { $$$B }", [(22, "static int store_close(struct store *s)")], {"F": "store_close"}),
        Row("definition", "int $F($$$A) { $$$B }", []),
        Row(
            "definition",
            "$T *$F($_, int $P) { $$$ return $X; }",
            [],
        ),
        Row(
            "definition",
            "$T *$F($_, int $P) { $$$B $L: return $X; }",
            [(29, "struct store *store_open(const char *path, int max)")],
            {"T": "struct store", "P": "max", "L": "out", "X": "s"},
        ),
        Row("definition", "struct $S { $$$M };", [(8, "struct store {")], {"S": "store"}),
        Row("definition", "typedef struct { $$$M } $N;", [(14, "typedef struct {")], {"M": "int x, y;", "N": "point_t"}),
        Row("definition", "enum $E { $$$A, GREEN = $V }", [(18, "enum color { RED, GREEN = 2 }")], {"A": "RED", "V": "2"}),
        Row("definition", "#define $N($$$A) $V", [(5, "#define SQUARE(x) ((x) * (x))")], {"N": "SQUARE", "V": "((x) * (x))"}),
        Row("definition", "FILE *$F = $X;", [(31, 'FILE *file = fopen(path, "r")')], {"F": "file"}),
        Row(
            "definition",
            "$T *$F = $X",
            [
                (31, 'FILE *file = fopen(path, "r")'),
                (32, "struct store *s = malloc(sizeof(struct store))"),
                (33, "unsigned char *bytes = (unsigned char *)path"),
            ],
            {"T": "FILE"},
        ),
        Row("definition", "static $T $N = $V;", [(20, "static int limit = 10")], {"T": "int", "N": "limit"}),
        Row("member", "char *$N;", [(9, "char *path")], {"N": "path"}, "class member"),
        Row("member", "$X->count = $V;", [(25, "s->count = 0"), (50, "s->count = SQUARE(max)")], {"X": "s", "V": "0"}),
        Row("member", "$A[$I].$F", [(51, "s->items[0].size")], {"A": "s->items", "I": "0", "F": "size"}),
        Row("condition", "if ($X == NULL) { $$$B return NULL; }", [(34, "if (file == NULL) {")], {"X": "file"}),
        Row("condition", "if ($C) { $$$B }", [(34, "if (file == NULL) {")]),
        Row("condition", "if ($C) { $$$A } else $S", [(39, "if (max > 0) {")], {"S": "{\n        goto out;\n    }"}),
        Row("condition", "$C ? $A : $B", [(51, "max > 2 ? 1 : 0")], {"C": "max > 2"}),
        Row("condition", "case $X: $$$B break;", [(53, "case 1:")], {"X": "1", "B": "free(s);"}),
        Row("condition", "default: $S", [(56, "default:")], {"S": "abort();"}),
        Row("condition", "#ifdef $N\n$$$B\n#endif", [(59, "#ifdef DEBUG")], {"N": "DEBUG", "B": 'printf("debug");'}),
        Row("loop", "for (int $I = 0; $I < $N; $I++) { $$$B }", [(44, "for (int i = 0; i < max; i++) {")], {"I": "i", "N": "max"}),
        Row("loop", "while ($C) $S", [(47, "while (max--)")], {"C": "max--"}),
        Row("loop", "for (;;) $S", []),
        Row("string", '"opened"', [(35, '"opened"'), (40, '"opened"')]),
        Row("string", '#include "$H"', [(2, '#include "store.h"')], {"H": "store.h"}),
        Row("string", "#include $H", [(1, "#include <stdio.h>"), (2, '#include "store.h"')], {"H": "<stdio.h>"}),
        Row("comment", 'printf("opened")', [(40, 'printf("opened")')]),
        Row("repeated", "$X = $X + $X", [(49, "max = max + max")], {"X": "max"}),
        Row("repeated", "($T *)$X", [(33, "(unsigned char *)path")], {"T": "unsigned char", "X": "path"}),
        Row("repeated", "($X) * ($X)", []),
    ],
    rewrites=[
        Rewrite("foo($X, $$$A)", "bar($$$A, $X)", "void f(void) {\n    foo(a);\n    foo(b, c, d);\n}\n", "void f(void) {\n    bar(a);\n    bar(c, d, b);\n}\n"),
        Rewrite("double($X)", "$X * 2", "int x = double(a + b);\n", "int x = (a + b) * 2;\n"),
        Rewrite("$A * $B", "mul($A, $B)", "int x = a * (b + c);\nint *p;\n", "int x = mul(a, (b + c));\nint *p;\n"),
        Rewrite(
            "if ($C) { $$$B }",
            "while ($C) {\n    $$$B\n}",
            "void f(void) {\n\tif (x) {\n\t\ta(); // one\n\n\t\tb();\n\t}\n}\n",
            "void f(void) {\n\twhile (x) {\n\t\ta(); // one\n\n\t\tb();\n\t}\n}\n",
        ),
        Rewrite("log($$$);", "", "void f(void) {\n    log(1);\n    g();\n}\n", "void f(void) {\n    g();\n}\n"),
        Rewrite("$X->len", "len($X)", "int n = a.b->len + 1;\n", "int n = len(a.b) + 1;\n"),
        Rewrite("f($X)", "$X +", "int x = f(1);\n", None),
    ],
)  # fmt: skip
