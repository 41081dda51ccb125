"""TypeScript: what JavaScript has not."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    import type { Item } from './item';
    import { Component, Input } from "@angular/core";

    // save(item) is said here, and "closed" as well.
    export interface Store<T> extends Base {
      readonly name: string;
      items?: T[];
      find(id: number): T | undefined;
      [key: string]: unknown;
    }

    type Shape = { kind: 'circle'; radius: number } | Square;
    type Names = keyof typeof shapes;
    enum Level { Low = 1, High }

    @Component({ selector: 'app-list' })
    export class ListView extends View<Item> implements Store<Item>, Closable {
      @Input() public title: string = 'save(item)';
      private readonly cache = new Map<string, Item>();

      constructor(private readonly http: HttpClient, zone?: NgZone) {
        super();
      }

      async load(id: number, ...rest: any[]): Promise<void> {
        const found: Item | undefined = this.cache.get(id)!;
        if (found !== undefined && isItem(found)) return;
        for (const key of Object.keys(found) as Array<keyof Item>) {
          count = count + count;
        }
        try {
          save(<Item>found);
        } catch (error: unknown) {
          throw new StoreError<Item>("closed", error as Error);
        }
        this.items!.push(/* last */ found!);
      }

      abstract close(): void;
    }

    function isItem(value: unknown): value is Item {
      return (value as any).kind !== undefined;
    }

    export const first = <T extends Item>(items: readonly T[]): T => items[0];
    declare module 'app' { export const debug: boolean; }
    let state = { level: Level.Low, items: [] } satisfies State;
    while (state.level) { save(
      state,  // save(item)
    ); }
    ''',
    rows=[
        Row("call", "save($X)", [(32, "save(<Item>found)"), (49, "save(")], {"X": "<Item>found"}),
        Row("call", "$X!.push($$$A)", [(36, "this.items!.push(/* last */ found!)")], {"X": "this.items", "A": "found!"}),
        Row("call", "new Map<$K, $V>()", [(19, "new Map<string, Item>()")], {"K": "string", "V": "Item"}),
        Row("call", "new $E($$$A)", []),
        Row("call", "new $E<$T>($$$A)", [(34, 'new StoreError<Item>("closed", error as Error)')], {"E": "StoreError", "T": "Item"}),
        Row("call", "$X as $T", [(28, "Object.keys(found) as Array<keyof Item>"), (34, "error as Error"), (43, "value as any")], {"X": "Object.keys(found)", "T": "Array<keyof Item>"}),
        Row("call", "($X as any).$M", [(43, "(value as any).kind")], {"X": "value", "M": "kind"}),
        Row("definition", "interface $I { $$$M }", []),
        Row("definition", "interface $I<$T> extends $B { $$$M }", [(5, "interface Store<T> extends Base {")], {"I": "Store", "T": "T", "B": "Base"}),
        Row("definition", "type $N = $A | $B", [(12, "type Shape = { kind: 'circle'; radius: number } | Square")], {"N": "Shape", "B": "Square"}),
        Row("definition", "type $N = keyof $T", [(13, "type Names = keyof typeof shapes")], {"T": "typeof shapes"}),
        Row("definition", "@$D($$$A)\nexport class $C extends $P<$T> implements $$$I { $$$B }", [(16, "@Component({ selector: 'app-list' })")], {"D": "Component", "C": "ListView", "P": "View"}),
        Row("definition", "function $F($X: $T): $X is $I { $$$B }", [(42, "function isItem(value: unknown): value is Item {")], {"X": "value", "T": "unknown", "I": "Item"}),
        Row("definition", "const $F = <$$$G>($$$A): $R => $B", [(46, "const first = <T extends Item>(items: readonly T[]): T => items[0]")], {"F": "first", "G": "T extends Item", "R": "T"}),
        Row("definition", "import type { $$$N } from $M", [(1, "import type { Item } from './item'")], {"N": "Item", "M": "'./item'"}),
        Row("definition", "declare module $M { $$$B }", [(47, "declare module 'app' { export const debug: boolean; }")], {"M": "'app'"}),
        Row("member", "async $M($$$A): Promise<$R> { $$$B }", [(25, "async load(id: number, ...rest: any[]): Promise<void> {")], {"M": "load", "A": "id: number, ...rest: any[]", "R": "void"}),
        Row("member", "private readonly $N = $V", [(19, "private readonly cache = new Map<string, Item>()")], {"N": "cache"}),
        Row("member", "private readonly $N: $T", [(21, "private readonly http: HttpClient")], {"N": "http", "T": "HttpClient"}, "parameter"),
        Row("member", "constructor(private readonly $N: $T, $$$R) { $$$B }", [(21, "constructor(private readonly http: HttpClient, zone?: NgZone) {")], {"N": "http", "R": "zone?: NgZone"}),
        Row("member", "@Input() public $N: $T = $V", [(18, "@Input() public title: string = 'save(item)'")], {"N": "title", "T": "string"}),
        Row("member", "$M($$$A): $R", [(8, "find(id: number): T | undefined")], {"M": "find", "R": "T | undefined"}),
        Row("member", "abstract $M(): void", [(39, "abstract close(): void")], {"M": "close"}),
        Row("member", "$N?: $T", [(7, "items?: T[]")], {"N": "items", "T": "T[]"}, "type member"),
        Row("member", "[$K: string]: $T", [(9, "[key: string]: unknown")], {"T": "unknown"}),
        Row("member", "@$D($$$A)", [(16, "@Component({ selector: 'app-list' })"), (18, "@Input()")], {"D": "Component"}),
        Row("member", "Promise<$T>", [(25, "Promise<void>")], {"T": "void"}),
        Row("member", "$T[]", [(7, "T[]"), (25, "any[]"), (46, "T[]")], {"T": "T"}),
        Row("condition", "if ($X !== undefined && $F($X)) return", [(27, "if (found !== undefined && isItem(found)) return")], {"X": "found", "F": "isItem"}),
        Row("condition", "catch ($E: unknown) { $$$B }", [(33, "catch (error: unknown) {")], {"E": "error"}),
        Row("condition", "catch ($E) { $$$B }", []),
        Row("condition", "$X satisfies $T", [(48, "{ level: Level.Low, items: [] } satisfies State")], {"T": "State"}),
        Row("condition", "const $N: $T | undefined = $V", [(26, "const found: Item | undefined = this.cache.get(id)!")], {"N": "found", "T": "Item", "V": "this.cache.get(id)!"}),
        Row("loop", "for (const $K of $X as $T) { $$$B }", [(28, "for (const key of Object.keys(found) as Array<keyof Item>) {")], {"K": "key", "X": "Object.keys(found)"}),
        Row("loop", "while ($C) { $$$B }", [(49, "while (state.level) { save(")], {"C": "state.level"}),
        Row("string", "'circle'", [(12, "'circle'")]),
        Row("string", '"closed"', [(34, '"closed"')]),
        Row("string", 'import { $$$N } from "@angular/core"', [(2, 'import { Component, Input } from "@angular/core"')], {"N": "Component, Input"}),
        Row("comment", "save(state)", [(49, "save(")]),
        Row("repeated", "$X = $X + $X", [(29, "count = count + count")], {"X": "count"}),
    ],
    rewrites=[
        Rewrite("<$T>$X", "$X as $T", "let a = <Item>b.c;\nlet d = (<Item>e).f;\n", "let a = b.c as Item;\nlet d = (e as Item).f;\n"),
        Rewrite("$X!", "nonNull($X)", "a!; b.c!.d(e!);\n", "nonNull(a); nonNull(b.c).d(nonNull(e));\n"),
        Rewrite("foo<$T>($$$A)", "bar($$$A, of<$T>())", "foo<Item>(); foo<A | B>(a, b,);\n", "bar(of<Item>()); bar(a, b, of<A | B>());\n"),
        Rewrite("double($X)", "$X * 2", "let a = double(b || c) + double(b as number);\n", "let a = (b || c) * 2 + (b as number) * 2;\n"),
        Rewrite("function $F($$$A): $R { $$$B }", "const $F = ($$$A): $R => {\n  $$$B\n}", "namespace A {\n  function f(a: string): B {\n    if (a)\n      g(a);\n    return h;\n  }\n}\n", "namespace A {\n  const f = (a: string): B => {\n    if (a)\n      g(a);\n    return h;\n  }\n}\n"),
        Rewrite("$N?: $T", "$N: $T | null", "interface A {\n  b?: string;\n  c: D;\n}\n", "interface A {\n  b: string | null;\n  c: D;\n}\n", "type member"),
        Rewrite("readonly $N: $T", "", "interface A {\n  readonly b: C;\n  d: E;\n}\n", "interface A {\n  d: E;\n}\n", "type member"),
        Rewrite("$X as $T", "<$T>$X", "let a = b as C;\n", "let a = <C>b;\n"),
        Rewrite("let $X: $T = $V", "let $X: = $V", "let a: B = c;\n", None),
    ],
)  # fmt: skip
