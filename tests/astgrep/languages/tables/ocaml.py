"""OCaml: curried calls, modules and their types, cases, classes."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    open Printf

    (* open_store calls print_endline "opened", later. *)
    module StringMap = Map.Make (String)

    type shape =
      | Circle of float
      | Square of float

    type store = {
      path : string;
      mutable count : int;
    }

    exception Not_opened of string

    module type Closable = sig
      type t
      val close : t -> unit
    end

    module Store : Closable = struct
      type t = store

      let close s =
        s.count <- 0;
        print_endline "closed"
    end

    class counter = object
      val mutable n = 0
      method incr = n <- n + 1
    end

    let limit = 10

    let double x = x + x

    let area = function
      | Circle r -> 3.14 *. r *. r
      | Square s -> s *. s

    let classify (n : int) : string =
      match n with
      | 0 -> "zero"
      | n when n < 0 -> "negative"
      | _ -> "opened"

    let rec sum = function
      | [] -> 0
      | x :: rest -> x + sum rest

    let open_store ?(max = 10) ~mode path =
      if path = "" then failwith "print_endline opened"
      else print_endline "opened";
      for i = 0 to max do
        printf "%d" i
      done;
      while !running do
        print_endline (* why *) path
      done;
      let items = List.map (fun x -> x * 2) [1; 2; 3] in
      let total = List.length (List.filter even items) in
      List.iter print_int items;
      let s = { path; count = total } in
      try Store.close s with
      | Not_found -> ()
      | Failure msg -> prerr_endline msg

    let () =
      let store = open_store ~mode:`Read "x" in
      store |> Store.close |> ignore
    ''',
    rows=[
        Row("call", "print_endline $X", [(27, 'print_endline "closed"'), (55, 'print_endline "opened"'), (60, "print_endline (* why *) path")], {"X": '"closed"'}),
        Row("call", "printf $F $$$A", [(57, 'printf "%d" i')], {"F": '"%d"', "A": "i"}),
        Row("call", "open_store ~mode:$M $$$A", [(71, 'open_store ~mode:`Read "x"')], {"M": "`Read", "A": '"x"'}),
        Row("call", "List.map (fun $X -> $B) $L", [(62, "List.map (fun x -> x * 2) [1; 2; 3]")], {"X": "x", "B": "x * 2", "L": "[1; 2; 3]"}),
        Row("call", "List.length (List.filter $P $X)", [(63, "List.length (List.filter even items)")], {"P": "even"}),
        Row("call", "$X |> Store.close |> $F", [(72, "store |> Store.close |> ignore")], {"X": "store", "F": "ignore"}),
        Row("definition", "open $M", [(1, "open Printf")], {"M": "Printf"}),
        Row("definition", "let $F $X = $B", [(25, "let close s ="), (37, "let double x = x + x")], {"F": "close", "X": "s"}),
        Row("definition", "let limit = $V", [(35, "let limit = 10")], {"V": "10"}),
        Row("definition", "let $F ($N : $T) : $R = $B", [(43, "let classify (n : int) : string =")], {"N": "n", "T": "int", "R": "string"}),
        Row("definition", "let rec $F = function $$$C", [(49, "let rec sum = function")], {"F": "sum"}),
        Row("definition", "let open_store ?($M = $D) $$$P = $B", [(53, "let open_store ?(max = 10) ~mode path =")], {"M": "max", "D": "10", "P": "~mode path"}),
        Row("definition", "let $N = List.length $X in $B", [(63, "let total = List.length (List.filter even items) in")], {"N": "total"}),
        Row("definition", "type $N = { $$$A; mutable $F : $T; }", [(10, "type store = {")], {"N": "store", "A": "path : string", "F": "count"}),
        Row("definition", "type $N = | Circle of $A | $$$C", [(6, "type shape =")], {"N": "shape", "C": "Square of float"}),
        Row("definition", "exception $E of $T", [(15, "exception Not_opened of string")], {"E": "Not_opened", "T": "string"}),
        Row("definition", "module $M : $S = struct $$$B end", [(22, "module Store : Closable = struct")], {"M": "Store", "S": "Closable"}),
        Row("definition", "module $M = $F ($A)", [(4, "module StringMap = Map.Make (String)")], {"M": "StringMap", "F": "Map.Make", "A": "String"}),
        Row("member", "val $N : $A -> $B", [(19, "val close : t -> unit")], {"N": "close", "B": "unit"}),
        Row("member", "method $M = $B", [(32, "method incr = n <- n + 1")], {"M": "incr"}),
        Row("member", "class $C = object $$$M end", [(30, "class counter = object")], {"C": "counter"}),
        Row("member", "$X.count <- $V", [(26, "s.count <- 0")], {"X": "s", "V": "0"}),
        Row("member", "{ $$$A; count = $C }", [(65, "{ path; count = total }")], {"A": "path", "C": "total"}),
        Row("condition", "if $C then failwith $M else $B", [(54, 'if path = "" then failwith "print_endline opened"')], {"C": 'path = ""'}),
        Row("condition", "if $C then $A", []),
        Row("condition", "match $X with $$$C", [(44, "match n with")], {"X": "n"}),
        Row("condition", "| $P when $G -> $B", [(46, '| n when n < 0 -> "negative"')], {"G": "n < 0", "B": '"negative"'}),
        Row("condition", "Circle $R -> $B", [(40, "Circle r -> 3.14 *. r *. r")], {"R": "r", "B": "3.14 *. r *. r"}),
        Row("condition", "| $H :: $T -> $B", [(51, "| x :: rest -> x + sum rest")], {"H": "x", "T": "rest"}),
        Row("condition", "try $X with\n| Not_found -> $B\n| $$$C", [(66, "try Store.close s with")], {"X": "Store.close s", "B": "()"}),
        Row("loop", "for $I = 0 to $N do $$$B done", [(56, "for i = 0 to max do")], {"I": "i", "N": "max", "B": 'printf "%d" i'}),
        Row("loop", "while !$C do $$$B done", [(59, "while !running do")], {"C": "running"}),
        Row("string", '"opened"', [(47, '"opened"'), (55, '"opened"')]),
        Row("string", 'failwith "$M"', [(54, 'failwith "print_endline opened"')], {"M": "print_endline opened"}),
        Row("comment", 'print_endline "opened"', [(55, 'print_endline "opened"')]),
        Row("comment", "print_endline path", [(60, "print_endline (* why *) path")]),
        Row("repeated", "$X + $X", [(37, "x + x")], {"X": "x"}),
        Row("repeated", "$X *. $X", [(41, "s *. s")], {"X": "s"}),
    ],
    rewrites=[
        Rewrite("foo $X $Y", "bar $Y $X", "let f = foo a (b c)\n", "let f = bar (b c) a\n"),
        Rewrite("$A ^ $B", "concat $A $B", "let f = g x ^ y\n", "let f = concat (g x) y\n"),
        Rewrite("twice $X", "$X * 2", "let f = twice a + h (twice b)\n", "let f = a * 2 + h (b * 2)\n"),
        Rewrite("double ($X)", "$X * 2", "let f = double (a + b)\n", "let f = (a + b) * 2\n"),
        Rewrite(
            "match $X with $$$C",
            "match !$X with\n$$$C",
            "let f x =\n  match x with\n  | A -> g () (* one *)\n  | B ->\n    h ();\n    i ()\n",
            "let f x =\n  match !x with\n  | A -> g () (* one *)\n  | B ->\n    h ();\n    i ()\n",
        ),
        Rewrite("[$$$A]", "[0; $$$A]", "let f = [1; 2]\nlet g = []\n", "let f = [0; 1; 2]\nlet g = [0]\n"),
        Rewrite("open $M", "", "open A\nopen B\n\nlet x = 1\n", "\nlet x = 1\n"),
        Rewrite("foo $X", "$X +", "let f = foo a\n", None),
    ],
)  # fmt: skip
