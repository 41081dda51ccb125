"""Which files a server asked to hear of: the protocol's globs, and what servers make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolpost_lsp.server.watching import compiled, events, watches

ROOT = "/p"

MATCHES = [
    ("*.py", "a.py", True),
    ("*.py", "b/a.py", False),
    ("**/*.py", "a.py", True),
    ("**/*.py", "b/c/a.py", True),
    ("**", "b/c/a.py", True),
    ("src/**", "src/b/a.py", True),
    ("src/**", "srcs/a.py", False),
    ("src/**/*.py", "src/a.py", True),
    ("**/src/**/*.{py,pyi}", "x/src/y/a.pyi", True),
    ("**/src/**/*.{py,pyi}", "x/src/y/a.pyx", False),
    ("{a,b{c,d}}.py", "bd.py", True),
    ("{a,b{c,d}}.py", "b.py", False),
    ("?.py", "a.py", True),
    ("?.py", "/.py", False),
    ("[a-c].py", "b.py", True),
    ("[!a-c].py", "b.py", False),
    ("[!a-c].py", "d.py", True),
    ("a.b", "aXb", False),
    ("a+(b).py", "a+(b).py", True),
    ("a,b.py", "a,b.py", True),
    ("a}b.py", "a}b.py", True),
    ("**/{go.mod,*.go}", "x/go.mod", True),
    ("**/compile_commands.json", "build/compile_commands.json", True),
    ("**/*", "a\nb", True),
]


@pytest.mark.parametrize(("glob", "path", "expected"), MATCHES)
def test_a_glob_means_what_the_protocol_says(glob: str, path: str, expected: bool) -> None:
    assert bool(compiled(glob).fullmatch(path)) is expected


@given(st.text(alphabet="ab*?[]{},!-/.\\^", max_size=12), st.text(alphabet="ab/.", max_size=6))
def test_no_glob_is_too_odd(glob: str, path: str) -> None:
    compiled(glob).fullmatch(path)


def told(registrations: list[Any], changes: Any) -> list[tuple[str, int]]:
    return [
        (each["uri"].removeprefix("file://"), each["type"]) for each in events(changes, watches(registrations, ROOT))
    ]


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize(
    ("watcher", "heard"),
    [
        ({"globPattern": "**/*.py"}, ["/p/a.py", "/p/b/c.py", "/q/d.py"]),
        ({"globPattern": "*.py"}, ["/p/a.py"]),
        ({"globPattern": "/p/b/*.py"}, ["/p/b/c.py"]),
        ({"globPattern": "b/*.py"}, ["/p/b/c.py"]),
        ({"globPattern": {"baseUri": "file:///p/b", "pattern": "*.py"}}, ["/p/b/c.py"]),
        ({"globPattern": {"baseUri": {"uri": "file:///p/b/", "name": "b"}, "pattern": "**/*.py"}}, ["/p/b/c.py"]),
        ({"globPattern": {"baseUri": "file:///q", "pattern": "**"}}, ["/q/d.py"]),
    ],
)
def test_a_glob_is_relative_to_its_base(watcher: Any, heard: list[str]) -> None:
    changes = dict.fromkeys(["/p/a.py", "/p/b/c.py", "/q/d.py"], "changed")
    assert told([{"watchers": [watcher]}], changes) == [(path, 2) for path in heard]


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize(
    ("kind", "heard"), [(None, "abc"), (7, "abc"), (1, "a"), (2, "b"), (4, "c"), (5, "ac"), (0, ""), ("x", "abc")]
)
def test_a_server_hears_of_the_kinds_that_it_asked_for(kind: Any, heard: str) -> None:
    changes = {"/p/a": "created", "/p/b": "changed", "/p/c": "deleted"}
    watcher = {"globPattern": "**/*"} | ({} if kind is None else {"kind": kind})
    assert "".join(path[-1] for path, _ in told([{"watchers": [watcher]}], changes)) == heard


def test_each_change_is_told_once_whichever_glob_it_is_of() -> None:
    registrations = [
        {"watchers": [{"globPattern": "**/*.py"}, {"globPattern": "a.*"}]},
        {"watchers": [{"globPattern": "**"}]},
    ]
    assert told(registrations, {"/p/a.py": "created", "/p/ä b": "deleted"}) == [("/p/a.py", 1), ("/p/%C3%A4%20b", 3)]


@pytest.mark.requirement("lsp:fresh")
@pytest.mark.parametrize(
    "registrations",
    [
        [],
        [{}],
        [{"watchers": None}],
        [None],
        [
            {
                "watchers": [
                    None,
                    {},
                    {"globPattern": 3},
                    {"globPattern": {"pattern": "*"}},
                    {"globPattern": {"baseUri": 3}},
                ]
            }
        ],
    ],
)
def test_a_server_that_asked_for_nothing_readable_hears_of_everything(registrations: list[Any]) -> None:
    assert told(registrations, {"/p/a": "created"}) == [("/p/a", 1)]


def test_a_name_that_no_uri_can_hold_keeps_nothing_else_back(tmp_path: Path) -> None:
    odd = "/p/caf\udce9.py"  # as Python reads a name that is no UTF-8
    assert told([], {odd: "created", "/p/a.py": "created"}) == [("/p/a.py", 1)]
