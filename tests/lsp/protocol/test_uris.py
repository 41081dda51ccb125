"""Paths and URIs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost_lsp.protocol.uris import path_of, uri_of

PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).map(lambda text: "/" + text)


@given(PATHS)
def test_every_path_comes_back(path: str) -> None:
    uri = uri_of(path)
    assert path_of(uri) == path
    assert uri.isascii() and uri.isprintable() and " " not in uri


@given(PATHS)
def test_what_servers_in_python_write_is_read(path: str) -> None:
    written = Path(path)
    assert path_of(written.as_uri()) == str(written)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c.py", "/a/b c.py"),
        ("file:///a/b c.py", "/a/b c.py"),
        ("FILE:///a", "/a"),
        ("file:/a/b", "/a/b"),
        ("file://localhost/a", "/a"),
        ("file:///c%3A/x", "/c:/x"),
        ("file:///c:/x", "/c:/x"),
        ("file:///%E2%82%AC", "/€"),
        ("file:///a#b?c", "/a#b?c"),
        ("file:///100%", "/100%"),
        ("file:///a/../b", "/a/../b"),  # whoever uses it confines it
        ("file://host/a", None),
        ("file:a", None),
        ("file://", None),
        ("file:///%ff", None),
        ("file:///a%00b", None),
        ("file:///\ud83d", None),
        ("untitled:Untitled-1", None),
        ("https://example.org/a", None),
        ("jdt://contents/a", None),
        ("/a", None),
        ("", None),
    ],
)
def test_the_forms_that_servers_use(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/b", "no absolute path"),
        ("", "no absolute path"),
        ("/a\0b", "no absolute path"),
        ("/caf\udce9", "is not UTF-8"),
    ],
)
def test_a_name_that_no_uri_holds_is_refused(path: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        uri_of(path)
