"""Reads a fragment in one context: skeleton, stand-ins for the metavariables, parse, and the run of nodes it is there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
from tree_sitter import Language, Node, Parser

from toolpost_astgrep.patterns.metavariables import Metavariable
from toolpost_astgrep.patterns.parts import (
    AnySiblings,
    Branch,
    Leaf,
    Part,
    Reading,
    Variable,
    gaps,
    separator_in,
    significant,
    unwrapped,
)
from toolpost_astgrep.profiles import Profile, Rung
from toolpost_astgrep.rewriting.code import syntax_errors

_DEEPEST = 150
_STEM = "tpmv"
"""What stand-ins begin with, unless the fragment holds that itself."""
_MOST_SPELLINGS = 256
"""How many ways to spell the metavariables of one fragment are tried in one context."""

_LAST_WORD = "last word"
"""In place of a bracket, for a metavariable that ends the fragment: `import $NAME`, `import x from $NAME`."""
_WHOLE = ("()", "[]", "{}")
"""The same for a `$$$NAME` that is all there is between two brackets."""
_BEHIND = ":"
"""Added to a bracket for what stands behind a colon in it: in `{$$$A, "key": $VALUE}` only one of the two is a pair."""
_NAMES = frozenset({"identifier", "type_identifier"})
"""Kinds that a reserved word never is, though a grammar may take it for one: `T break;` declares nothing."""
_FIRST_WORD = re.compile(r"(@?[A-Za-z]+)\b(?: \{)?")
_ANNOTATIONS = re.compile(r"(?:@[\w.]*(?:\([^()]*\))?\s+)+")
_BLANK = b" \t\r\n\f\\,;"
_OPENERS = "([{"
_CLOSERS = ")]}"
_BODY_OPENS = re.compile(r"[{};]\s*\Z")
_WORD_BEFORE = re.compile(r"(\b[A-Za-z]+|\|)\s+\Z")


class Rejected(Exception):
    """A context that does not accept the fragment, and why.

    Attributes:
        lost: it parses there, but a metavariable is no node of its own.
    """

    def __init__(self, reason: str, *, lost: bool = False) -> None:
        super().__init__(reason)
        self.lost = lost

    def or_better(self, other: Rejected | None) -> Rejected:
        """The more telling of two: the other, seen before, unless only this one says that a metavariable is lost."""
        return self if other is None or (self.lost and not other.lost) else other


@attrs.define
class Reader:
    """Reads one fragment in several contexts.

    Args:
        pieces: the fragment, split at its metavariables.
    """

    profile: Profile
    grammar: Language
    pieces: Sequence[str | Metavariable]
    _plain: str = attrs.field(init=False)
    _alone: dict[int, str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._plain = "".join(piece for piece in self.pieces if isinstance(piece, str))
        self._alone = _standing_alone(self.pieces, self.profile)

    def read(self, rung: Rung) -> Reading:
        """The fragment's reading in one context, with the first stand-ins that are accepted there.

        Raises:
            Rejected: it has none.
        """
        member = self._begins_member()
        if member and rung.context in ("statement", "expression"):
            raise Rejected(f"{member!r} begins a member of a class")
        first: Rejected | None = None
        for spelt in itertools.islice(self._spellings(), _MOST_SPELLINGS):
            try:
                return self._read(rung, spelt)
            except Rejected as rejected:
                first = rejected.or_better(first)
        assert first is not None
        raise first

    def _begins_member(self) -> str | None:
        """The word that no statement begins with, as the first or behind annotations."""
        for text in (self._plain, _ANNOTATIONS.sub("", self._plain, count=1)):
            word = _FIRST_WORD.match(text)
            if word and self.profile.of_members & {word[0], word[1]}:
                return word[0]
        return None

    def _spellings(self) -> Iterator[dict[int, str]]:
        """The ways to spell the metavariables, as the text with which each begins its stand-in: all alike, then mixed."""
        numbers = [number for number, piece in enumerate(self.pieces) if isinstance(piece, Metavariable)]
        for spelling in self.profile.spellings:
            for forms in self._forms():
                yield self._spelt(numbers, itertools.repeat(spelling), forms)
        if self.profile.mixed and len(numbers) > 1:
            # The forms change slowly: the right one is among the first, the right mixture anywhere.
            for forms in self._forms():
                for mixture in _mixtures(self.profile.spellings, len(numbers)):
                    yield self._spelt(numbers, mixture, forms)
        if len(set(self._alone.values())) < len(self._alone):
            for each in itertools.product(*map(self._forms_in, self._alone.values())):  # in each place its own form
                own = dict(zip(self._alone, each, strict=True))
                yield {number: own.get(number, "NAME").replace("NAME", self.profile.spellings[0]) for number in numbers}

    def _spelt(self, numbers: Sequence[int], spellings: Iterable[str], forms: Mapping[str, str]) -> dict[int, str]:
        return {
            number: forms[self._alone[number]].replace("NAME", spelling) if number in self._alone else spelling
            for number, spelling in zip(numbers, spellings, strict=False)
        }

    def _forms(self) -> Iterator[dict[str, str]]:
        """The forms of the metavariables that stand alone, by the bracket they stand in."""
        brackets = sorted(set(self._alone.values()))
        for forms in itertools.product(*map(self._forms_in, brackets)):
            yield dict(zip(brackets, forms, strict=True))

    def _forms_in(self, bracket: str) -> tuple[str, ...]:
        """A plain name first, except where a name between parentheses would be no list."""
        further = self.profile.stand_ins.get(bracket, self.profile.stand_ins.get(bracket.removesuffix(_BEHIND), ()))
        if bracket in _WHOLE:
            return (*further, "NAME", *self.profile.stand_ins.get(bracket[0], ()))
        return ("NAME", *further)

    def _read(self, rung: Rung, spelt: Mapping[int, str]) -> Reading:
        stem = _STEM
        while stem in self._plain.lower():
            stem += "q"
        holes = _Holes()
        text = ""
        for number, piece in enumerate(self.pieces):
            if isinstance(piece, Metavariable):
                form = spelt[number]
                if self._is_closed(number):
                    form = form.rstrip(";")  # a second one would be an empty statement
                first = self.pieces.index(piece) if self.profile.paired and piece.name else number
                text += holes.add(piece, f"{stem}{first}x", form)
            else:
                text += piece
        if rung.indent:
            text = text.replace("\n", "\n" + rung.indent)
        before, fragment = rung.before.encode(), text.encode()
        source = before + fragment + rung.after.encode()
        start, end = len(before), len(before) + len(fragment)
        root = Parser(self.grammar).parse(source).root_node
        broken = next(syntax_errors(root), None)
        if broken is not None:
            raise Rejected(holes.shown(_where(broken, source, start, end)))
        self._refuse_name(root, fragment, start)
        start = _behind_comments(root, source, start, end)
        run = _run(root, source, start, end, self.profile.wrappers | self.profile.containers)
        if run is None:
            raise Rejected("the fragment is no whole node there")
        if _goes_on(run[-1], end):
            raise Rejected("it is not complete")
        parts = tuple(self._part(node, source, holes, 0) for node in run)
        lost = holes.lost()
        if lost:
            raise Rejected(f"the metavariable {lost[0]} is no node of its own there", lost=True)
        if not any(isinstance(part, (Leaf, Branch)) for part in parts):
            raise Rejected("nothing but metavariables is left of it there")
        names = (piece.name for piece in self.pieces if isinstance(piece, Metavariable))
        reading = Reading(context=rung.context, run=parts, variables=frozenset(name for name in names if name))
        refused = next((kind for kind in _kinds(parts) if kind in rung.refuses), None)
        if refused is not None:
            raise Rejected(f"it would be a {refused} there, which is seldom meant")
        return reading

    def _is_closed(self, number: int) -> bool:
        """Whether a `;` is written behind a metavariable."""
        behind = self.pieces[number + 1] if number + 1 < len(self.pieces) else ""
        return isinstance(behind, str) and behind.lstrip().startswith(";")

    def _refuse_name(self, root: Node, fragment: bytes, start: int) -> None:
        """A grammar may take a reserved word for a name: `if` for that of a method, `import` for that of a type."""
        word = re.match(rb"[A-Za-z]+\b" if self.profile.caseless else rb"[a-z]+\b", fragment)
        if word is None or word.group().decode().lower() not in self.profile.reserved:
            return
        node = root.descendant_for_byte_range(start, start + word.end())
        if node is None or word.group().decode().lower() in node.type.split("_"):
            return  # a node for the word itself, such as Dart's `break_builtin`
        if node.is_named and node.end_byte == start + word.end():
            raise Rejected(f"{word.group().decode()!r} is a reserved word, and would be a name there")

    def _part(self, node: Node, source: bytes, holes: _Holes, depth: int) -> Part:
        """A node of the parsed fragment as a part of the pattern."""
        if depth > _DEEPEST:
            raise Rejected(f"the pattern is nested over {_DEEPEST} deep")
        node = unwrapped(node, self.profile.wrappers)
        text = source[node.start_byte : node.end_byte]
        if holes.is_one(text) and self._stands_for_one(node):
            hole = holes.take(text)
            return AnySiblings(hole.name) if hole.many else Variable(hole.name)
        children = significant(node)
        if len(children) == 2 and children[0].type == self.profile.bullet:
            element = self._part(children[1], source, holes, depth + 1)
            if isinstance(element, AnySiblings):
                return element
        around = gaps(source, node)
        # A string, or what a grammar keeps of one without a node: there is text between its children.
        # SQL has a word such as NULL in the same kind of node.
        quoted = self.profile.is_string(node.type) and [child.byte_range for child in children] != [node.byte_range]
        textual = quoted or any(gap.strip(_BLANK) for gap in around)
        if not children or (textual and not holes.within(text)):
            if holes.within(text):
                raise self._only_a_part(text, holes)
            if node.type in _NAMES and text.decode(errors="replace") in self.profile.reserved:
                raise Rejected(f"{text.decode()!r} is a reserved word, and would be a name there")
            caseless = text[:1].isalpha() and node.type.startswith(self.profile.caseless)
            return Leaf(node.type, node.kind_id, text, node.is_named, caseless)
        if textual and holes.within(b" ".join(around)):
            raise self._only_a_part(text, holes)
        parts = tuple(self._part(child, source, holes, depth + 1) for child in children)
        if node.type in self.profile.tokens or (quoted and _is_all_content(parts)):
            parts = tuple(attrs.evolve(part, wide=True) if isinstance(part, Variable) else part for part in parts)
        if not textual:
            separator = separator_in(node) if node.type in self.profile.separated else None
            return Branch(node.type, node.kind_id, parts, separator=separator)
        return Branch(node.type, node.kind_id, parts, around)

    @staticmethod
    def _only_a_part(text: bytes, holes: _Holes) -> Rejected:
        shown = holes.shown(text[:60].decode(errors="replace"))
        bare = (
            f", whose content is no node of its own: write {shown[1:-1]} without the quotes"
            if holes.is_one(text[1:-1])
            else ""
        )
        return Rejected(f"a metavariable is only a part of {shown!r} there{bare}", lost=True)

    def _stands_for_one(self, node: Node) -> bool:
        """A metavariable that is all there is in a node stands for the whole node, unless the node holds a list.

        There it stands for an element: `global $X` is about one name.
        """
        return node.child_count == 0 or (node.is_named and node.type not in self.profile.containers)


@attrs.define
class _Holes:
    """The stand-ins of one reading: the text of each, what it stands for, and whether it was found in the tree."""

    _by_text: dict[bytes, tuple[bytes, Metavariable]] = attrs.field(factory=dict)
    _missing: list[tuple[bytes, Metavariable]] = attrs.field(factory=list)

    def add(self, hole: Metavariable, name: str, form: str) -> str:
        """The stand-in for a metavariable, spelt in a form such as `NAME;`, or `Name;` with a capital."""
        if "Name" in form:
            name = name.capitalize()
        text = form.replace("NAME", name).replace("Name", name)
        key = name.encode()
        self._missing.append((key, hole))
        for spelling in (name, text):
            self._by_text[_bare(spelling.encode())] = (key, hole)
        return text

    def is_one(self, text: bytes) -> bool:
        """Whether a node's text is a stand-in, from end to end."""
        return _bare(text) in self._by_text

    def take(self, text: bytes) -> Metavariable:
        """What a stand-in stands for; it counts as found."""
        found = self._by_text[_bare(text)]
        if found in self._missing:
            self._missing.remove(found)
        return found[1]

    def within(self, text: bytes) -> bool:
        """Whether a stand-in is somewhere in the text."""
        return any(key in text for key, _ in self._by_text.values())

    def lost(self) -> list[str]:
        """The metavariables that were not found, as they are written."""
        return [str(hole) for _, hole in self._missing]

    def shown(self, text: str) -> str:
        """A text with the metavariables in place of their stand-ins."""
        for spelling in sorted(self._by_text, key=len, reverse=True):
            text = text.replace(spelling.decode(), str(self._by_text[spelling][1]))
        return text


def _mixtures(spellings: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """The ways to spell so many metavariables not all alike, one by one: they may be very many."""
    return (each for each in itertools.product(spellings, repeat=length) if len(set(each)) > 1)


def _is_all_content(parts: Sequence[Part]) -> bool:
    """Whether a string is nothing but a metavariable between quotes."""
    return len(parts) == 3 and isinstance(parts[1], Variable) and all(isinstance(each, Leaf) for each in parts[::2])


def _kinds(run: Sequence[Part]) -> Iterator[str]:
    """What a reading may be called: by its kinds, and by each of them with each that is right in it (Rung.refuses)."""
    for part in run:
        if isinstance(part, (Leaf, Branch)):
            yield part.kind if len(run) == 1 else f"{part.kind} …"
        children = part.children if isinstance(part, Branch) else ()
        yield from (f"{part.kind} > {child.kind}" for child in children if isinstance(child, (Leaf, Branch)))


def _bare(text: bytes) -> bytes:
    """A stand-in without what closes the statement that it is."""
    return text.rstrip(b" \t\r\n;,")


def _standing_alone(pieces: Sequence[str | Metavariable], profile: Profile) -> dict[int, str]:
    """The metavariables with nothing beside them but brackets, separators and line ends, and the bracket each is in.

    What comes before a word that closes a block stands alone as well.
    """
    alone: dict[int, str] = {}
    opened: list[str] = []
    for number, piece in enumerate(pieces):
        if isinstance(piece, str):
            for character in piece:
                if character in _OPENERS:
                    opened.append(character)
                elif character in _CLOSERS and opened:
                    opened.pop()
            continue
        before, after = pieces[number - 1] if number else "", pieces[number + 1] if number + 1 < len(pieces) else ""
        if isinstance(before, str) and isinstance(after, str):
            # A metavariable beyond a blank is something beside it.
            before, after = "$" * (number > 1) + before, after + "$" * (number + 2 < len(pieces))
            word = re.match(r"\s*([A-Za-z]+)\b", after)
            closed = word is not None and word[1].lower() in profile.closing and before[-1:].isspace()
            if closed or _ends_here(before, after):
                brackets = before.rstrip()[-1:] + after.lstrip()[:1]
                behind = _BEHIND if before.rstrip(" \t")[-1:] == ":" else ""
                whole = piece.many and brackets in _WHOLE
                alone[number] = brackets if whole else (opened[-1] if opened else "") + behind
            elif piece.many and opened[-1:] == ["{"] and _BODY_OPENS.search(before) and after[:1].isspace():
                alone[number] = "{"  # what a body begins with, in one line with what comes next
            elif (word := _WORD_BEFORE.search(before)) and word[1].lower() in profile.stand_ins:
                alone[number] = word[1].lower()
            elif not piece.many and before[-1:].isspace() and not after.strip(" \t;"):
                alone[number] = _LAST_WORD
    return alone


def _ends_here(before: str, after: str) -> bool:
    left, right = before.rstrip(" \t"), after.lstrip(" \t")
    if left.endswith(":") and right.startswith("{"):
        return True  # all of what a class or a constructor begins with
    return (not left or left[-1] in "([{;,:}\n") and (not right or right[0] in ")]};,\n")


def _run(root: Node, source: bytes, start: int, end: int, opened: frozenset[str]) -> list[Node] | None:
    """The sibling nodes that cover the range exactly, as far down as that holds.

    What a node has behind the range may be blanks, or separators that the skeleton brought.

    Args:
        opened: the kinds that are only what is in them: two statements are meant wherever they stand, not a list of just two.
    """

    def reaches(node: Node) -> bool:
        return node.end_byte <= end or not source[end : node.end_byte].strip(b" \t\r\n;,")

    node = root.descendant_for_byte_range(start, end)
    while node is not None and node.parent is not None and node.parent.start_byte == start and reaches(node.parent):
        node = node.parent
    if node is None:
        return None
    run = [node]
    if node.parent is None or node.start_byte != start or not reaches(node):
        touching = [each for each in significant(node) if each.start_byte < end and each.end_byte > start]
        run = [each for each in touching if each.start_byte >= start and reaches(each)]
        if not run or len(run) < len(touching) or run[0].start_byte != start:
            return None
    while len(run) == 1:
        below = significant(run[0])
        # A statement that is an expression means the expression, wherever that stands.
        only = len(below) == 1 and below[0].is_named and below[0].start_byte == start
        only = only and not any(gap.strip(_BLANK) for gap in gaps(source, run[0]))  # Kotlin has no node for `T?`'s mark
        if not below or not (only or run[0].type == "expression_statement" or run[0].type in opened):
            break
        run = below
    return run


def _goes_on(node: Node, end: int) -> bool:
    """Whether a part of a node is what the skeleton has behind the fragment: a `;` makes a loop of `while (x)`."""
    while node.children and node.end_byte > end:
        node = node.children[-1]
        if node.is_named and node.start_byte >= end:
            return node.end_byte > node.start_byte
    return False


def _behind_comments(root: Node, source: bytes, start: int, end: int) -> int:
    """Where the fragment begins, if comments stand before it."""
    node = root.descendant_for_byte_range(start, start + 1)
    while node is not None and node.is_extra and node.start_byte == start and node.end_byte < end:
        start = end - len(source[node.end_byte : end].lstrip())
        node = root.descendant_for_byte_range(start, start + 1)
    return start


def _where(broken: Node, source: bytes, start: int, end: int) -> str:
    at = broken.start_byte
    if broken.is_missing:
        place = "at its end" if at >= end else f"before {_quote(source[max(at, start) : end])}"
        return f"{broken.type!r} is missing {place}"
    return "it is not complete" if at >= end else f"it breaks at {_quote(source[max(at, start) : end])}"


def _quote(text: bytes) -> str:
    quoted = text.decode(errors="replace")
    return repr(quoted if len(quoted) <= 60 else quoted[:60] + "…")
