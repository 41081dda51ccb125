"""Swift."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    import Foundation
    @testable import Store

    // Opened by print("opened"), later.
    @available(iOS 13, *)
    public final class Shelf<T>: Base, Closable {
        private let path: String
        @Published var count: Int = 0
        weak var delegate: Named?
        var size: Int { items.count }
        var name: String {
            get { return path }
            set { path = newValue }
        }

        init(path: String, max: Int = 3) {
            self.path = path
        }

        override func load(_ key: String, for max: Int) async throws -> [Int]? {
            guard let x = key else { return nil }
            guard max > 0 else { throw Oops.bad("no") }
            if max > 3 { return a } else { b() }
            if max > 2 { return a }
            if let y = z { c() }
            for item in items { print(item.key, max) }
            for i in 0..<max { print( /* why */
                i) }
            while x > 0 { x -= 1 }
            switch max {
            case 1, 2: one()
            case 3: two(v)
            default: print("log(1)")
            }
            do { try read("a/\(key)", "opened") } catch let e as IOError { throw e } catch { fail(error) }
            items.map { $0.name }.filter { x in x > 1 }
            handle?.close()
            let n = name ?? "x"
            max = max + max
            max = max + size
            UIView.animate(withDuration: 1, delay: 2) { self.go() }
            dispatch { [weak self] in self?.go() }
            Toggle(isOn: $ON)
            return [1, 2]
        }
    }

    struct Point { let x: Int; var y = 2 }
    enum Color: String { case red, green; case blue = "b" }
    protocol Named { func foo() -> Int }
    extension String: Named { func ext() -> Int { return 1 } }
    let total = first + add(second)
    let idle = !door.isOpen()
    let both = first + second
    ''',
    rows=[
        Row("call", "print($$$A)", [(26, "print(item.key, max)"), (27, "print( /* why */"), (33, 'print("log(1)")')], {"A": "item.key, max"}),
        Row("call", "$O.filter { $X in $Y }", [(36, "items.map { $0.name }.filter { x in x > 1 }")], {"O": "items.map { $0.name }", "X": "x", "Y": "x > 1"}),
        Row("call", "$O.map { $0.$N }", [(36, "items.map { $0.name }")], {"O": "items", "N": "name"}),
        Row("call", "$X?.close()", [(37, "handle?.close()")], {"X": "handle"}),
        Row("call", "UIView.animate(withDuration: $D, $$$) { $$$B }", [(41, "UIView.animate(withDuration: 1, delay: 2) { self.go() }")], {"D": "1", "B": "self.go()"}),
        Row("call", "{ [weak self] in $$$B }", [(42, "{ [weak self] in self?.go() }")], {"B": "self?.go()"}),
        Row("call", r"$F(isOn: \$ON)", [(43, "Toggle(isOn: $ON)")], {"F": "Toggle"}),
        Row("call", "try $X", [(35, r'try read("a/\(key)", "opened")')], {"X": r'read("a/\(key)", "opened")'}),
        Row("call", "$A + $B", [(39, "max + max"), (40, "max + size"), (54, "first + second")], {"A": "max"}),
        Row("call", "$X.isOpen()", []),
        Row("definition", "override func $F($$$A) async throws -> $T { $$$B }", [(20, "override func load(_ key: String, for max: Int) async throws -> [Int]? {")], {"F": "load", "A": "_ key: String, for max: Int", "T": "[Int]?"}),
        Row("definition", "func $F($$$A) { $$$B }", []),
        Row("definition", "func $F() -> $T { $$$B }", [(51, "func ext() -> Int { return 1 }")], {"F": "ext", "T": "Int", "B": "return 1"}),
        Row("definition", "@available($$$) public final class $C<$T>: $$$S { $$$B }", [(5, "@available(iOS 13, *)")], {"C": "Shelf", "S": "Base, Closable"}),
        Row("definition", "struct $S { $$$B }", [(48, "struct Point { let x: Int; var y = 2 }")], {"S": "Point", "B": "let x: Int; var y = 2"}),
        Row("definition", "extension $T: $P { $$$B }", [(51, "extension String: Named { func ext() -> Int { return 1 } }")], {"T": "String", "P": "Named"}),
        Row("definition", "protocol $P { $$$M }", [(50, "protocol Named { func foo() -> Int }")], {"M": "func foo() -> Int"}),
        Row("definition", "@testable import $X", [(2, "@testable import Store")], {"X": "Store"}),
        Row("member", "private let $X: $T", [(7, "private let path: String")], {"X": "path", "T": "String"}),
        Row("member", "var $X: $T { $$$B }", [(10, "var size: Int { items.count }")], {"X": "size", "B": "items.count"}),
        Row("member", "init($$$A) { $$$B }", [(16, "init(path: String, max: Int = 3) {")], {"A": "path: String, max: Int = 3", "B": "self.path = path"}),
        Row("member", "get { $$$B }", [(12, "get { return path }")], {"B": "return path"}),
        Row("member", "case $N = $V", [(49, 'case blue = "b"')], {"N": "blue", "V": '"b"'}),
        Row("member", "@available($$$A)", [(5, "@available(iOS 13, *)")], {"A": "iOS 13, *"}),
        Row("condition", "if $C { $$$B }", [(24, "if max > 2 { return a }")], {"C": "max > 2", "B": "return a"}),
        Row("condition", "if let $X = $Y { $$$B }", [(25, "if let y = z { c() }")], {"X": "y", "Y": "z"}),
        Row("condition", "guard let $X = $Y else { $$$B }", [(21, "guard let x = key else { return nil }")], {"X": "x", "B": "return nil"}),
        Row("condition", "switch $X { $$$A default: $$$B }", [(30, "switch max {")], {"A": "case 1, 2: one()\n        case 3: two(v)", "B": 'print("log(1)")'}),
        Row("condition", "case $X: $$$B", [(32, "case 3: two(v)")], {"X": "3", "B": "two(v)"}),
        Row("condition", "catch let $E as $T { $$$B }", [(35, "catch let e as IOError { throw e }")], {"T": "IOError", "B": "throw e"}),
        Row("condition", "nil", [(21, "nil")]),
        Row("loop", "for $I in $X { $$$B }", [(26, "for item in items { print(item.key, max) }"), (27, "for i in 0..<max { print( /* why */")], {"I": "item", "X": "items"}),
        Row("loop", "for $I in 0..<$N { $$$ }", [(27, "for i in 0..<max { print( /* why */")], {"N": "max"}),
        Row("loop", "while $C { $$$B }", [(29, "while x > 0 { x -= 1 }")], {"C": "x > 0", "B": "x -= 1"}),
        Row("string", '"opened"', [(35, '"opened"')]),
        Row("string", r'"a/\($X)"', [(35, r'"a/\(key)"')], {"X": "key"}),
        Row("string", 'Oops.bad("$S")', [(22, 'Oops.bad("no")')], {"S": "no"}),
        Row("comment", 'print("opened")', []),
        Row("comment", "log($X)", []),
        Row("repeated", "$X = $X + $X", [(39, "max = max + max")], {"X": "max"}),
        Row("repeated", "self.$X = $X", [(17, "self.path = path")], {"X": "path"}),
    ],
    rewrites=[
        Rewrite("foo($$$A)", "bar($$$A, c)", "let x = foo()\nlet y = foo(a, n: b)\n", "let x = bar(c)\nlet y = bar(a, n: b, c)\n"),
        Rewrite("double($X)", "$X * 2", "let x = double(a + b)\n", "let x = (a + b) * 2\n"),
        Rewrite("not($X)", "!$X", "let x = not(a == b)\nlet y = not(c)\n", "let x = !(a == b)\nlet y = !c\n"),
        Rewrite("first($X)", "$X.first()", "let x = first(a + b)\nlet y = first(!c)\n", "let x = (a + b).first()\nlet y = (!c).first()\n"),
        Rewrite(
            "DispatchQueue.main.async { $$$B }",
            "Task { @MainActor in\n    $$$B\n}",
            "func f() {\n    DispatchQueue.main.async {\n        first()\n        if x {\n            second()\n        }\n    }\n}\n",
            "func f() {\n    Task { @MainActor in\n        first()\n        if x {\n            second()\n        }\n    }\n}\n",
        ),
        Rewrite("print($$$)", "", "func f() {\n    print(1)\n    go()\n}\n", "func f() {\n    go()\n}\n"),
        Rewrite("if let $X = $X { $$$B }", "if let $X { $$$B }", "func f() {\n    if let a = a { go(a) }\n}\n", "func f() {\n    if let a { go(a) }\n}\n"),
        Rewrite("$X as! $T", "$X as? $T", "let x = y as! Int\n", "let x = y as? Int\n"),
        Rewrite("$X.get()", "$X +", "let x = y.get()\n", None),
    ],
)  # fmt: skip
