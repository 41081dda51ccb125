"""PHP."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r"""
    <?php

    namespace App\Store;

    use App\Model\Item;
    use Psr\Log\{LoggerInterface, NullLogger};

    // log("opened") is called later
    # and log('closed') too
    final class Store extends Base implements Countable
    {
        private array $items = [];

        #[Inject]
        public function __construct(private string $name, ?int $max = null)
        {
            parent::__construct($name);
            $this->items = $max ?? load($name, 10);
        }

        public static function open(string $path): self
        {
            if ($path === '') {
                throw new InvalidArgumentException("not opened");
            }
            if ($path === 'x') {
                log('opened');
            } else {
                log( /* why */
                    $path, // and
                    # what
                    count($path),
                );
            }
            foreach (self::$all as $key => $store) {
                $store->close(force: true);
            }
            for ($i = 0; $i < 3; $i++) {
                log("opened $i", "log('x')");
            }
            $total = $total + $total;
            $double = fn ($x) => $x * 2;
            $kind = match ($total) {
                1, 2 => 'few',
                default => 'many',
            };
            try {
                $store?->close();
            } catch (IOException | Timeout $e) {
                log($e);
            }
            $_SESSION['path'] = ['path' => $path, 'kind' => $kind];
            return self::$all[$path] ?? new self($path);
        }
    }

    function helper(Store $store): void
    {
        if ($store):
            $store->close();
        endif;
    }
    """,
    rows=[
        Row("call", "log($X)", [(27, "log('opened')"), (50, "log($e)")], {"X": "'opened'"}),
        Row("call", "log($X, $$$R)", [(27, "log('opened')"), (29, "log( /* why */"), (39, 'log("opened $i", "log(\'x\')")'), (50, "log($e)")], {"R": ""}),
        Row("call", "$O->close($$$A)", [(36, "$store->close(force: true)"), (60, "$store->close()")], {"O": "$store", "A": "force: true"}),
        Row("call", "$C::$M($$$A)", [(17, "parent::__construct($name)")], {"C": "parent", "M": "__construct"}),
        Row("call", "new $C($$$A)", [(24, 'new InvalidArgumentException("not opened")'), (53, "new self($path)")], {"C": "InvalidArgumentException"}),
        Row("definition", "function $F($$$A): $T { $$$B }", [(57, "function helper(Store $store): void")], {"F": "helper", "A": "Store $store", "T": "void"}),
        Row("definition", "public static function $F($T $N): $R { $$$B }", [(21, "public static function open(string $path): self")], {"F": "open", "T": "string", "N": "$path", "R": "self"}),
        Row("definition", "public function $F($$$A) { $$$B }", []),
        Row("definition", "#[Inject] public function $F($$$A) { $$$B }", [(14, "#[Inject]")], {"A": "private string $name, ?int $max = null"}),
        Row("definition", "final class $C extends $D implements $$$I { $$$B }", [(10, "final class Store extends Base implements Countable")], {"C": "Store", "I": "Countable"}),
        Row("definition", "class $C { $$$B }", []),
        Row("member", "private array $N = $V;", [(12, "private array $items = []")], {"N": "$items", "V": "[]"}),
        Row("member", "private $T $N", [(15, "private string $name")], {"T": "string", "N": "$name"}, "parameter"),
        Row("condition", "if ($X === '') { $$$B }", [(23, "if ($path === '') {")], {"X": "$path"}),
        Row("condition", "if ($X === $Y) { $$$B }", [(23, "if ($path === '') {")]),
        Row("condition", "if ($X): $$$B endif;", [(59, "if ($store):")], {"B": "$store->close();"}),
        Row("condition", "$A ?? $B", [(18, "$max ?? load($name, 10)"), (53, "self::$all[$path] ?? new self($path)")], {"A": "$max"}),
        Row("condition", "1, $Y => $R", [(44, "1, 2 => 'few'")], {"Y": "2", "R": "'few'"}, "match arm"),
        Row("loop", "foreach ($X as $K => $V) { $$$B }", [(35, "foreach (self::$all as $key => $store) {")], {"X": "self::$all", "K": "$key", "V": "$store"}),
        Row("loop", "for ($I = 0; $I < $N; $I++) { $$$B }", [(38, "for ($i = 0; $i < 3; $i++) {")], {"I": "$i", "N": "3"}),
        Row("string", "'opened'", [(27, "'opened'")]),
        Row("string", '"opened $X"', [(39, '"opened $i"')], {"X": "$i"}),
        Row("string", "'path' => $V", [(52, "'path' => $path")], {"V": "$path"}, "pair"),
        Row("comment", "log($A, count($B))", [(29, "log( /* why */")], {"A": "$path", "B": "$path"}),
        Row("comment", "log('closed')", []),
        Row("repeated", "$X = $X + $X", [(41, "$total = $total + $total")], {"X": "$total"}),
        Row("repeated", "fn ($X) => $X * 2", [(42, "fn ($x) => $x * 2")], {"X": "$x"}),
        Row("member", r"\$_SESSION[$K]", [(52, "$_SESSION['path']")], {"K": "'path'"}),
        Row("definition", "use $X;", [(5, r"use App\Model\Item")], {"X": r"App\Model\Item"}),
        Row("condition", "catch ($E $V) { $$$B }", [(49, "catch (IOException | Timeout $e) {")], {"E": "IOException | Timeout", "V": "$e"}),
        Row("loop", "log($_); $$$", [(27, "log('opened')"), (50, "log($e)")]),
    ],
    rewrites=[
        Rewrite("log($$$A)", "trace($$$A, $level)", "<?php\nlog();\nlog($a, $b,);\n", "<?php\ntrace($level);\ntrace($a, $b, $level);\n"),
        Rewrite("double($X)", "$X * 2", "<?php\n$x = double($a + $b);\n", "<?php\n$x = ($a + $b) * 2;\n"),
        Rewrite("double($X)", "$X * 2", "<?php\n$x = double($a);\n", "<?php\n$x = $a * 2;\n"),
        Rewrite("array($$$A)", "[$$$A]", "<?php\nf(array(1, 'k' => 2), array());\n", "<?php\nf([1, 'k' => 2], []);\n"),
        Rewrite(
            "if ($X) { $$$B }",
            "while ($X) {\n    $$$B\n}",
            "<?php\nfunction f()\n{\n    if ($a) {\n        g();\n\n        h(\"x\n y\");\n    }\n}\n",
            "<?php\nfunction f()\n{\n    while ($a) {\n        g();\n\n        h(\"x\n y\");\n    }\n}\n",
        ),
        Rewrite("debug($$$)", "", "<?php\na();\ndebug($x);\nb();\n", "<?php\na();\nb();\n"),
        Rewrite("debug($$$)", "", "<?php\nif ($x) debug($x);\nb();\n", None),
        Rewrite("isset($X) ? $X : $Y", "$X ?? $Y", "<?php\n$a = isset($b['k']) ? $b['k'] : 1;\n", "<?php\n$a = $b['k'] ?? 1;\n"),
        Rewrite("f($X)", "g($X", "<?php\nf(1);\n", None),
    ],
)  # fmt: skip
