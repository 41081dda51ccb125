"""A fragment of code with metavariables, read by the language's own grammar (ast:ladder, ast:run, ast:readings).

A fragment is parsed inside skeletons, in the ladder's order. The first context that accepts it whole is its meaning;
the further ones are readings that `context` can pick. What is searched for is a *run*: one or more sibling nodes that
cover the fragment exactly.
"""

from __future__ import annotations

import contextlib

import attrs
from tree_sitter import Language

from toolpost_astgrep import grammars
from toolpost_astgrep.patterns.hints import looks_like_lambda, looks_like_list, quoted
from toolpost_astgrep.patterns.metavariables import Metavariable, split
from toolpost_astgrep.patterns.parts import Reading
from toolpost_astgrep.patterns.reading import Reader, Rejected
from toolpost_astgrep.patterns.regular_expression import as_patterns, looks_like_regex, what_to_write
from toolpost_astgrep.profiles import profile_of

_LARGEST = 20_000


class PatternError(ValueError):
    """A pattern that cannot be searched for; the text says why, and what to write instead."""


class Unparsable(PatternError):
    """No context accepts the fragment (ast:unparsable)."""


class LostVariable(PatternError):
    """The fragment parses, but a metavariable is no node of its own in it (ast:lost-variable)."""


class UnknownContext(PatternError):
    """A context that the language does not have."""


@attrs.frozen(kw_only=True)
class Pattern:
    """A compiled fragment. `readings` are all of them, the meaning first, no two alike."""

    fragment: str
    language: str
    readings: tuple[Reading, ...]

    @property
    def meaning(self) -> Reading:
        """The reading of the first context that accepts the fragment."""
        return self.readings[0]


def compile_pattern(
    fragment: str, language: str, *, context: str | None = None, grammar: Language | None = None
) -> Pattern:
    """Read a fragment as a pattern of a language.

    Args:
        context: only this reading.
        grammar: the language's grammar, if it is loaded already.

    Raises:
        Unparsable: no context accepts it; the text gives the contexts tried and where each broke.
        LostVariable: what accepts it leaves no node for one of its metavariables.
        UnknownContext: the language has no such context; the text lists those it has.
        PatternError: it is empty, over-long, or nothing but metavariables.
    """
    grammar = grammar or grammars.load(language)
    profile = profile_of(language)
    pieces = list(split(_trimmed(fragment)))
    if all(isinstance(piece, Metavariable) or not piece.strip() for piece in pieces):
        raise PatternError(
            f"pattern {quoted(fragment)} is nothing but metavariables, which would match every node; write the code around them"
        )
    rungs = [rung for rung in profile.rungs if context in (None, rung.context)]
    if not rungs:
        names = ", ".join(dict.fromkeys(rung.context for rung in profile.rungs))
        raise UnknownContext(f"{language} has no context {quoted(context or '')}. There are: {names}")
    closed = fragment.rstrip().endswith(";")
    reader = Reader(profile, grammar, pieces)
    readings: list[Reading] = []
    failures: dict[str, Rejected] = {}
    for rung in rungs:
        if rung.closed not in (None, closed):
            continue
        if any(known.context == rung.context for known in readings):
            continue  # several rungs of a context are ways to write it, and the first will do
        try:
            reading = reader.read(rung)
        except Rejected as rejected:
            failures[rung.context] = rejected.or_better(failures.get(rung.context))
            continue
        if all(reading.run != known.run for known in readings):
            readings.append(reading)
    if not readings:
        raise _refusal(fragment, language, failures, _meant(fragment, language, grammar))
    return Pattern(fragment=fragment, language=language, readings=tuple(readings))


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
    lines = fragment.replace("\r\n", "\n").strip("\n").rstrip().split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    trimmed = "\n".join(line[margin:] if not line[:margin].strip() else line for line in lines)
    return (trimmed if trimmed.endswith(";;") else trimmed.removesuffix(";")).rstrip() or trimmed


def _meant(fragment: str, language: str, grammar: Language) -> list[str] | None:
    """For what looks like a regular expression, the patterns that it means."""
    if not looks_like_regex(fragment):
        return None
    patterns = []
    for each in as_patterns(fragment):
        with contextlib.suppress(PatternError):
            patterns.append(compile_pattern(each, language, grammar=grammar).fragment)
    return patterns


def _refusal(fragment: str, language: str, failures: dict[str, Rejected], meant: list[str] | None) -> PatternError:
    by_reason: dict[str, list[str]] = {}
    for context, rejected in failures.items():
        by_reason.setdefault(str(rejected), []).append(context)
    tried = "\n".join(f"  {', '.join(contexts)}: {reason}" for reason, contexts in by_reason.items())
    lost = next((str(rejected) for rejected in failures.values() if rejected.lost), None)
    if lost is not None:
        return LostVariable(
            f"pattern {quoted(fragment)}: {lost}. A metavariable stands for a whole node: a name, an expression, a statement, "
            f"all of a string's content; a literal $NAME is written \\$NAME. Tried:\n{tried}"
        )
    more = what_to_write(meant) if meant is not None else looks_like_list(fragment) or looks_like_lambda(fragment) or ""
    if not more and any("it is not complete" in reason for reason in by_reason):
        more = "Write the whole construct, with $$$BODY for what is inside: class $A: $$$BODY or class $A { $$$BODY }."
    head = f"pattern {quoted(fragment)} is no {language} in any context"
    return Unparsable(f"{head}. Tried:\n{tried}" + (f"\n{more}" if more else ""))
