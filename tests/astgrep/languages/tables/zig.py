"""Zig: what a type begins with, payloads, errors, builtin functions."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    const std = @import("std");
    const Allocator = std.mem.Allocator;

    // open says log("opened"), later.
    pub const Store = struct {
        path: []const u8,
        count: usize = 0,
        items: std.ArrayList(u32),

        pub fn close(self: *Store) void {
            self.items.deinit();
            self.count = 0;
        }

        fn size(self: Store) usize {
            return self.count;
        }
    };

    const Shape = union(enum) {
        circle: f64,
        square: f64,
    };

    const Color = enum { red, green };

    const OpenError = error{ NotFound, Denied };

    var limit: u32 = 10;

    fn double(x: i32) i32 {
        return x + x;
    }

    pub fn open(allocator: Allocator, path: []const u8, max: usize) !*Store {
        const store = try allocator.create(Store);
        errdefer allocator.destroy(store);
        if (path.len == 0) {
            log("log(opened)");
            return error.NotFound;
        }
        if (max > 0) {
            log("opened");
        } else {
            log("none");
        }
        for (store.items, 0..) |item, i| {
            log(item, i);
        }
        while (store.count < max) : (store.count += 1) {
            log( // why
                store.count,
            );
        }
        const kind = switch (max) {
            0 => "zero",
            1...9 => "few",
            else => "many",
        };
        const first = find(path) orelse return error.Denied;
        const found = find(path) catch |err| {
            log(err);
            return err;
        };
        store.* = .{ .path = path, .count = 1, .items = undefined };
        if (maybe(found)) |value| {
            _ = value;
        }
        store.count = store.count + store.count;
        const wide: u64 = @intCast(max);
        defer store.close();
        return store;
    }

    test "double" {
        try std.testing.expect(double(2) == 4);
    }
    ''',
    rows=[
        Row(
            "call",
            "log($$$A)",
            [
                (39, 'log("log(opened)")'),
                (43, 'log("opened")'),
                (45, 'log("none")'),
                (48, "log(item, i)"),
                (51, "log( // why"),
                (62, "log(err)"),
            ],
            {"A": '"log(opened)"'},
        ),
        Row("call", "$X.deinit()", [(11, "self.items.deinit()")], {"X": "self.items"}),
        Row("call", "try $X.create($T)", [(36, "try allocator.create(Store)")], {"X": "allocator", "T": "Store"}),
        Row("call", "std.testing.expect($X)", [(76, "std.testing.expect(double(2) == 4)")], {"X": "double(2) == 4"}),
        Row("call", '@import("std")', [(1, '@import("std")')]),
        Row("call", "@intCast($X)", [(70, "@intCast(max)")], {"X": "max"}),
        Row("call", "defer $X.close();", [(71, "defer store.close()")], {"X": "store"}),
        Row("definition", "fn $F($$$A) i32 { $$$B }", [(31, "fn double(x: i32) i32 {")], {"F": "double", "A": "x: i32"}),
        Row("definition", "pub fn $F($$$A) !$R { $$$B }", [(35, "pub fn open(allocator: Allocator, path: []const u8, max: usize) !*Store {")], {"F": "open", "R": "*Store"}),
        Row("definition", "pub const $N = struct { $$$M };", [(5, "pub const Store = struct {")], {"N": "Store"}),
        Row("definition", "const $N = union(enum) { $$$M };", [(20, "const Shape = union(enum) {")], {"N": "Shape"}),
        Row("definition", "const $N = error{ $$$A, Denied };", [(27, "const OpenError = error{ NotFound, Denied }")], {"A": "NotFound"}),
        Row("definition", "var $N: $T = $V;", [(29, "var limit: u32 = 10")], {"N": "limit", "T": "u32", "V": "10"}),
        Row("definition", 'test "double" { $$$B }', [(75, 'test "double" {')]),
        Row("definition", "*$T", [(10, "*Store"), (35, "*Store")], {"T": "Store"}),
        Row("member", "pub fn $F(self: *$T) void { $$$B }", [(10, "pub fn close(self: *Store) void {")], {"F": "close", "T": "Store"}),
        Row("member", "fn $F(self: $T) $R { $$$B }", [(10, "fn close(self: *Store) void {"), (15, "fn size(self: Store) usize {")], {"T": "*Store"}),
        Row("member", "path: $T", [(6, "path: []const u8")], {"T": "[]const u8"}),
        Row("member", "$N: $T = $V", [(7, "count: usize = 0")], {"N": "count", "V": "0"}),
        Row("member", "self.$F = $V;", [(12, "self.count = 0")], {"F": "count", "V": "0"}),
        Row("member", ".count = $V", [(65, ".count = 1")], {"V": "1"}),
        Row("member", ".{ .path = $P, $$$F }", [(65, ".{ .path = path, .count = 1, .items = undefined }")], {"P": "path"}),
        Row("condition", "if ($C) { $$$B }", [(38, "if (path.len == 0) {")], {"C": "path.len == 0"}),
        Row("condition", "if ($C) $A else $B", [(42, "if (max > 0) {")], {"C": "max > 0"}),
        Row("condition", "if ($C) |$V| { $$$B }", [(66, "if (maybe(found)) |value| {")], {"C": "maybe(found)", "V": "value"}),
        Row("condition", "switch ($X) { 0 => $A, $$$C }", [(55, "switch (max) {")], {"X": "max", "A": '"zero"'}),
        Row("condition", "else => $X", [(58, 'else => "many"')], {"X": '"many"'}),
        Row("condition", "$X orelse return error.$E", [(60, "find(path) orelse return error.Denied")], {"X": "find(path)", "E": "Denied"}),
        Row("condition", "$X catch |$E| { $$$B }", [(61, "find(path) catch |err| {")], {"X": "find(path)", "E": "err"}),
        Row("loop", "for ($X, 0..) |$V, $I| { $$$B }", [(47, "for (store.items, 0..) |item, i| {")], {"X": "store.items", "I": "i"}),
        Row("loop", "while ($C) : ($X += 1) { $$$B }", [(50, "while (store.count < max) : (store.count += 1) {")], {"X": "store.count"}),
        Row("loop", "while ($C) { $$$B }", []),
        Row("string", '"opened"', [(43, '"opened"')]),
        Row("comment", 'log("opened")', [(43, 'log("opened")')]),
        Row("comment", "log(store.count)", [(51, "log( // why")]),
        Row("repeated", "$X = $X + $X;", [(69, "store.count = store.count + store.count")], {"X": "store.count"}),
        Row("repeated", "$X + $X", [(32, "x + x"), (69, "store.count + store.count")], {"X": "x"}),
    ],
    rewrites=[
        Rewrite("foo($X, $$$A)", "bar($$$A, $X)", "fn f() void {\n    foo(a);\n    foo(b, c, d);\n}\n", "fn f() void {\n    bar(a);\n    bar(c, d, b);\n}\n"),
        Rewrite("foo($$$A)", "bar($$$A, c)", "fn f() void {\n    foo();\n    foo(a, b,);\n}\n", "fn f() void {\n    bar(c);\n    bar(a, b, c);\n}\n"),
        Rewrite("double($X)", "$X * 2", "const x = double(a + b);\n", "const x = (a + b) * 2;\n"),
        Rewrite("$X.len()", "len($X)", "const n = a.b(c).len() + 1;\n", "const n = len(a.b(c)) + 1;\n"),
        Rewrite(
            "if ($C) { $$$B }",
            "while ($C) {\n    $$$B\n}",
            "fn f() void {\n    if (x) {\n        a(); // one\n\n        b();\n    }\n}\n",
            "fn f() void {\n    while (x) {\n        a(); // one\n\n        b();\n    }\n}\n",
        ),
        Rewrite("log($$$);", "", "fn f() void {\n    log(1);\n    g();\n}\n", "fn f() void {\n    g();\n}\n"),
        Rewrite("fn $F(self: *$T) $R { $$$B }", "fn $F(self: *const $T) $R {\n    $$$B\n}", "const S = struct {\n    fn f(self: *S) ?u8 {\n        g();\n    }\n};\n", "const S = struct {\n    fn f(self: *const S) ?u8 {\n        g();\n    }\n};\n"),
        Rewrite("f($X)", "$X +", "const x = f(1);\n", None),
    ],
)  # fmt: skip
