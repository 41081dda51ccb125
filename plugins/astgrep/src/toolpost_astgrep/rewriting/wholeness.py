"""Is a range of the new text still the unit that it was meant to be? (edit:one-node)"""

from __future__ import annotations

import itertools
import re

from tree_sitter import Node

from toolpost_astgrep.patterns.parts import SEPARATORS
from toolpost_astgrep.profiles import GENERIC, Profile
from toolpost_astgrep.rewriting.code import Code, is_comment

_NEAR = 80
# What may stand before an operand or an argument without being able to bind to a part of it.
_OPENS = re.compile(rb"(?:[(\[{,;]|=>|(?<![=!<>])=|\b(?:return|throw|yield)|\A)\s*\Z")
_CLOSES = re.compile(
    rb"\s*(?:[)\]},;:]|\Z)"
    # A line that begins with a name, and with no operator that is a word.
    rb"|[ \t]*\r?\n\s*(?!(?:and|as|div|do|else|for|if|in|instanceof|is|mod|not|of|or|then|unless|xor)\b)[a-z_@]",
    re.IGNORECASE,
)
_PARENTHESISED = re.compile("paren|group|token_tree|tuple|^block$", re.IGNORECASE)
_OPERATOR = re.compile(r"(?!(?:->|=>|=|\?\.)$)[-+*/%<>=&|^!?~]+|\?:|\.\.<?|and|or|is|as|in|not|await")
_BANG = "bang"
_BEHIND_A_TYPE = re.compile(rb"\s*[.(\[<!`]|\s*\?\.")


def keeps_together(code: Code, start: int, end: int, profile: Profile, *, many: bool) -> bool:
    """Whether a capture is one node where it was put, or siblings without a stranger if it is several."""
    run = code.run_of(start, end)
    if run is None or many or not run:
        return run is not None or _is_text(code.smallest(start, end), profile)
    if code.data[end - 1 : end] == b",":  # a tuple without parentheses, whose comma must be read as its own
        return any((node.start_byte, node.end_byte) == (start, end) for node in code.same_range(run[0]))
    if _is_one(run, code, start, end, profile):
        return True
    if len(run) > 1 and _is_text(code.smallest(start, end), profile):
        return True
    # In the arguments of a macro there are tokens only: there it must be all that is between two separators.
    return not any(each.type in SEPARATORS for each in run) and _stands_alone(code.data, start, end)


def stands_as_one(code: Code, start: int, end: int, profile: Profile, *, was: list[Node] | None, listed: bool) -> bool:
    """Whether a whole replacement is a unit where it was put: one node, or elements of one list.

    Args:
        was: the siblings that the match was.
        listed: it may be several elements of a list, for it took the place of one.
    """
    run = code.run_of(start, end)
    if run is None:
        return False
    if not run or _is_one(run, code, start, end, profile):
        return True
    if len(run) == 1:
        return False
    if _is_untrusted(profile) and any(map(_is_operator, run)):
        return _stands_alone(code.data, start, end)
    if was is not None and len(was) > 1 and not all(map(_is_element, was)):
        return True  # it was several tokens, such as a clause with its keyword
    return all(_is_element(each) or each.type == ";" or (listed and each.type == ",") for each in run)


def is_in_parentheses(code: Code, start: int, end: int) -> bool:
    """Whether a range with parentheses around it is read as just that: in some places they would be a call, or text."""
    run = code.run_of(start, end)
    if run is None or len(run) != 1 or code.data[start : start + 1] != b"(":
        return False
    if _PARENTHESISED.search(run[0].type):
        return run[0].child_count > 2
    called = code.outermost(run[0]).prev_sibling
    return called is not None and called.type == _BANG  # `!(x)` is a call of `!` in Swift's grammar


def is_beside_error(code: Code, start: int, end: int) -> bool:
    """Whether the parser gave up right beside a range: `a + lambda: b` is an error and a lambda."""
    run = code.run_of(start, end)
    if not run:
        return False
    first, last = code.outermost(run[0]), code.outermost(run[-1])
    return any(each is not None and each.is_error for each in (first.prev_sibling, last.next_sibling))


def _is_text(node: Node, profile: Profile) -> bool:
    """Whether a place is inside a string or a comment of the rewrite, where a capture is text and need be no node."""
    around = (node, node.parent) if node.child_count == 0 else (node,)
    return any(each is not None and (profile.is_string(each.type) or is_comment(each)) for each in around)


def _is_one(run: list[Node], code: Code, start: int, end: int, profile: Profile) -> bool:
    core = list(itertools.dropwhile(lambda each: each.type in profile.prefixes, run)) or run
    chained = [each.type in profile.chain for each in core]
    if len(core) > 1 and (chained[0] or not all(chained[1:])):
        return False
    if _is_untrusted(profile) and _has_operator(run[0]) and not _stands_alone(code.data, start, end):
        return not profile.loose and not _is_operand(run[0], code)
    return not _is_forgiven(run[0], code)


def _is_untrusted(profile: Profile) -> bool:
    """A grammar that gets precedence wrong, or that nobody has looked at: many have no precedence at all."""
    return profile.loose or profile.flat or profile is GENERIC


def _is_element(node: Node) -> bool:
    return node.is_named and not node.is_error and not _is_operator(node)


def _has_operator(node: Node) -> bool:
    """An operation of several operands, down through nodes that only wrap it."""
    while node.named_child_count == 1 and node.child_count == 1:
        node = node.children[0]
    return bool(_operators(node)) or "infix" in node.type  # whose operator may be a name: `a max b`


def _is_operand(node: Node, code: Code) -> bool:
    return bool(_operators_beside(code.outermost(node)))


def _operators(node: Node) -> set[str]:
    """The operators right in a node."""
    return {child.type for child in node.children if _is_operator(child)}


def _operators_beside(node: Node) -> set[str]:
    """The operators of which a node is an operand."""
    beside = (node.prev_sibling, node.next_sibling)
    return {each.type for each in beside if each is not None and _is_operator(each)}


def _is_operator(node: Node) -> bool:
    """Whether a node is an operator, not an operation: some grammars call that an operator too."""
    if node.is_named:
        if node.type == _BANG:
            return node.next_sibling is not None  # not behind its operand, where nothing binds stronger
        return "operator" in node.type and not node.named_child_count
    return _OPERATOR.fullmatch(node.type) is not None


def _is_forgiven(node: Node, code: Code) -> bool:
    """Whether the grammar takes a node for whole where the language does not.

    `a as T.b` and `a as T < b` go on with the type; `a || b ?? c` and `-a ** b` are errors in JavaScript,
    `a and lambda: b` and `a if b if c else d else e` in Python.
    """
    outer = code.outermost(node)
    own = {child.type for each in code.same_range(node) for child in each.children if not child.is_named}
    if own & {"as", "satisfies"} and _BEHIND_A_TYPE.match(code.data, outer.end_byte):
        return True
    beside = _operators_beside(outer)
    if "lambda" in own and beside:
        return True
    if own & {"lambda", "if"} and outer.prev_sibling is not None and outer.prev_sibling.type == "if":
        return outer.parent is not None and "conditional" in outer.parent.type
    if "??" in own | beside and {"||", "&&"} & (own | beside) and own & {"??", "||", "&&"}:
        return True
    return "unary" in node.type and outer.next_sibling is not None and outer.next_sibling.type == "**"


def _stands_alone(source: bytes, start: int, end: int) -> bool:
    """Whether nothing beside the range could bind stronger than what is in it: brackets, separators, an assignment."""
    before, behind = source[max(0, start - _NEAR) : start], source[end : end + _NEAR]
    return _OPENS.search(before) is not None and _CLOSES.match(behind) is not None
