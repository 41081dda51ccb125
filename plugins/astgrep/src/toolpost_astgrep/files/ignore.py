"""The rules of ignore files, as git reads them (gitignore(5)).

The files come with a checkout, so no line may hurt: one that is malformed never matches, and a match takes time
proportional to the name. As plain regular expressions, `*a*a*a*a*a*a*b` tried every way to split a long name and held
the interpreter's lock for minutes; here what stands between two stars is taken where it first fits, which is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import attrs

_ALL = frozenset({"*", "/*", "**", "/**"})
_CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
        "graph": r"\x21-\x7e", "lower": "a-z", "print": r"\x20-\x7e", "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
        "space": r" \t\n\r\f\v", "upper": "A-Z", "xdigit": "0-9a-fA-F",
    }
)  # fmt: skip


class _Malformed(ValueError):
    """A pattern that git never matches: a bracket or an escape without its end."""


@attrs.frozen
class _Segment:
    """What one component of a path must be: this name, or a match of this expression; neither is any number of them."""

    name: str | None = None
    expression: str | None = None

    @property
    def any_depth(self) -> bool:
        return self.name is None and self.expression is None

    def test(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.name) if self.name is not None else self.expression or ".*", re.DOTALL)


@attrs.frozen
class _Deep:
    """A pattern with a slash: runs of components, with any number of others between two of them."""

    runs: tuple[tuple[re.Pattern[str], ...], ...]

    def matches(self, parts: Sequence[str]) -> bool:
        first, *middle = self.runs
        if not middle:
            return len(parts) == len(first) and _fits(first, parts, 0)
        last = middle.pop()
        end = len(parts) - max(1, len(last))  # a last `**` stands for one component at least
        at = len(first)
        if at > end or not _fits(first, parts, 0) or not _fits(last, parts, end):
            return False
        for run in middle:
            here = next((start for start in range(at, end - len(run) + 1) if _fits(run, parts, start)), None)
            if here is None:
                return False
            at = here + len(run)
        return True


def _fits(run: Sequence[re.Pattern[str]], parts: Sequence[str], at: int) -> bool:
    return all(test.fullmatch(part) for test, part in zip(run, parts[at:], strict=False))


@attrs.frozen
class _Rule:
    order: int
    ignores: bool
    folders_only: bool
    anchored: bool
    segments: tuple[_Segment, ...]


@attrs.frozen
class _Table:
    """The rules for files or for folders, by how they are looked up. The last rule that matches decides.

    Attributes:
        names: plain names, with the last rule of each.
        wild: all names with wildcards as one expression, a group each, the last rule first.
        deep: patterns with a slash, the last rule first.
    """

    verdicts: Mapping[int, bool]
    names: Mapping[str, int]
    wild: re.Pattern[str] | None
    wild_orders: tuple[int, ...]
    deep: tuple[tuple[int, _Deep], ...]

    @classmethod
    def of(cls, rules: Sequence[_Rule]) -> _Table:
        names: dict[str, int] = {}
        wild: list[tuple[int, str]] = []
        deep: list[tuple[int, _Deep]] = []
        for rule in rules:
            if rule.anchored:
                deep.append((rule.order, _Deep(_runs(rule.segments))))
            elif rule.segments[0].name is not None:
                names[rule.segments[0].name] = rule.order
            else:
                wild.append((rule.order, rule.segments[0].expression or ".*"))
        wild.reverse()
        deep.reverse()
        together = "|".join(f"({expression})" for _, expression in wild)
        return cls(
            verdicts={rule.order: rule.ignores for rule in rules},
            names=names,
            wild=re.compile(together, re.DOTALL) if wild else None,
            wild_orders=tuple(order for order, _ in wild),
            deep=tuple(deep),
        )

    def decide(self, path: str) -> bool | None:
        name = path.rpartition("/")[2]
        best = self.names.get(name, -1)
        if self.wild is not None and (found := self.wild.fullmatch(name)) is not None:
            assert found.lastindex is not None
            best = max(best, self.wild_orders[found.lastindex - 1])
        if self.deep:
            parts = path.split("/")
            for order, deep in self.deep:
                if order < best:
                    break
                if deep.matches(parts):
                    best = order
                    break
        return self.verdicts.get(best)


@attrs.frozen
class Rules:
    """The rules of one ignore file.

    Attributes:
        everything: the file ignores all that is beside it, as the one that a virtual environment brings along does.
    """

    everything: bool
    _files: _Table
    _folders: _Table

    @classmethod
    def of(cls, lines: Iterable[str]) -> Rules:
        """Parse the lines of an ignore file; comments, blank and malformed ones mean nothing."""
        rules: list[_Rule] = []
        texts = [text for line in lines if (text := _trimmed(line))]
        for order, text in enumerate(texts):
            try:
                rule = _parse(text, order)
            except _Malformed:
                continue
            rules.append(rule)
        return cls(
            everything=bool(texts) and set(texts) <= _ALL,
            files=_Table.of([rule for rule in rules if not rule.folders_only]),
            folders=_Table.of(rules),
        )

    @classmethod
    def read(cls, content: bytes) -> Rules:
        """Parse the bytes of an ignore file."""
        text = content.removeprefix(b"\xef\xbb\xbf").decode(errors="surrogateescape")
        return cls.of(line.removesuffix("\r") for line in text.split("\n"))

    def decide(self, path: str, *, folder: bool) -> bool | None:
        """Whether the rules ignore exactly this path: True, False where they take it back, None if none speaks of it.

        What lies in an ignored folder is for the caller to leave out.

        Args:
            path: relative to the ignore file's folder, without a slash at its end.
        """
        return (self._folders if folder else self._files).decide(path)


def _trimmed(line: str) -> str:
    """The line without the blanks at its end that no backslash holds; nothing for a comment."""
    if line.startswith("#"):
        return ""
    bare = line.rstrip(" ")
    held = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return bare + " " if held and len(bare) < len(line) else bare


def _parse(text: str, order: int) -> _Rule:
    ignores = not text.startswith("!")
    pattern = text if ignores else text[1:]
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    anchored = "/" in pattern
    if not pattern:
        raise _Malformed
    return _Rule(order, ignores, folders_only, anchored, tuple(_segments(pattern.removeprefix("/"))))


def _runs(segments: Sequence[_Segment]) -> tuple[tuple[re.Pattern[str], ...], ...]:
    runs: list[tuple[re.Pattern[str], ...]] = [()]
    for segment in segments:
        if segment.any_depth:
            runs.append(())
        else:
            runs[-1] += (segment.test(),)
    return tuple(runs)


def _segments(pattern: str) -> list[_Segment]:
    """The components of a pattern. A slash in brackets is none between them."""
    found: list[_Segment] = []
    plain, pieces, stars = "", [""], 0  # the text so far, as a name and as expressions between stars
    at = 0
    while at <= len(pattern):
        char = pattern[at] if at < len(pattern) else "/"
        at += 1
        if char == "\\" and pattern.startswith("/", at):
            continue
        if char == "/":
            only_stars = pieces == [""] * (stars + 1)
            if only_stars and stars > 1:
                found.append(_Segment())
            elif not stars and all(piece == re.escape(plain) for piece in pieces):
                found.append(_Segment(name=plain))
            else:
                found.append(_Segment(expression=_joined(pieces)))
            plain, pieces, stars = "", [""], 0
        elif char == "*":
            stars += 1
            pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            bracket, at = _bracket(pattern, at)
            pieces[-1] += bracket
        else:
            if char == "\\":
                if at == len(pattern):
                    raise _Malformed
                char = pattern[at]
                at += 1
            plain += char
            pieces[-1] += re.escape(char)
    return found


def _joined(pieces: Sequence[str]) -> str:
    """Pieces with stars between them. All but the last are taken where they first fit, and never tried elsewhere."""
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    return first + "".join(f"(?>.*?{piece})" for piece in middle if piece) + ".*" + last


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """The expression for a bracket whose content starts at *at*, and where it ends."""
    negated = pattern[at : at + 1] in ("!", "^") and at < len(pattern)
    at += negated
    items, first = "", True
    while True:
        char, at = _taken(pattern, at)
        if char == "]" and not first:
            break
        first = False
        if char == "[" and pattern.startswith(":", at) and (end := pattern.find(":]", at + 1)) > 0:
            items += _CLASSES.get(pattern[at + 1 : end]) or _malformed()
            at = end + 2
            continue
        if char == "\\":
            char, at = _taken(pattern, at)
        if pattern.startswith("-", at) and not pattern.startswith("]", at + 1):
            high, at = _taken(pattern, at + 1)
            if high == "\\":
                high, at = _taken(pattern, at)
            items += f"{re.escape(char)}-{re.escape(high)}" if char <= high else ""
        else:
            items += re.escape(char)
    if not items:
        return ("." if negated else "(?!)"), at
    return f"[{'^' if negated else ''}{items}]", at


def _taken(pattern: str, at: int) -> tuple[str, int]:
    if at >= len(pattern):
        raise _Malformed
    return pattern[at], at + 1


def _malformed() -> str:
    raise _Malformed
