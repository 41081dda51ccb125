"""A fragment of code with metavariables, read by the language's own grammar (ast:ladder, ast:run, ast:readings).

A fragment is parsed inside skeletons, in the ladder's order. The first context that accepts it whole is its meaning;
the further ones are readings that `context` can pick. What is searched for is a *run*: one or more sibling nodes that
cover the fragment exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs
from tree_sitter import Language, Node, Parser

from toolpost_astgrep import grammars
from toolpost_astgrep.hints import looks_like_regex
from toolpost_astgrep.metavariables import Metavariable, split
from toolpost_astgrep.profiles import Profile, Rung, profile_of

_DEEPEST = 150
_LARGEST = 20_000


class PatternError(ValueError):
    """A pattern that cannot be searched for; the text says why, and what to write instead."""


@attrs.frozen
class Leaf:
    """A token of the pattern, to be found as it stands."""

    kind: str
    kind_id: int
    text: bytes
    named: bool


@attrs.frozen
class Branch:
    """A node of the pattern with what is in it."""

    kind: str
    kind_id: int
    children: tuple[Part, ...]


@attrs.frozen
class Variable:
    """One node, whatever it is. `name` is None where it binds nothing."""

    name: str | None


@attrs.frozen
class AnySiblings:
    """Zero or more siblings."""

    name: str | None


Part = Leaf | Branch | Variable | AnySiblings


@attrs.frozen(kw_only=True)
class Reading:
    """One way to read the fragment: the context that accepted it, and the run of nodes it is there."""

    context: str
    run: tuple[Part, ...]
    variables: frozenset[str]

    @property
    def kind(self) -> str:
        """The kinds of its nodes, for people."""
        return " ".join(part.kind if isinstance(part, (Leaf, Branch)) else "$" for part in self.run)

    def leaves(self) -> Iterator[Leaf]:
        """Its tokens, in order."""
        for part in self.run:
            yield from _leaves(part)


@attrs.frozen(kw_only=True)
class Pattern:
    """A compiled fragment. `readings` are all of them, the meaning first, no two alike."""

    fragment: str
    language: str
    readings: tuple[Reading, ...]

    @property
    def meaning(self) -> Reading:
        return self.readings[0]


def compile_pattern(
    fragment: str, language: str, *, context: str | None = None, grammar: Language | None = None
) -> Pattern:
    """Read a fragment as a pattern of a language.

    Args:
        context: only this reading.
        grammar: the language's grammar, if it is loaded already.

    Raises:
        PatternError: it has no reading; the text gives the contexts tried and where each broke.
    """
    grammar = grammar or grammars.load(language)
    profile = profile_of(language)
    text = _trimmed(fragment)
    pieces = list(split(text))
    if all(isinstance(piece, Metavariable) or not piece.strip() for piece in pieces):
        raise PatternError(
            f"pattern {fragment!r} is nothing but metavariables, which would match every node; write the code around them"
        )
    wanted = {piece.name for piece in pieces if isinstance(piece, Metavariable) and piece.name}
    rungs = profile.rungs if context is None else [rung for rung in profile.rungs if rung.context == context]
    if not rungs:
        names = ", ".join(dict.fromkeys(rung.context for rung in profile.rungs))
        raise PatternError(f"{language} has no context {context!r}. There are: {names}")
    readings: list[Reading] = []
    failures: dict[str, str] = {}
    compiler = _Compiler(profile, grammar, pieces, wanted)
    for rung in rungs:
        try:
            reading = compiler.read(rung)
        except _Rejected as rejected:
            failures.setdefault(rung.context, str(rejected))
            continue
        if all(reading.run != known.run for known in readings):
            readings.append(reading)
    if not readings:
        raise PatternError(_unparsable(fragment, language, failures))
    return Pattern(fragment=fragment, language=language, readings=tuple(readings))


# ---- reading ----------------------------------------------------------------------------------------------------


class _Rejected(Exception):
    """A context that does not accept the fragment, and why."""


class _Compiler:
    """Reads one fragment in several contexts."""

    def __init__(
        self, profile: Profile, grammar: Language, pieces: Sequence[str | Metavariable], wanted: set[str]
    ) -> None:
        self._profile = profile
        self._grammar = grammar
        self._pieces = pieces
        self._wanted = wanted
        self._plain = "".join(piece for piece in pieces if isinstance(piece, str))

    def read(self, rung: Rung) -> Reading:
        """The fragment's reading in one context, in the first of the placeholder forms that it accepts.

        Raises:
            _Rejected: it has none.
        """
        word = re.match(r"\s*([a-z]+)\b", self._plain)
        if word and word.group(1) in self._profile.reserved and rung.context in _NAMED_FIRST:
            raise _Rejected(f"{word.group(1)!r} is a reserved word, and no name that could stand there")
        first: _Rejected | None = None
        # A name that begins with a capital is a type or a constructor in some grammars and in some places; and where
        # statements end in a semicolon, a metavariable for one needs it to be read.
        for stem, terminated in (("tpmv", False), ("Tpmv", False), ("tpmv", True)):
            if terminated and not self._profile.terminated:
                continue
            try:
                return self._read(rung, stem, terminated)
            except _Rejected as rejected:
                first = first or rejected
        assert first is not None
        raise first

    def _read(self, rung: Rung, stem: str, terminated: bool) -> Reading:
        while stem in self._plain:
            stem += "q"
        holes: dict[bytes, Metavariable] = {}
        text = ""
        for number, piece in enumerate(self._pieces):
            if isinstance(piece, Metavariable):
                placeholder = f"{stem}{number}x"
                holes[placeholder.encode()] = piece
                following = self._pieces[number + 1] if number + 1 < len(self._pieces) else ""
                stands_alone = text.rstrip()[-1:] in ("{", "}", ";", ":") and _begins_statement(following)
                text += placeholder + (";" if terminated and stands_alone else "")
            else:
                text += piece
        if rung.indent:
            text = text.replace("\n", "\n" + rung.indent)
        before, fragment = rung.before.encode(), text.encode()
        source = before + fragment + rung.after.encode()
        start, end = len(before), len(before) + len(fragment)
        root = Parser(self._grammar).parse(source).root_node
        broken = _first_error(root)
        if broken is not None:
            raise _Rejected(_where(broken, source, start, end, holes))
        run = _run(root, source, start, end)
        if run is None:
            raise _Rejected("the fragment is no whole node there")
        found: set[str] = set()
        parts = tuple(self._part(node, source, holes, found, 0) for node in run)
        lost = self._wanted - found
        if lost:
            raise _Rejected(f"the metavariable ${min(lost)} is no node of its own there")
        if not any(isinstance(part, (Leaf, Branch)) for part in parts):
            raise _Rejected("nothing but metavariables is left of it there")
        return Reading(context=rung.context, run=parts, variables=frozenset(found))

    def _part(self, node: Node, source: bytes, holes: dict[bytes, Metavariable], found: set[str], depth: int) -> Part:
        """A node of the parsed fragment as a part of the pattern."""
        if depth > _DEEPEST:
            raise PatternError(f"the pattern is nested over {_DEEPEST} deep")
        text = source[node.start_byte : node.end_byte]
        hole = holes.get(text)
        if hole is not None and (node.child_count == 0 or self._is_wrapper(node)):
            if hole.name:
                found.add(hole.name)
            return AnySiblings(hole.name) if hole.many else Variable(hole.name)
        if node.child_count == 0:
            if any(placeholder in text for placeholder in holes):
                raise _Rejected(f"a metavariable is only a part of {text[:60].decode(errors='replace')!r} there")
            return Leaf(node.type, node.kind_id, text, node.is_named)
        children = tuple(self._part(child, source, holes, found, depth + 1) for child in significant(node))
        if len(children) == 1 and isinstance(children[0], (Variable, AnySiblings)) and self._is_wrapper(node):
            return children[0]
        return Branch(node.type, node.kind_id, children)

    def _is_wrapper(self, node: Node) -> bool:
        """A node that only wraps its single child: a metavariable in it stands for the whole.

        A container that holds a list without tokens of its own is none: there it stands for an element.
        """
        if node.type in self._profile.containers and node.type != "statement_list":
            return False
        return node.is_named and len(significant(node)) <= 1


def significant(node: Node) -> list[Node]:
    """The children that mean something: no comments, and no separators.

    A separator behind an element says nothing that the next element does not say. One behind nothing (the hole of
    `[, a]`, the empty first part of `for (;;)`) does, and stays.
    """
    kept: list[Node] = []
    after_element = False
    for child in node.children:
        if child.is_extra:
            continue
        if not child.is_named:
            kind = child.type
            if kind in SEPARATORS:
                if after_element or child.start_byte == child.end_byte:
                    after_element = False
                    continue
                kept.append(child)
                continue
            if not kind.strip():
                continue
            after_element = kind in _CLOSERS
        else:
            after_element = True
        kept.append(child)
    return kept


def _begins_statement(following: str | Metavariable) -> bool:
    """Whether what follows a metavariable leaves it a statement of its own."""
    if isinstance(following, Metavariable):
        return False
    rest = following.lstrip(" \t")
    return rest[:1] in ("", "}", "\n")


SEPARATORS = frozenset({",", ";"})
_NAMED_FIRST = frozenset({"class member", "declaration", "parameter", "field", "type member", "pair"})
_CLOSERS = frozenset({")", "]", "}", ">", "..."})


def _leaves(part: Part) -> Iterator[Leaf]:
    if isinstance(part, Leaf):
        yield part
    elif isinstance(part, Branch):
        for child in part.children:
            yield from _leaves(child)


def _trimmed(fragment: str) -> str:
    """The fragment without what is not part of its meaning: blanks around it and a final `;`."""
    if not fragment.strip():
        raise PatternError(
            "the pattern is empty; write the code to look for, with $NAME for one node and $$$NAME for any number"
        )
    if len(fragment) > _LARGEST:
        raise PatternError(f"the pattern has {len(fragment)} characters, over the limit of {_LARGEST}")
    if "\0" in fragment:
        raise PatternError("the pattern holds a NUL character")
    trimmed = fragment.replace("\r\n", "\n").strip("\n").rstrip()
    lines = trimmed.split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    trimmed = "\n".join(line[margin:] if not line[:margin].strip() else line for line in lines)
    return trimmed.removesuffix(";").rstrip() or trimmed


def _run(root: Node, source: bytes, start: int, end: int) -> list[Node] | None:
    """The sibling nodes that cover the range exactly, as far down as that holds.

    What a node has behind the range may be blanks, or separators that the skeleton brought.
    """

    def reaches(node: Node) -> bool:
        return node.end_byte <= end or not source[end : node.end_byte].strip(b" \t\r\n;,")

    node = root.descendant_for_byte_range(start, end)
    if node is None:
        return None
    run = [node]
    if node.start_byte != start or not reaches(node):
        touching = [each for each in significant(node) if each.start_byte < end and each.end_byte > start]
        run = [each for each in touching if each.start_byte >= start and reaches(each)]
        if not run or len(run) < len(touching) or run[0].start_byte != start:
            return None
    while len(run) == 1:
        below = significant(run[0])
        # A statement that is an expression means the expression, wherever that stands.
        only = len(below) == 1 and below[0].is_named and below[0].start_byte == start
        if not only and run[0].type != "expression_statement":
            break
        run = below
    return run


def _first_error(root: Node) -> Node | None:
    """The first node in document order that the parser could not place or made up."""
    if not root.has_error:
        return None
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            return node
        todo.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return root


def _where(broken: Node, source: bytes, start: int, end: int, holes: dict[bytes, Metavariable]) -> str:
    at = broken.start_byte
    if broken.is_missing:
        what = f"{broken.type!r} is missing"
        place = "at its end" if at >= end else f"before {_quote(source[max(at, start) : end], holes)}"
        return f"{what} {place}"
    if at >= end:
        return "it is not complete"
    return f"it breaks at {_quote(source[max(at, start) : end], holes)}"


def _quote(text: bytes, holes: dict[bytes, Metavariable]) -> str:
    for placeholder, hole in holes.items():
        text = text.replace(placeholder, str(hole).encode())
    quoted = text.decode(errors="replace")
    return repr(quoted if len(quoted) <= 40 else quoted[:40] + "…")


def _unparsable(fragment: str, language: str, failures: dict[str, str]) -> str:
    reasons = set(failures.values())
    lost = [reason for reason in failures.values() if reason.startswith(("the metavariable", "a metavariable"))]
    by_reason: dict[str, list[str]] = {}
    for context, reason in failures.items():
        by_reason.setdefault(reason, []).append(context)
    tried = "\n".join(f"  {', '.join(contexts)}: {reason}" for reason, contexts in by_reason.items())
    head = f"pattern {fragment!r} is no {language} in any context"
    if lost:
        head = f"pattern {fragment!r}: {lost[0]}"
    hint = looks_like_regex(fragment)
    more = f"\n{hint}" if hint else ""
    if not hint and any("not complete" in reason or "is missing" in reason for reason in reasons):
        more = (
            "\nWrite the whole construct, with $$$BODY for what is inside: class $A: $$$BODY or class $A { $$$BODY }."
        )
    return f"{head}. Tried:\n{tried}{more}"
