"""Grammars that other distributions bring, each with the table of its language: the group `toolpost.grammars`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import attrs

from toolpost_astgrep.grammars.languages import ALIASES, BY_ENDING, ENDINGS, FILE_NAMES
from toolpost_astgrep.profiles.profile import Profile

GROUP = "toolpost.grammars"


def _small(_: object, __: object, name: str) -> None:
    if not re.fullmatch("[a-z][a-z0-9_-]*", name):
        raise ValueError(f"a language is named by small letters, digits, _ and -, not {name!r}")


def _each_an_ending(_: object, __: object, endings: tuple[str, ...]) -> None:
    for ending in endings:
        if not re.fullmatch(r"\.[^./A-Z]+", ending):
            raise ValueError(f"an ending is one dot and what follows it, in small letters, not {ending!r}")


@attrs.frozen(kw_only=True)
class ExtraGrammar:
    """A grammar that another distribution brings, as a record of the group `toolpost.grammars`.

    Attributes:
        name: the language's id: small letters, digits, `_` and `-`.
        load: gives its tree-sitter Language or the capsule of one; runs in the workers.
        endings: file endings in small letters, with the dot.
        profile: the language's table: the contexts in which a fragment may stand, its comments and strings. Without one
            the generic profile serves.
    """

    name: str = attrs.field(validator=_small)
    load: Callable[[], object] = attrs.field(validator=attrs.validators.is_callable())
    endings: tuple[str, ...] = attrs.field(default=(), converter=tuple, validator=_each_an_ending)
    profile: Profile | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.instance_of(Profile))
    )


@attrs.frozen(kw_only=True)
class Extras:
    """What the installed records come to.

    Attributes:
        by_name: the grammars that are used.
        by_ending: their files' endings.
        origins: the distribution that brings each.
        problems: a sentence for each record, or part of one, that is not used.
    """

    by_name: dict[str, ExtraGrammar]
    by_ending: dict[str, str]
    origins: dict[str, str]
    problems: tuple[str, ...]


@functools.cache
def extras() -> Extras:
    """The grammars that other distributions bring. A broken record, and one that is in another's way, costs itself only."""
    from toolpost import extensions

    made = Extras(by_name={}, by_ending={}, origins={}, problems=())
    problems = []
    for record in extensions(GROUP, ExtraGrammar):
        if record.error is not None:
            problems.append(record.error)
            continue
        grammar: ExtraGrammar = record.value
        owner = "toolpost-astgrep" if _is_ours(grammar.name) else made.origins.get(grammar.name)
        if owner is not None:
            problems.append(f"grammar {grammar.name!r} of {record.distribution} is not used: {owner} has that name")
            continue
        made.by_name[grammar.name] = grammar
        made.origins[grammar.name] = record.distribution
        for ending in grammar.endings:
            holder = BY_ENDING.get(ending) or made.by_ending.get(ending)
            if holder is None:
                made.by_ending[ending] = grammar.name
            else:
                problems.append(
                    f"grammar {grammar.name!r} of {record.distribution} does not get {ending} files: they are {holder}"
                )
    return attrs.evolve(made, problems=tuple(problems))


def extra_grammar(name: str) -> ExtraGrammar | None:
    """The grammar of that name that another distribution brings. For a name of ours nobody is asked, which takes time."""
    return None if _is_ours(name) else extras().by_name.get(name)


def _is_ours(name: str) -> bool:
    """Whether a name is taken here. What the pack ships without files of its own may be described, and mended, by others."""
    return name in ENDINGS or name in ALIASES or name in FILE_NAMES.values()
