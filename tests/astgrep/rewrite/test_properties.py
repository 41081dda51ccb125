"""What holds for any pattern made of the code itself: it matches there, and rewriting it to itself changes nothing."""

from __future__ import annotations

import os
import sysconfig
from functools import cache
from pathlib import Path

import pytest
from astgrep.engine.searching import parsed, scanner
from astgrep.harness import in_run, tree
from astgrep.rewrite.own_patterns import OwnPattern, nodes_of, own_pattern
from astgrep.rewrite.rewriting import rewritten
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from toolpost import Run, Surface
from toolpost_astgrep.patterns.pattern import PatternError, compile_pattern
from toolpost_astgrep.rewriting.code import Code, syntax_errors

_PYTHON = ("bisect.py", "contextlib.py", "heapq.py", "queue.py", "sched.py", "shlex.py", "textwrap.py", "zipapp.py")

_CODE = {
    "javascript": """\
import { readFile, stat } from "node:fs";

// The names that are known.
export const known = new Map([["a", 1], ["b", 2]]);

export async function load(path, options = {}) {
    if (!path) {
        throw new TypeError(`no path: ${path}`);
    }
    const text = await readFile(path, options.encoding ?? "utf8");
    for (const [index, line] of text.split("\\n").entries()) {
        if (line.startsWith("#") || line === "") continue;
        known.set(line.trim(), index); // the last one wins
    }
    return known.size > 0 ? [...known.keys()] : null;
}

class Store extends Map {
    #size = 0;
    get(key) {
        try {
            return super.get(key);
        } catch (error) {
            console.log("lost", key, error);
            return undefined;
        } finally {
            this.#size += 1;
        }
    }
}
""",
    "typescript": """\
type Known = { name: string; age?: number };

export function first<T extends Known>(all: readonly T[], wanted: string): T | undefined {
    let found: T | undefined;
    for (let i = 0; i < all.length; i++) {
        const each = all[i]!;
        if (each.name === wanted && each.age !== undefined) {
            found = each;
        } else {
            switch (wanted) {
                case "any":
                    return each;
                default:
                    break;
            }
        }
    }
    return found as T;
}
""",
    "rust": """\
use std::collections::HashMap;

/// Counts words.
pub fn count(text: &str, least: usize) -> Result<HashMap<String, usize>, Error> {
    let mut found = HashMap::new();
    for word in text.split_whitespace() {
        if word.len() < least {
            continue;
        }
        *found.entry(word.to_string()).or_insert(0) += 1;
    }
    match found.len() {
        0 => Err(Error::Empty),
        n if n > 100 => panic!("{} words", n),
        _ => Ok(found),
    }
}

impl Store {
    fn get(&self, key: &str) -> Option<&Value> {
        let value = self.values.get(key)?;
        value.touch();
        Some(value)
    }
}
""",
    "go": """\
package store

import (
	"fmt"
	"os"
)

// Load reads a file.
func Load(path string, limit int) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", path, err)
	}
	for i := 0; i < len(data); i++ {
		if data[i] == 0 {
			data = append(data[:i], data[i+1:]...)
		}
	}
	defer func() { fmt.Println(len(data), limit) }()
	return data, nil
}
""",
    "java": """\
package a.b;

import java.util.List;

public class Store extends Base implements Known {
    private final List<String> names;

    public int count(String wanted, int least) throws Lost {
        int found = 0;
        for (String each : names) {
            if (each.equals(wanted) && each.length() > least) {
                found += 1;
            } else if (each.isEmpty()) {
                continue;
            }
        }
        try {
            log(found, wanted);
        } catch (RuntimeException error) {
            throw new Lost("no log", error);
        }
        return found > 0 ? found : -1;
    }
}
""",
    "c": """\
#include <stdio.h>

/* Adds up. */
static int total(const int *all, size_t count)
{
	int sum = 0;
	for (size_t i = 0; i < count; i++) {
		if (all[i] < 0)
			continue;
		sum += all[i] * 2;
	}
	while (sum > 100) {
		printf("%d left\\n", sum);
		sum -= 100;
	}
	return sum ? sum : -1;
}
""",
    "dart": """\
import 'dart:io';

class Store extends Base {
  final Map<String, int> names = {};

  int count(String wanted, {int least = 0}) {
    var found = 0;
    for (final each in names.keys) {
      if (each == wanted && each.length > least) {
        found += 1;
      }
    }
    if (found > 0) {
      print(found);
      log(wanted, found);
    }
    return found;
  }
}
""",
}

_UNITS = (
    "statement",
    "expression",
    "declaration",
    "definition",
    "call",
    "operator",
    "invocation",
    "assignment",
    "item",
)
"""What kinds of nodes a pattern can be whatever stands around them, by the ends of their names."""


@cache
def _sources(language: str) -> list[bytes]:
    if language == "python":
        library = Path(sysconfig.get_path("stdlib"))
        return [(library / name).read_bytes() for name in _PYTHON]
    return [_CODE[language].encode()]


@st.composite
def _own(draw: st.DrawFn, language: str) -> tuple[bytes, OwnPattern]:
    source = draw(st.sampled_from(_sources(language)))
    _, tree_ = parsed(language, source)
    nodes = nodes_of(tree_.root_node, lambda node: node.is_named and node.type.endswith(_UNITS))
    own = own_pattern(source, nodes, lambda below: draw(st.integers(0, below - 1)))
    assume(own is not None)
    assert own is not None
    return source, own


_LANGUAGES = pytest.mark.parametrize("language", ["python", *_CODE])


@_LANGUAGES
@pytest.mark.requirement("ast:run", "ast:same-grammar", "edit:substitute", "edit:encoding", "edit:reparse")
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_pattern_matches_where_it_was_made_and_rewritten_to_itself_changes_nothing(
    language: str, data: st.DataObject
):
    _holds(language, *data.draw(_own(language)))


@_LANGUAGES
@pytest.mark.slow
@pytest.mark.requirement("ast:run", "ast:same-grammar", "edit:substitute", "edit:encoding", "edit:reparse")
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_many_patterns_match_where_they_were_made(language: str, data: st.DataObject):
    _holds(language, *data.draw(_own(language)))


def _holds(language: str, source: bytes, own: OwnPattern) -> None:
    try:
        pattern = compile_pattern(own.text, language)
    except PatternError:
        assume(False)  # refused with a reason; were it most of them, hypothesis would say so
        raise
    _, tree_ = parsed(language, source)
    for reading in pattern.readings:
        search = scanner(language, reading)
        matches = list(search.matches(source, tree_))
        assert search.may_match(source) or not matches, "the prefilter is a superset"
        if any(match.start == own.start and _is_end(source, match.end, own.end) for match in matches):
            break
    else:
        raise AssertionError(f"{own.text!r} does not match itself")

    made = rewritten(language, own.text, own.text, source, reading.context)
    assert made.after is not None, made.problem
    assert _around(source, [(span.old_start, span.old_end) for span in made.spans]) == _around(
        made.after, [(span.start, span.end) for span in made.spans]
    )
    before, after = (
        sum(1 for _ in syntax_errors(parsed(language, text)[1].root_node)) for text in (source, made.after)
    )
    assert after <= before
    if not made.comments:
        # Other matches are laid out as this one is, and get its comments.
        if not Code(source, tree_).comments_in(own.start, own.end):
            assert _squeezed(source) == _squeezed(made.after)
        here = [span for span in made.spans if span.old_start == own.start]
        for span in here:
            old, new = source[span.old_start : span.old_end], made.after[span.start : span.end]
            assert _unindented(new) == _unindented(old)


def _is_end(source: bytes, one: int, other: int) -> bool:
    """Whether there are only blanks and separators between two places."""
    return not source[min(one, other) : max(one, other)].strip(b" \t\r\n;,")


def _around(text: bytes, ranges: list[tuple[int, int]]) -> list[bytes]:
    """What is between some ranges of a text."""
    ends, starts = [0, *(end for _, end in ranges)], [*(start for start, _ in ranges), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _squeezed(text: bytes) -> bytes:
    return b"".join(text.split())


def _unindented(text: bytes) -> list[bytes]:
    """Lines without their indentation: what is aligned in a pattern comes in the file's own steps."""
    return [line.strip() for line in text.split(b"\n")]


_NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""Each example opens a run: hundreds of them to make a failing one smaller would take minutes."""

_NAMES = st.sampled_from(["a", "bb", "c_c"])
_LINES = st.lists(
    st.one_of(
        st.builds("{}({})".format, _NAMES, _NAMES),
        st.builds("x = {}(1, 'é', {})".format, _NAMES, _NAMES),
        st.just("# déjà vu"),
        st.just("if bb(1):\n    a(2)\n"),
        st.just(""),
    ),
    max_size=8,
)


_FILES = st.lists(
    st.tuples(
        _LINES,
        st.sampled_from(["\n", "\r\n"]),
        st.sampled_from(["utf-8", "utf-8-sig", "latin-1"]),
        st.sampled_from([0o644, 0o755, 0o600, 0o664]),
    ),
    min_size=3,
    max_size=10,
)


@pytest.mark.requirement("resolve:undo", "edit:staged", "edit:encoding")
@settings(max_examples=4, deadline=None, phases=_NO_SHRINKING)
@given(files=_FILES)
def test_what_is_accepted_and_taken_back_is_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[list[str], str, str, int]]
):
    folder = tmp_path_factory.mktemp("w")
    before, encodings = {}, {}
    for number, (lines, end, encoding, mode) in enumerate(files):
        head = ["# coding: latin-1"] if encoding == "latin-1" else []
        text = "\n".join([*head, *lines, "a(0)"]).replace("\n", end)
        name = f"{number}.py"
        before[name], encodings[name] = (text.encode(encoding), mode), encoding
        tree(folder, {name: before[name][0]})
        os.chmod(folder / name, mode)

    def now() -> dict[str, tuple[bytes, int]]:
        return {name: ((folder / name).read_bytes(), (folder / name).stat().st_mode & 0o777) for name in before}

    async def work(_: Run, surface: Surface) -> None:
        edit = {"pattern": "a($X)", "rewrite": "aa($X, 'ü')", "language": "python"}
        staged = await surface.call("ast_edit", edit)
        assert not staged.is_error, staged.text
        assert now() == before
        assert not (await surface.call("resolve", {"action": "accept"})).is_error
        for name, (after, mode) in now().items():
            assert mode == before[name][1]
            assert after != before[name][0]
            back = after.decode(encodings[name]).replace("aa(", "a(").replace(", 'ü')", ")")
            assert back.encode(encodings[name]) == before[name][0]
        assert not (await surface.call("resolve", {"action": "undo", "edit_id": "undo_1"})).is_error
        assert now() == before

    in_run(folder, work)


@pytest.mark.requirement("edit:one-node")
@pytest.mark.parametrize(
    ("language", "pattern", "source"),
    [
        ("dart", "each.length > least", "f() { if (each == wanted && each.length > least) { g(); } }"),
        ("dart", "$A + $B", "f() { x = a.b * c + d; }"),
    ],
)
def test_what_is_put_back_as_it_was_gets_no_parentheses(language: str, pattern: str, source: str):
    made = rewritten(language, pattern, pattern, source)
    assert (made.after, made.parenthesised) == (source.encode(), 0)


@pytest.mark.requirement("edit:substitute")
@pytest.mark.parametrize("margin", ["", "    "])
def test_comments_that_the_rewrite_holds_itself_are_there_once(margin: str):
    lines = ["def f(self):", "    # one", "    # two", "    return g(self)", "    # three"]
    source = ("" if not margin else "class C:\n") + "".join(f"{margin}{line}\n" for line in lines)
    pattern = "def f(self):\n    # one\n    # two\n    $$$A\n    # three"
    made = rewritten("python", pattern, pattern, source)
    assert (made.after, made.comments) == (source.encode(), 0)


@pytest.mark.requirement("edit:substitute")
@pytest.mark.parametrize(
    ("language", "pattern", "rewrite", "source", "after"),
    [
        ("python", "c(x)  # gone", "d(x)  # gone", "c(x)  # gone\n", "d(x)  # gone\n"),
        ("javascript", "c(x);  // gone", "d(x);  // gone", "c(x);  // gone\n", "d(x);  // gone\n"),
        ("javascript", "c(x)  // gone", "d(x)  // gone", "c(x);  // gone\n", "d(x);  // gone\n"),
        ("c", "c(x); /* gone */", "d(x); /* gone */", "void m() { c(x); /* gone */ }", "void m() { d(x); /* gone */ }"),
    ],
)
def test_a_comment_behind_a_match_is_there_once(language: str, pattern: str, rewrite: str, source: str, after: str):
    assert rewritten(language, pattern, rewrite, source).after == after.encode()
