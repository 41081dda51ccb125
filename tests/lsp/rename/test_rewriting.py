"""Edits made on bytes, compared with the plainest way to make them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from toolpost_lsp.protocol.text import LineIndex
from toolpost_lsp.rename.operations import Edit
from toolpost_lsp.rename.rewriting import Rewriting

TEXTS = st.lists(st.sampled_from(["a", "é", "e\u0301", "😀", "\n", " ", "\u2028", "\x0c"]), max_size=30).map("".join)


@given(
    TEXTS,
    st.lists(st.tuples(st.integers(0, 40), TEXTS), max_size=8),
    st.sampled_from(["utf-8", "utf-16", "utf-32"]),
    st.randoms(),
)
def test_the_result_is_that_of_plain_slices(text: str, cuts: list[tuple[int, str]], encoding: str, random):
    points = sorted({min(at, len(text)) for at, _ in cuts})
    spans = list(zip(points[::2], points[1::2], strict=False))
    lines = LineIndex.of(text)
    expected, edits = text, []
    for (start, end), (_, new) in reversed(list(zip(spans, cuts, strict=False))):
        expected = expected[:start] + new + expected[end:]
        edits.append(Edit(range=lines.range(start, end, encoding), new=new))
    random.shuffle(edits)
    rewriting = Rewriting("a.py", text.encode())
    rewriting.add(edits, encoding)
    data, made = rewriting.result()
    assert data.decode() == expected
    assert [each.old for each in made] == [text[start:end] for start, end in spans]


@given(TEXTS, st.booleans())
def test_no_edit_changes_no_byte(text: str, marked: bool):
    data = (b"\xef\xbb\xbf" if marked else b"") + text.replace("\n", "\r\n").encode()
    assert Rewriting("a.py", data).result() == (data, ())
