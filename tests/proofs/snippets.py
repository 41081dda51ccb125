"""Small real-looking texts of many kinds, and fragments one of which nearly every grammar accepts as a pattern."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "curly": """\
#include <list.h>
/* A queue of jobs. */
public class Queue<T> extends Base {
    private static final int SIZE = 0x10; // slots
    struct slot { int head; char *name; };
    int push(T job, int priority) {
        if (job == null || priority < 0) { return -1; }
        for (int i = 0; i < SIZE; i++) { slots[i] = job.run("a \\"b\\" \\n", 'c', 1.5e-3); }
        switch (priority) { case 1: break; default: throw new Error("full"); }
        return items.map(x => x + 1).filter((x) => !x) ? 1 : 0;
    }
}
""",
    "python": """\
import os
from a.b import (c, d as e)

@cached(size=10)
def f(a, *rest, key: int = 1, **more) -> str:
    '''Says something.'''
    for i, x in enumerate(rest):
        if x is None and i % 2:
            continue
        yield f"{x!r:>{key}}" + "\\t" if key else r"a\\b"
    return [y ** 2 for y in rest if y] or {1: 2, **more}
""",
    "script": """\
const a = require('x'), { b, ...c } = await import(`./${name}.js`);
export default async function* go([x, y = 2], ...rest) {
  label: while (true) { if (/a[/]b+/g.test(x)) continue label; else break; }
  return <Box onClick={() => this?.set({ ...a, [b]: 1 })}>text {c} &amp; more</Box>;
}
type Pair<A extends string = "k"> = { readonly [K in keyof A]?: A[K] } | null;
""",
    "lisp": """\
; a comment
(define (square x) (* x x))
(let ((a 1) (b '(1 "two" #\\c :key))) `(list ,a ,@b))
(module (func $f (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))
""",
    "markup": """\
<!DOCTYPE html>
<html lang="en"><!-- note --><head><style>a > b { color: #fff; }</style></head>
<body><p class='x y' data-n=1>One &lt; two <br/> <![CDATA[raw <b>]]></p>
<script>if (a < b) { c(); }</script>{% if user %}{{ user.name | upper }}{% endif %}<?php echo $x; ?>
</body></html>
""",
    "style": """\
@import "base"; $gap: 4px;
@media (min-width: 10em) { .menu li:hover::after, #top > a[href^="x"] { margin: calc(1px + $gap) auto !important; } }
""",
    "data": """\
{"name": "x", "list": [1, -2.5e3, true, null, "\\u00e9"], "nested": {"a": {"b": []}}}
""",
    "settings": """\
# settings
title: "x"
[server.main]
port = 8080
hosts = ["a", "b"]   ; more
on: &anchor
  - push: {branches: [main]}
  - run: |
      make all
      make test
  - *anchor
key.with.dots=a\\
  continued
""",
    "query": """\
-- who bought most
WITH t AS (SELECT id, COUNT(*) AS n FROM orders o LEFT JOIN users u ON u.id = o.user WHERE o.at >= '2024-01-01' GROUP BY 1)
SELECT t.*, CASE WHEN n > 10 THEN 'many' ELSE NULL END FROM t ORDER BY n DESC LIMIT 5;
INSERT INTO a (x, y) VALUES (1, 'it''s'), (2, $1);
""",
    "shell": """\
#!/bin/sh
set -eu
for f in "$@"; do
  case $f in *.txt) cat <<EOF | sed 's/a/b/' >"${f%.txt}.out" 2>&1 ;;
some $(date +%s) text
EOF
  *) [ -n "${X:-}" ] && echo `pwd` || exit 1 ;; esac
done
all: main.o
\tcc -o $@ $^
FROM debian:12 AS build
RUN apt-get update && \\
    apt-get install -y make
""",
    "functional": """\
module Data.Tree (Tree(..), size) where
import qualified Data.Map as M
data Tree a = Leaf | Node { left :: Tree a, value :: a } deriving (Show, Eq)
size :: Ord a => Tree a -> Int
size Leaf = 0
size (Node l v) = let n = size l in case v of { _ | n > 0 -> n + 1; _ -> 1 }
  where go x = do { y <- get x; pure $ y <> "s" }
let rec fold f acc = function [] -> acc | x :: xs -> fold f (f acc x) xs (* done *)
fn main() -> Result<(), Box<dyn Error>> { let v: Vec<&'a str> = vec![]; match v { [x, ..] if *x > 1 => x?, _ => {} } Ok(()) }
""",
    "words": """\
Heading
=======

Some *words* with `code`, a [link](http://example.org/a_b) and ~~more~~.

1. one
   - two

.. note:: text

> quoted

```python
x = 1
```

| a | b |
|---|---|
| 1 | 2 |

\\begin{document} $x^2 + \\frac{a}{b}$ % note \\end{document}
""",
    "machine": """\
section .text
global _start
_start: mov eax, [ebx+4*ecx-8] ; load
        jne .loop
define i32 @f(i32 %a) { %1 = add nsw i32 %a, 1 ret i32 %1 }
module m(input wire clk, output reg [7:0] q); always @(posedge clk) q <= q + 1'b1; endmodule
entity e is port (a : in std_logic); end e;
""",
    "schema": """\
syntax = "proto3"; package a.b;
message Person { optional string name = 1 [deprecated = true]; repeated int32 id = 2; map<string, Item> items = 3; }
service S { rpc Get (Request) returns (stream Reply); }
type Query { users(first: Int = 10): [User!]! @auth }
model User { id Int @id @default(autoincrement()) email String? @unique }
resource "aws_x" "y" { count = var.n > 0 ? 1 : 0 tags = { Name = "x-${count.index}" } }
""",
}

FRAGMENTS: tuple[str, ...] = (
    "f(x)", "x = 1", "x", "x y", "(x)", "{x}", "x: 1", "<x></x>", "[x]", '"x"', "1", "x;", "x.y", "x { }", "# x", "@x", "%x",
    "SELECT 1", "RUN x", "(module)", "struct X {}", "struct X { 1: i32 a }", "message X {}", "contract X {}", "fn f() {}", "val x : int", "val x: int",
    "/** @brief x */", "/** @x */", "---@class x", "package x", "namespace x", "module x", "def x;", "param x string",
    "model X { id Int }", "struct X { a @0 :Int32; }", "let x: int = 1;", "() f() { }", "program x; begin end.",
    "A = 'b'", ".class public Lx;", "graph TD", "module example.org/x", "example.org/x v1.0.0 h1:abc=",
    "SELECT * WHERE { ?a ?b ?c }", "define void @f() {\n  ret void\n}", "circuit X :\n  module X :\n    skip\n",
    "def x {}", "@class X", ".class public LA;\n.super LB;\n", "sequenceDiagram\n  A->>B: hello\n", "flowchart LR\n  A[x] --> B\n",
    "=====\nname\n=====\n\nx\n\n---\n\n(y)\n", "module X\n\nval x : int\n",
)  # fmt: skip
