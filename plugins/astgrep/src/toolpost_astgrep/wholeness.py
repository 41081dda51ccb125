"""Is a range of the new text still the unit that it was meant to be? (edit:one-node)"""

from __future__ import annotations

import re

from tree_sitter import Node, Tree

from toolpost_astgrep.parts import SEPARATORS
from toolpost_astgrep.profiles import Profile
from toolpost_astgrep.ranges import run_of

_NEAR = 80
# What may stand before an operand or an argument without being able to bind to a part of it.
_OPENS = re.compile(rb"(?:[(\[{,;]|=>|(?<![=!<>])=|\b(?:return|throw|yield)|\A)\s*\Z")
_CLOSES = re.compile(rb"\s*(?:[)\]},;:]|\Z)")
_IN_PARENTHESES = re.compile("paren|token_tree|tuple_expression")


def keeps_together(tree: Tree, source: bytes, start: int, end: int, profile: Profile, *, many: bool) -> bool:
    """Whether a capture is one node where it was put, or siblings without a stranger if it is several."""
    run = run_of(tree, source, start, end)
    if run is None or many or not run:
        return run is not None
    if _is_one(run, source, start, end, profile):
        return True
    # In the arguments of a macro there are tokens only: there it must be all that is between two separators.
    return not any(each.type in SEPARATORS for each in run) and _stands_alone(source, start, end)


def stands_as_one(
    tree: Tree, source: bytes, start: int, end: int, profile: Profile, *, was: list[Node] | None, listed: bool
) -> bool:
    """Whether a whole replacement is a unit where it was put: one node, or elements of one list.

    Args:
        was: the siblings that the match was.
        listed: it may be several elements of a list, for it took the place of one.
    """
    run = run_of(tree, source, start, end)
    if run is None:
        return False
    if not run or _is_one(run, source, start, end, profile):
        return True
    if len(run) == 1:
        return False
    if profile.loose and any("operator" in each.type for each in run):
        return _stands_alone(source, start, end)
    if was is not None and len(was) > 1 and not all(map(_is_element, was)):
        return True  # it was several tokens, such as a clause with its keyword
    return all(_is_element(each) or each.type == ";" or (listed and each.type == ",") for each in run)


def is_in_parentheses(tree: Tree, source: bytes, start: int, end: int) -> bool:
    """Whether a range with parentheses around it is read as just that: in some places they would be a call, or text."""
    run = run_of(tree, source, start, end)
    return run is not None and len(run) == 1 and _IN_PARENTHESES.search(run[0].type) is not None


def _is_one(run: list[Node], source: bytes, start: int, end: int, profile: Profile) -> bool:
    chained = profile.chain is not None and all(each.type == profile.chain for each in run[1:])
    if len(run) > 1 and not (chained and run[0].type != profile.chain):
        return False
    return not (profile.loose and _has_operator(run[0])) or _stands_alone(source, start, end)


def _is_element(node: Node) -> bool:
    return node.is_named and "operator" not in node.type


def _has_operator(node: Node) -> bool:
    """An operation of several operands, down through nodes that only wrap it."""
    while node.named_child_count == 1 and node.child_count == 1:
        node = node.children[0]
    return any("operator" in child.type or child.type in ("?", "as", "is") for child in node.children)


def _stands_alone(source: bytes, start: int, end: int) -> bool:
    """Whether nothing beside the range could bind stronger than what is in it: brackets, separators, an assignment."""
    before, behind = source[max(0, start - _NEAR) : start], source[end : end + _NEAR]
    return _OPENS.search(before) is not None and _CLOSES.match(behind) is not None
