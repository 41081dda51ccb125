"""Which files cannot match, told from their bytes: most of a tree is never parsed (facts/structural-search.md §4).

It must let every file pass that holds a match: it asks only for tokens that each match must contain, and between two
neighbours only for what the matcher passes over (blanks, comments, separators).
"""

from __future__ import annotations

import re

import attrs

from toolpost_astgrep.patterns.parts import OPENERS, Branch, Leaf, Part, Reading
from toolpost_astgrep.profiles import Profile

_LONE_RETURN = re.compile(rb"\r(?!\n)")
_PASSED_OVER = frozenset({b",", b";", b"\\"})
"""Tokens that a gap would take with it, so they cannot be looked for behind one."""


@attrs.frozen(kw_only=True)
class Prefilter:
    """The conditions of one reading.

    Attributes:
        literals: bytes that each match holds, the longest first.
        neighbours: tokens that stand one behind the other in each match.
        unclear: where one of these is in a file, it cannot be told by a regular expression what is a comment.
        caseless: all of that is in lower case, since words of the language are the same in upper case.
    """

    literals: tuple[bytes, ...]
    neighbours: tuple[re.Pattern[bytes], ...]
    unclear: tuple[bytes, ...] = ()
    caseless: bool = False

    @classmethod
    def of(cls, reading: Reading, profile: Profile) -> Prefilter:
        """The prefilter of a reading."""
        runs = [run for run in _token_runs(reading) if run]
        gap_texts = {gap for part in reading.parts if isinstance(part, Branch) for gap in part.gaps or () if gap}
        caseless = any(leaf.caseless for leaf in reading.leaves())
        if caseless:
            runs = [[token.lower() for token in run] for run in runs]
            gap_texts = {gap.lower() for gap in gap_texts}
        literals = sorted({token for run in runs for token in run} | gap_texts, key=len, reverse=True)
        gap = _gap(profile)
        patterns: list[re.Pattern[bytes]] = []
        if gap is not None:
            patterns = [re.compile(gap.join(re.escape(token) for token in run)) for run in runs if len(run) > 1]
            patterns.sort(key=lambda each: len(each.pattern), reverse=True)
        return cls(literals=tuple(literals), neighbours=tuple(patterns), unclear=profile.unclear, caseless=caseless)

    def passes(self, data: bytes) -> bool:
        """Whether a file of these bytes may hold a match."""
        if self.caseless:
            data = data.lower()
        for literal in self.literals:
            if literal not in data:
                return False
        if not self.neighbours or all(pattern.search(data) for pattern in self.neighbours):
            return True
        # Rare, so it is looked for last.
        return any(each in data for each in self.unclear) or _LONE_RETURN.search(data) is not None


def _token_runs(reading: Reading) -> list[list[bytes]]:
    """The tokens of a reading in order, cut wherever something else may stand between."""
    runs: list[list[bytes]] = [[]]

    def visit(part: Part) -> None:
        if isinstance(part, Leaf):
            token = part.text
            if token and (part.spelt or part.caseless) and token not in _PASSED_OVER:
                if token[0] >= 0x80:
                    runs.append([])  # a gap takes any byte beyond ASCII for a blank
                runs[-1].append(token)
            else:
                runs.append([])
        elif isinstance(part, Branch) and part.gaps is None:
            if part.kind in OPENERS:
                runs.append([])  # its own word may stand before it
            for child in part.children:
                visit(child)
        else:
            runs.append([])

    for part in reading.run:
        visit(part)
    return runs


def _gap(profile: Profile) -> bytes | None:
    """What may stand between two neighbouring tokens. Possessive throughout: a naive gap took minutes on `########`.

    Blanks are many beyond ASCII, and in no two languages the same: any byte there counts as one.
    """
    if not profile.line_comment and profile.block_comment is None:
        return None
    choices = [rb"[\x00-\x20\\,;\x80-\xff]++"]
    choices += [re.escape(mark.encode()) + rb"[^\n]*+" for mark in profile.line_comment]
    if profile.block_comment is not None:
        begin, end = (re.escape(mark.encode()) for mark in profile.block_comment)
        choices.append(begin + rb"(?s:.*?)" + end)
    return rb"(?>" + rb"|".join(choices) + rb")*+"
