"""What a name may be in a language: servers take nearly anything, `1 bad` too (facts §5), so it is checked before they are asked.

A name is a word, and what stands before it: `#` of a private member in JavaScript, `--` of a property in CSS. The
reserved words are those that can name nothing; words that are reserved in some places only are left to the server.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

import attrs
from toolpost import ToolError

from toolpost_lsp.words import clean

_WORD = r"[^\W\d]\w*"
_WORD_OR_DOLLAR = r"(?:[^\W\d]|\$)[\w$]*"
_ASCII = r"[A-Za-z_][A-Za-z0-9_]*"
_HYPHENATED = r"-?[^\W\d][\w-]*"


@attrs.frozen(kw_only=True)
class Names:
    """The names of one language.

    Attributes:
        word: a regular expression of a whole name, without what stands before it.
        parts: characters beside letters, digits and `_` that belong to a name.
        before: what may stand before a name and be a part of it.
        reserved: words that are no names.
    """

    word: str = _WORD_OR_DOLLAR
    parts: str = "$"
    before: tuple[str, ...] = ()
    reserved: frozenset[str] = frozenset()

    def split(self, name: str) -> tuple[str, str]:
        """What stands before a name, and its word."""
        first = next((each for each in self.before if name.startswith(each) and name != each), "")
        return first, name[len(first) :]

    def refusal(self, name: str) -> str | None:
        """Why *name* is none; None if it is one."""
        _, word = self.split(name)
        if not re.fullmatch(self.word, word):
            return "it is no identifier"
        return "it is a reserved word" if name in self.reserved else None


def of(language: str | None) -> Names:
    """The names of a language, by its LSP language id; for one that is not known here, what most of them have in common."""
    return _LANGUAGES.get(language or "", _COMMON)


def check(language: str | None, name: str) -> None:
    """Refuse what cannot be a name in a language.

    Raises:
        ToolError: it cannot, and why.
    """
    why = of(language).refusal(name)
    if why is not None:
        raise ToolError(
            f"{clean(name, 100)!r} cannot be a name in {language or 'this language'}: {why}; give the new name alone. "
            "Nothing is changed"
        )


def check_instead(language: str | None, old: str, new: str) -> None:
    """Refuse a name that is valid, but not in place of *old*.

    Raises:
        ToolError: it is the same one, or another kind of name.
    """
    if old == new:
        raise ToolError(f"{clean(old, 100)} has that name already; nothing is changed")
    names = of(language)
    (old_before, _), (new_before, _) = names.split(old), names.split(new)
    if old_before != new_before:
        kind = f"a name that begins with {old_before}" if old_before else f"a name without {new_before}"
        raise ToolError(f"{clean(old, 100)} is {kind}, so its new name must be one too; nothing is changed")


def _reserved(*words: str, more: Iterable[str] = ()) -> frozenset[str]:
    return frozenset([each for line in words for each in line.split()]).union(more)


_COMMON = Names(reserved=_reserved("if else for while return true false null"))

_C = _reserved(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register",
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex",
)
_CPP = _reserved(
    "alignas alignof asm bool catch char8_t char16_t char32_t class concept consteval constexpr constinit const_cast",
    "co_await co_return co_yield decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept",
    "nullptr operator private protected public reinterpret_cast requires static_assert static_cast template this",
    "thread_local throw true try typeid typename using virtual wchar_t and and_eq bitand bitor compl not not_eq or or_eq",
    "xor xor_eq",
    more=_C - {"restrict", "_Bool", "_Complex"},
)
_C_NAMES = Names(word=_WORD_OR_DOLLAR, reserved=_C)
_CPP_NAMES = Names(word=_WORD_OR_DOLLAR, reserved=_CPP)
_JAVASCRIPT = Names(
    before=("#",),
    reserved=_reserved(
        "await break case catch class const continue debugger default delete do else enum export extends false finally for",
        "function if implements import in instanceof interface let new null package private protected public return static",
        "super switch this throw true try typeof var void while with yield",
    ),
)
_CSS = Names(word=_HYPHENATED, parts="-", before=("--", "$", "@", ".", "#", "%"))

_LANGUAGES = {
    "python": Names(word=_WORD, parts="", reserved=frozenset(keyword.kwlist)),
    "javascript": _JAVASCRIPT,
    "javascriptreact": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "typescriptreact": _JAVASCRIPT,
    "vue": _JAVASCRIPT,
    "svelte": _JAVASCRIPT,
    "c": _C_NAMES,
    "objective-c": _C_NAMES,
    "cpp": _CPP_NAMES,
    "cuda-cpp": _CPP_NAMES,
    "objective-cpp": _CPP_NAMES,
    "go": Names(
        word=_WORD,
        parts="",
        reserved=_reserved(
            "_ break case chan const continue default defer else fallthrough for func go goto if import interface map",
            "package range return select struct switch type var",
        ),
    ),
    "rust": Names(
        word=_WORD,
        parts="",
        before=("r#", "'"),
        reserved=_reserved(
            "_ as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod",
            "move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become",
            "box do final macro override priv try typeof unsized virtual yield",
        ),
    ),
    "java": Names(
        reserved=_reserved(
            "_ abstract assert boolean break byte case catch char class const continue default do double else enum extends",
            "final finally float for goto if implements import instanceof int interface long native new null package",
            "private protected public return short static strictfp super switch synchronized this throw throws transient",
            "true try false void volatile while",
        )
    ),
    "dart": Names(
        reserved=_reserved(
            "assert break case catch class const continue default do else enum extends false final finally for if in is new",
            "null rethrow return super switch this throw true try var void while with",
        )
    ),
    "lua": Names(
        word=_ASCII,
        parts="",
        reserved=_reserved(
            "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
        ),
    ),
    "zig": Names(
        word=_ASCII,
        parts="",
        reserved=_reserved(
            "_ addrspace align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else",
            "enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend opaque or orelse",
            "packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var",
            "volatile while",
        ),
    ),
    "shellscript": Names(
        word=_ASCII,
        parts="",
        reserved=_reserved("case coproc do done elif else esac fi for function if in select then time until while"),
    ),
    "css": _CSS,
    "scss": _CSS,
    "less": _CSS,
    "html": Names(word=r"[^\W\d][\w:.-]*", parts="-:."),
    "yaml": Names(word=r"[^\W\d][\w.-]*", parts="-."),
}
