"""Rust. In a macro's arguments there are tokens only, and `fn` may stand anywhere."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    #![allow(dead_code)]
    use std::{collections::HashMap, fmt};
    use crate::store::Item as Entry;

    /// Says println!("opened") here only.
    #[derive(Debug, Clone)]
    pub struct Store<'a, T> {
        name: &'a str,
        pub items: HashMap<String, Vec<T>>,
    }

    pub struct Id(u32);

    pub enum Event { Opened, Closed(Id), Moved { x: i32 } }

    impl<'a, T: Clone> Store<'a, T> {
        pub const LIMIT: usize = 10;

        pub fn new(name: &'a str) -> Self {
            Self { name, items: HashMap::new() }
        }

        fn find(&self, id: u32) -> Option<&T> {
            let item = self.items.get("a/* no comment */").and_then(|all| all.first())?;
            if item.is_none() { return None; }
            assert_eq!(self.items.len(), id as usize, "no {}", id);
            Some(item)
        }
    }

    impl Drop for Id {
        fn drop(&mut self) { println!("opened"); }
    }

    async fn run<F>(event: Event, mut each: F) -> Result<(), Box<dyn Error>>
    where
        F: FnMut(u32),
    {
        for (index, line) in read("a").await?.lines().enumerate() {
            total = total + total;
            println!( /* which */ "opened" ,
                self.items[index].name());
        }
        for i in 0..10 { each(i); }
        while let Some(next) = queue.pop() {
            match next {
                Event::Opened | Event::Closed(_) => {}
                Event::Moved { x } if x > 0 => each(x as u32),
                other => return Err(other.into()),
            }
        }
        if let Some(x) = first { each(x) } else if last { each(0) }
        let Some(name) = name else { return Ok(()) };
        let bytes: [u8; 4] = [0; 4];
        let Point { x, .. } = origin;
        unsafe { *pointer = vec![1, 2].unwrap(); }
        let state = State { size: 1, ..Default::default() };
        let both = move |a, b| a + b;
        Ok(())
    }

    macro_rules! twice {
        ($A:expr) => { $A + $A };
    }
    ''',
    rows=[
        Row("call", "println!($$$A)", [(32, 'println!("opened")'), (41, 'println!( /* which */ "opened" ,')], {"A": '"opened"'}),
        Row("call", 'println!("opened", $X)', [(41, 'println!( /* which */ "opened" ,')], {"X": "self.items[index].name()"}),
        Row("call", "assert_eq!($A, $B, $$$M)", [(26, 'assert_eq!(self.items.len(), id as usize, "no {}", id)')], {"A": "self.items.len()", "B": "id as usize", "M": '"no {}", id'}),
        Row("call", "assert_eq!($A, $B)", []),
        Row("call", "assert_eq!($X.len(), $$$)", [(26, 'assert_eq!(self.items.len(), id as usize, "no {}", id)')], {"X": "self.items"}),
        Row("call", "vec![$A, $B]", [(56, "vec![1, 2]")], {"A": "1", "B": "2"}),
        Row("call", "vec![$A; $B]", []),
        Row("call", "[$X; $N]", [(54, "[0; 4]")], {"X": "0", "N": "4"}),
        Row("call", "$X.await?", [(39, 'read("a").await?')], {"X": 'read("a")'}),
        Row("call", "$X.and_then(|$A| $B)", [(24, 'self.items.get("a/* no comment */").and_then(|all| all.first())')], {"A": "all", "B": "all.first()"}),
        Row("call", "$T::new()", [(20, "HashMap::new()")], {"T": "HashMap"}),
        Row("call", "$X as $T", [(48, "x as u32")], {"X": "x", "T": "u32"}),
        Row("call", "move |$$$A| $B", [(58, "move |a, b| a + b")], {"A": "a, b", "B": "a + b"}),
        Row("definition", "fn $F(&self, $$$A) -> $R { $$$B }", [(23, "fn find(&self, id: u32) -> Option<&T> {")], {"F": "find", "A": "id: u32", "R": "Option<&T>"}),
        Row("definition", "fn $F($$$A) { $$$B }", [(32, 'fn drop(&mut self) { println!("opened"); }')], {"F": "drop", "A": "&mut self"}),
        Row("definition", "pub fn new($$$A) -> Self { $$$B }", [(19, "pub fn new(name: &'a str) -> Self {")], {"A": "name: &'a str"}),
        Row("definition", "async fn $F<$G>($$$A) -> Result<$T, $E> where $$$W { $$$B }", [(35, "async fn run<F>(event: Event, mut each: F) -> Result<(), Box<dyn Error>>")], {"F": "run", "T": "()", "E": "Box<dyn Error>", "W": "F: FnMut(u32)"}),
        Row("definition", "pub struct $S<$$$G> { $$$F }", [(7, "pub struct Store<'a, T> {")], {"S": "Store", "G": "'a, T"}),
        Row("definition", "#[derive($$$D)]\npub struct $S<$$$G> { $$$F }", [(6, "#[derive(Debug, Clone)]")], {"D": "Debug, Clone"}),
        Row("definition", "pub struct $S($T);", [(12, "pub struct Id(u32)")], {"S": "Id", "T": "u32"}),
        Row("definition", "pub enum $E { $$$V }", [(14, "pub enum Event { Opened, Closed(Id), Moved { x: i32 } }")], {"E": "Event", "V": "Opened, Closed(Id), Moved { x: i32 }"}),
        Row("definition", "impl $T for $S { fn drop(&mut self) { $$$B } }", [(31, "impl Drop for Id {")], {"T": "Drop", "S": "Id", "B": 'println!("opened");'}),
        Row("definition", "impl<$$$G> $S<$$$A> { $$$X pub fn new($$$P) -> Self { $$$B } $$$Y }", [(16, "impl<'a, T: Clone> Store<'a, T> {")], {"G": "'a, T: Clone", "X": "pub const LIMIT: usize = 10;"}),
        Row("definition", "use $P as $N;", [(3, "use crate::store::Item as Entry")], {"P": "crate::store::Item", "N": "Entry"}),
        Row("definition", "use std::{$$$N};", [(2, "use std::{collections::HashMap, fmt}")], {"N": "collections::HashMap, fmt"}),
        Row("definition", "macro_rules! $N { $$$B }", [(62, "macro_rules! twice {")], {"N": "twice"}),
        Row("member", "$N: $T", [(8, "name: &'a str"), (14, "x: i32")], {"N": "name", "T": "&'a str"}),
        Row("member", "pub $N: HashMap<$K, $V>", [(9, "pub items: HashMap<String, Vec<T>>")], {"N": "items", "K": "String", "V": "Vec<T>"}),
        Row("member", "pub const $N: $T = $V;", [(17, "pub const LIMIT: usize = 10")], {"N": "LIMIT", "V": "10"}),
        Row("member", "self.$N", [(24, "self.items")], {"N": "items"}),
        Row("member", "#[derive($$$D)]", [(6, "#[derive(Debug, Clone)]")], {"D": "Debug, Clone"}),
        Row("member", "$S { size: $V, ..$D }", [(57, "State { size: 1, ..Default::default() }")], {"S": "State", "V": "1", "D": "Default::default()"}),
        Row("member", "Vec<$T>", [(9, "Vec<T>")], {"T": "T"}),
        Row("condition", "if $C { return None; }", [(25, "if item.is_none() { return None; }")], {"C": "item.is_none()"}),
        Row("condition", "if let Some($X) = $Y { $$$A } else if $C { $$$B }", [(52, "if let Some(x) = first { each(x) } else if last { each(0) }")], {"X": "x", "Y": "first", "A": "each(x)", "C": "last"}),
        Row("condition", "if let Some($X) = $Y { $$$A }", []),
        Row("condition", "let Some($X) = $X else { $$$B };", [(53, "let Some(name) = name else { return Ok(()) }")], {"X": "name"}),
        Row("condition", "$A | $B => {}", [(47, "Event::Opened | Event::Closed(_) => {}")], {"A": "Event::Opened"}),
        Row("condition", "$P if $C => $E", [(48, "Event::Moved { x } if x > 0 => each(x as u32)")], {"P": "Event::Moved { x }", "C": "x > 0"}),
        Row("condition", "$X => return Err($E)", [(49, "other => return Err(other.into())")], {"X": "other", "E": "other.into()"}),
        Row("condition", "match $X { $$$A }", [(46, "match next {")], {"X": "next"}),
        Row("condition", "let Point { $$$F } = $X;", [(55, "let Point { x, .. } = origin")], {"F": "x, ..", "X": "origin"}),
        Row("loop", "for ($I, $X) in $Y.lines().enumerate() { $$$B }", [(39, 'for (index, line) in read("a").await?.lines().enumerate() {')], {"I": "index", "X": "line", "Y": 'read("a").await?'}),
        Row("loop", "for $I in 0..$N { $$$B }", [(44, "for i in 0..10 { each(i); }")], {"I": "i", "N": "10", "B": "each(i);"}),
        Row("loop", "while let Some($X) = $Y { $$$B }", [(45, "while let Some(next) = queue.pop() {")], {"X": "next", "Y": "queue.pop()"}),
        Row("loop", "unsafe { *$X = $Y; }", [(56, "unsafe { *pointer = vec![1, 2].unwrap(); }")], {"X": "pointer"}),
        Row("string", '"opened"', [(32, '"opened"'), (41, '"opened"')]),
        Row("string", '"a/* no comment */"', [(24, '"a/* no comment */"')]),
        Row("string", '$X.get("$K")', [(24, 'self.items.get("a/* no comment */")')], {"X": "self.items", "K": "a/* no comment */"}),
        Row("string", r"\$A", [(63, "$A"), (63, "$A"), (63, "$A")]),
        Row("comment", 'println!("opened")', [(32, 'println!("opened")')]),
        Row("repeated", "$X = $X + $X", [(40, "total = total + total")], {"X": "total"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, None)", "fn m() { foo(); foo(a, b,); }\n", "fn m() { bar(None); bar(a, b, None); }\n"),
        Rewrite("assert_eq!($A, $B)", "assert_eq!($B, $A)", "fn m() {\n    assert_eq!(a.b(), Some(1));\n    assert_eq!(c, d, \"e\");\n}\n", "fn m() {\n    assert_eq!(Some(1), a.b());\n    assert_eq!(c, d, \"e\");\n}\n"),
        Rewrite("attempt!($X)", "$X?", "fn m() { attempt!(a.b()); let c = attempt!(d); }\n", "fn m() { a.b()?; let c = d?; }\n"),
        Rewrite("double($X)", "$X * 2", "fn m() -> u8 { double(a + b) + double(c as u8) }\n", "fn m() -> u8 { (a + b) * 2 + c as u8 * 2 }\n"),
        Rewrite("$X.unwrap()", "$X?", "fn m() {\n    a\n        .b()\n        .unwrap();\n    (-c).unwrap();\n}\n", "fn m() {\n    a\n        .b()?;\n    (-c)?;\n}\n"),
        Rewrite("if let Some($X) = $Y { $$$B }", "match $Y {\n    Some($X) => {\n        $$$B\n    }\n    None => {}\n}", "fn m() {\n    if let Some(a) = b() {\n        // first\n        c(a);\n        d(r\"\nx\")\n    }\n}\n", "fn m() {\n    match b() {\n        Some(a) => {\n            // first\n            c(a);\n            d(r\"\nx\")\n        }\n        None => {}\n    }\n}\n"),
        Rewrite("#[allow($$$)]", "", "#[allow(dead_code)]\n#[test]\nfn m() {}\n", "#[test]\nfn m() {}\n"),
        Rewrite("None => $X", "", "fn m() {\n    match a {\n        Some(b) => b,\n        None => c,\n    }\n}\n", "fn m() {\n    match a {\n        Some(b) => b,\n    }\n}\n"),
        Rewrite("$N: $T", "pub $N: $T", "struct A {\n    b: C,\n    pub d: E,\n}\n", "struct A {\n    pub b: C,\n    pub d: E,\n}\n", "field"),
        Rewrite("f($X)", "g($X", "fn m() { f(1); }\n", None),
    ],
)  # fmt: skip
