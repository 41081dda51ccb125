"""What a pattern is made of, and which children of a node mean something."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from tree_sitter import Node

SEPARATORS = frozenset({",", ";"})
_CLOSERS = frozenset({")", "]", "}", ">", "..."})
OPENERS = frozenset({"then", "do"})
"""Words that are separators where they begin a node of that name: in Ruby a line end does as well."""
_TEXTS = frozenset({"heredoc_body", "text_interpolation"})
"""What a parser finds between any two tokens, as a comment, and is none."""


@attrs.frozen
class Leaf:
    """A token of the pattern, to be found as it stands. A string without interpolation is one, quotes and all.

    Attributes:
        caseless: a word that is the same in upper and in lower case.
    """

    kind: str
    kind_id: int
    text: bytes
    named: bool
    caseless: bool = False

    def is_spelling(self, text: bytes) -> bool:
        """Whether a token of its kind is this one, by its text."""
        return not self.named or text == self.text or (self.caseless and text.lower() == self.text.lower())

    @property
    def spelt(self) -> bool:
        """Whether it is spelt in this one way: others match by their kind, as `# define` does for `#define`."""
        if self.named:
            return not self.caseless
        return self.text == self.kind.encode() and not self.kind.startswith("#")


@attrs.frozen
class Branch:
    """A node of the pattern with what is in it.

    Attributes:
        gaps: for a string, the text around and between its children: some grammars have no node for it. None elsewhere,
            where nothing but blanks and comments stands between children.
        separator: the one between its children, where it says something (Profile.separated).
    """

    kind: str
    kind_id: int
    children: tuple[Part, ...]
    gaps: tuple[bytes, ...] | None = None
    separator: str | None = None


@attrs.frozen
class Variable:
    """One node, whatever it is. `name` is None where it binds nothing.

    Attributes:
        wide: it may stand for several siblings: for all of a string's content, which escapes break up, or where the grammar
            keeps tokens only (Profile.tokens) for all between two separators.
    """

    name: str | None
    wide: bool = False


@attrs.frozen
class AnySiblings:
    """Zero or more siblings. `name` is None where it binds nothing."""

    name: str | None


Part = Leaf | Branch | Variable | AnySiblings


@attrs.frozen(kw_only=True)
class Reading:
    """One way to read the fragment: the context that accepted it, and the run of nodes that it is there (ast:run)."""

    context: str
    run: tuple[Part, ...]
    variables: frozenset[str]

    @property
    def kind(self) -> str:
        """The kinds of its nodes, for people."""
        return " ".join(part.kind if isinstance(part, (Leaf, Branch)) else "$" for part in self.run)

    @property
    def parts(self) -> Iterator[Part]:
        """All its parts, outer ones first, in the order of the text."""
        todo = list(reversed(self.run))
        while todo:
            part = todo.pop()
            yield part
            if isinstance(part, Branch):
                todo.extend(reversed(part.children))

    def leaves(self) -> Iterator[Leaf]:
        """Its tokens, in order."""
        return (part for part in self.parts if isinstance(part, Leaf))

    @property
    def repeats(self) -> bool:
        """Whether a metavariable occurs in it more than once."""
        names = [part.name for part in self.parts if isinstance(part, (Variable, AnySiblings)) and part.name]
        return len(names) > len(set(names))


def significant(node: Node) -> list[Node]:
    """The children that mean something: no comments, no separators.

    A separator behind an element says nothing that the next element does not say, and one at the end says nothing at
    all. One behind nothing (the hole of `[, a]`, the empty first part of `for (;;)`) does, and stays.
    """
    children = node.children
    count = len(children)
    while count and (_is_comment(children[count - 1]) or children[count - 1].type in SEPARATORS):
        count -= 1
    kept: list[Node] = []
    after_element = False
    for child in children[:count]:
        if child.is_named:
            if _is_comment(child):
                continue
            after_element = True
        else:
            kind = child.type
            if kind in SEPARATORS:
                if after_element or child.start_byte == child.end_byte:
                    after_element = False
                    continue
            elif not kind.strip() or _is_comment(child) or (kind in OPENERS and kind == node.type):
                continue
            else:
                after_element = kind in _CLOSERS
        kept.append(child)
    return kept


def separator_in(node: Node) -> str | None:
    """The separator between the children of a node; None if it has none."""
    return next((child.type for child in node.children if child.type in SEPARATORS), None)


def unwrapped(node: Node, wrappers: frozenset[str]) -> Node:
    """What a node is when it is seen through (Profile.wrappers): the one node in it, or itself."""
    while wrappers and node.type in wrappers and len(inside := significant(node)) == 1:
        node = inside[0]
    return node


def holder(node: Node, wrappers: frozenset[str]) -> Node | None:
    """The parent of a node, past those that are seen through."""
    parent = node.parent
    while wrappers and parent is not None and parent.type in wrappers and len(significant(parent)) == 1:
        parent = parent.parent
    return parent


def _is_comment(node: Node) -> bool:
    """What may stand anywhere. What the parser could not place counts as that too, but is no comment."""
    return node.is_extra and not node.is_error and node.type not in _TEXTS


def gaps(source: bytes, node: Node) -> tuple[bytes, ...]:
    """The text before, between and behind the children of a node: what the grammar has no node for."""
    children = node.children
    starts = [child.start_byte for child in children] + [node.end_byte]
    ends = [node.start_byte] + [child.end_byte for child in children]
    return tuple(source[end:start] for end, start in zip(ends, starts, strict=True))
