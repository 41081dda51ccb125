"""TSX: elements with types around them."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    import { useState, type FC } from "react";

    // <Button label="Save" /> is said here only.
    type Props = { items: Item[]; onPick?: (item: Item) => void };

    export const List: FC<Props> = ({ items, onPick, ...rest }) => {
      const [open, setOpen] = useState<boolean>(false);
      const [text, setText] = useState("Save");
      useEffect(() => {
        track(open);
      }, [open]);
      if (!items.length) return null;
      for (const item of items) {
        total = total + total;
      }
      return (
        <>
          <ul className="list" {...rest}>
            {items.map((item) => (
              <Row key={item.id} {...item} selected={item === picked} onClick={() => onPick?.(item)} />
            ))}
          </ul>
          {open && <Button
            /* main */ label="Save"
            onClick={() => setOpen(false)}
          />}
          {open ? <Button label={text}>track(open)</Button> : null}
          <Theme.Provider value={theme}>
            <p>Save "it" now</p><b></b>
          </Theme.Provider>
          <Button label="Sa" label="Sa" disabled />
          <input value={text} onChange={(event) => setText(event.target.value)} />
        </>
      );
    };

    class Old extends Component<Props, State> {
      state: State = { open: false };

      render() {
        return <Button label="Old" />;
      }
    }

    function Pick<T,>({ of }: { of: T }): JSX.Element {
      return <Select<T> value={of as T} />;
    }
    ''',
    rows=[
        Row("call", '<Button label="$L" />', [(41, '<Button label="Old" />')], {"L": "Old"}),
        Row("call", "<Button $$$A />", [(23, "<Button"), (31, '<Button label="Sa" label="Sa" disabled />'), (41, '<Button label="Old" />')], {"A": 'label="Save"\n        onClick={() => setOpen(false)}'}),
        Row("call", "<$T $$$A>$$$C</$T>", [(18, '<ul className="list" {...rest}>'), (27, "<Button label={text}>track(open)</Button>"), (28, "<Theme.Provider value={theme}>"), (29, '<p>Save "it" now</p>'), (29, "<b></b>")], {"T": "ul", "A": 'className="list" {...rest}'}),
        Row("call", "<b></b>", [(29, "<b></b>")]),
        Row("call", "<$T.Provider value={$V}>$$$C</$T.Provider>", [(28, "<Theme.Provider value={theme}>")], {"T": "Theme", "V": "theme"}),
        Row("call", "<Row $$$A selected={$S} $$$B />", [(20, "<Row key={item.id} {...item} selected={item === picked} onClick={() => onPick?.(item)} />")], {"A": "key={item.id} {...item}", "S": "item === picked", "B": "onClick={() => onPick?.(item)}"}),
        Row("call", "<>$$$C</>", [(17, "<>")]),
        Row("call", "useState<$T>($V)", [(7, "useState<boolean>(false)")], {"T": "boolean", "V": "false"}),
        Row("definition", "const $C: FC<$P> = ({ $$$A }) => { $$$B }", [(6, "const List: FC<Props> = ({ items, onPick, ...rest }) => {")], {"C": "List", "P": "Props", "A": "items, onPick, ...rest"}),
        Row("definition", "const [$V, $S] = useState($$$A)", [(8, 'const [text, setText] = useState("Save")')], {"V": "text", "S": "setText"}),
        Row("definition", "class $C extends Component<$P, $S> { $$$B }", [(37, "class Old extends Component<Props, State> {")], {"C": "Old", "P": "Props", "S": "State"}),
        Row("definition", "type $N = { $$$M }", [(4, "type Props = { items: Item[]; onPick?: (item: Item) => void }")], {"N": "Props", "M": "items: Item[]; onPick?: (item: Item) => void"}),
        Row("definition", "function $F<$T>($$$A): $R { return <$E<$T> $$$P /> }", [(45, "function Pick<T,>({ of }: { of: T }): JSX.Element {")], {"T": "T", "E": "Select", "P": "value={of as T}"}),
        Row("member", "onClick={() => $X}", [(20, "onClick={() => onPick?.(item)}"), (25, "onClick={() => setOpen(false)}")], {"X": "onPick?.(item)"}),
        Row("member", "className=\"$C\"", [(18, 'className="list"')], {"C": "list"}, "attribute"),
        Row("member", "{...$X}", [(18, "{...rest}"), (20, "{...item}")], {"X": "rest"}, "attribute"),
        Row("member", "onChange={($E) => $F($E.target.value)}", [(32, "onChange={(event) => setText(event.target.value)}")], {"E": "event", "F": "setText"}),
        Row("member", "render() { return $X }", [(40, "render() {")], {"X": '<Button label="Old" />'}),
        Row("member", "$N: $T = $V", [(38, "state: State = { open: false }")], {"N": "state"}),
        Row("condition", "$C && <$T $$$A />", [(23, "open && <Button")], {"C": "open", "T": "Button"}),
        Row("condition", "{$C ? $A : null}", [(27, "{open ? <Button label={text}>track(open)</Button> : null}")], {"C": "open"}, "attribute"),
        Row("condition", "if (!$X) return null", [(12, "if (!items.length) return null")], {"X": "items.length"}),
        Row("loop", "for (const $I of $X) { $$$B }", [(13, "for (const item of items) {")], {"I": "item"}),
        Row("loop", "$X.map(($I) => ($E))", [(19, "items.map((item) => (")], {"X": "items", "I": "item"}),
        Row("loop", "useEffect(() => { $$$B }, [$$$D])", [(9, "useEffect(() => {")], {"B": "track(open);", "D": "open"}),
        Row("string", '"Save"', [(8, '"Save"'), (24, '"Save"')]),
        Row("string", '<p>Save "it" now</p>', [(29, '<p>Save "it" now</p>')]),
        Row("comment", '<Button label="Save" $$$A />', [(23, "<Button")]),
        Row("comment", "track(open)", [(10, "track(open)")]),
        Row("repeated", '<Button label="$A" label="$A" $$$B />', [(31, '<Button label="Sa" label="Sa" disabled />')], {"A": "Sa", "B": "disabled"}),
        Row("repeated", "$X = $X + $X", [(14, "total = total + total")], {"X": "total"}),
    ],
    rewrites=[
        Rewrite("<Button $$$A />", "<IconButton $$$A size={2} />", "x = <p>\n  <Button />\n  <Button a b={c}\n    d=\"e\" />\n</p>;\n", "x = <p>\n  <IconButton size={2} />\n  <IconButton a b={c}\n    d=\"e\" size={2} />\n</p>;\n"),
        Rewrite("<Row $$$A>$$$C</Row>", "<Item $$$A>$$$C</Item>", "x = <Row><Cell a />\n  text\n</Row>;\n", "x = <Item><Cell a />\n  text\n</Item>;\n"),
        Rewrite("disabled={$X}", "enabled={!$X}", "x = <a disabled={b || c} />;\n", "x = <a enabled={!(b || c)} />;\n", "attribute"),
        Rewrite("{$C && $E}", "{$C ? $E : null}", "x = <p>{a.b && <c />}</p>;\n", "x = <p>{a.b ? <c /> : null}</p>;\n", "attribute"),
        Rewrite("useEffect(() => { $$$B }, [])", "useMount(() => {\n  $$$B\n})", "function A() {\n  useEffect(() => {\n    // once\n    b();\n\n    c();\n  }, []);\n}\n", "function A() {\n  useMount(() => {\n    // once\n    b();\n\n    c();\n  });\n}\n"),
        Rewrite("onClick={$F}", "", "x = <a b onClick={c} d />;\n", "x = <a b d />;\n", "attribute"),
        Rewrite("<b>$$$C</b>", "<i>$$$C", "x = <b>c</b>;\n", None),
    ],
)  # fmt: skip
