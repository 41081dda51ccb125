"""Which files cannot match, told from their bytes: most of a tree is never parsed (facts/structural-search.md §4).

It must let every file pass that holds a match: it asks only for tokens that each match must contain, and between two
neighbours only for what the matcher passes over (blanks, comments, separators).
"""

from __future__ import annotations

import re

import attrs

from toolpost_astgrep.pattern import Branch, Leaf, Part, Reading
from toolpost_astgrep.profiles import Profile


@attrs.frozen(kw_only=True)
class Prefilter:
    """The conditions of one reading, the most selective first."""

    literals: tuple[bytes, ...]
    neighbours: tuple[re.Pattern[bytes], ...]
    nested_comment: bytes | None = None

    @classmethod
    def of(cls, reading: Reading, profile: Profile) -> Prefilter:
        """The prefilter of a reading."""
        runs = [run for run in _token_runs(reading.run) if run]
        literals = sorted({token for run in runs for token in run}, key=len, reverse=True)
        gap = _gap(profile)
        patterns = []
        if gap is not None:
            patterns = [re.compile(gap.join(re.escape(token) for token in run)) for run in runs if len(run) > 1]
            patterns.sort(key=lambda each: len(each.pattern), reverse=True)
        nested = profile.block_comment[0].encode() if profile.nested_comments and profile.block_comment else None
        return cls(literals=tuple(literals), neighbours=tuple(patterns), nested_comment=nested)

    def passes(self, data: bytes) -> bool:
        """Whether a file of these bytes may hold a match."""
        for literal in self.literals:
            if literal not in data:
                return False
        if self.nested_comment is not None and self.nested_comment in data:
            return True  # a comment in a comment: no regular expression can say where it ends
        return all(pattern.search(data) for pattern in self.neighbours)


# A gap takes separators with it, so one that the pattern asks for cannot be looked for behind a gap.
_PASSED_OVER = frozenset({b",", b";", b"\\"})


def _token_runs(parts: tuple[Part, ...]) -> list[list[bytes]]:
    """The tokens of a pattern in order, cut wherever something else may stand between."""
    runs: list[list[bytes]] = [[]]

    def visit(part: Part) -> None:
        if isinstance(part, Leaf):
            token = part.text
            if not part.named and token != part.kind.encode():
                runs.append([])  # spelt in several ways
            elif token and token not in _PASSED_OVER and not re.search(rb"\s", token):
                runs[-1].append(token)
            else:
                runs.append([])
        elif isinstance(part, Branch):
            for child in part.children:
                visit(child)
        else:
            runs.append([])

    for part in parts:
        visit(part)
    return runs


def _gap(profile: Profile) -> bytes | None:
    """What may stand between two neighbouring tokens. Possessive throughout: a naive gap took minutes on `########`."""
    choices = [rb"[\s\\,;]++"]
    if profile.line_comment is None and profile.block_comment is None:
        return None
    if profile.line_comment is not None:
        choices.append(re.escape(profile.line_comment.encode()) + rb"[^\n]*+")
    if profile.block_comment is not None:
        begin, end = (re.escape(mark.encode()) for mark in profile.block_comment)
        choices.append(begin + rb"(?s:.*?)" + end)
    return rb"(?>" + rb"|".join(choices) + rb")*+"
