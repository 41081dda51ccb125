"""Arguments: checked strictly, refused in words, and exactly those that the schema allows."""

from __future__ import annotations

import enum
import json
import math
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs.validators import and_, ge, gt, in_, le, lt, matches_re, max_len, min_len, optional
from hypothesis import given, settings
from hypothesis import strategies as st
from toolpost import InvalidArguments, Tier
from toolpost.params import structurer
from toolpost.schema import schema_of
from toolpost.testing import tool
from toolpost.testing.schemas import arguments_for, is_valid, without_nulls


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


@attrs.frozen(kw_only=True)
class Point:
    x: int
    y: float = 0.0


@attrs.frozen(kw_only=True)
class Everything:
    """Every kind of parameter."""

    action: Annotated[Literal["definition", "hover", "rename"], "What to do."]
    line: Annotated[int, "From 1."] = attrs.field(validator=ge(1))
    ratio: Annotated[float, "Between 0 and 1."] = attrs.field(default=0.5, validator=and_(ge(0), lt(1)))
    dry: Annotated[bool, "Change nothing."] = False
    name: Annotated[str | None, "A word."] = attrs.field(
        default=None, validator=optional(and_(min_len(1), max_len(8), matches_re("[a-z_]+")))
    )
    colour: Annotated[Colour, "A colour."] = Colour.RED
    level: Annotated[Literal[1, 2, 3], "How much."] = 1
    files: Annotated[list[str], "Files."] = attrs.field(factory=list, validator=max_len(3))
    points: Annotated[tuple[Point, ...], "Points."] = ()
    where: Annotated[Point | None, "A point."] = None
    counts: Annotated[dict[str, int], "Counts."] = attrs.field(factory=dict)
    either: Annotated[int | str | list[int] | None, "One of three."] = None
    free: Annotated[Any, "Anything."] = None
    most: Annotated[int, "More than 0."] = attrs.field(default=5, validator=and_(gt(0), le(500)))
    side: Annotated[str, "A side."] = attrs.field(default="left", validator=in_(["left", "right", "both"]))


structure = structurer(Everything)
GOOD = {"action": "hover", "line": 3}


def refusal(**arguments: Any) -> str:
    with pytest.raises(InvalidArguments) as caught:
        structure({**GOOD, **arguments})
    return str(caught.value)


def test_defaults_fill_what_is_left_out():
    made = structure(GOOD)
    assert (made.action, made.line, made.ratio, made.dry, made.name) == ("hover", 3, 0.5, False, None)
    assert (made.colour, made.files, made.points) == (Colour.RED, [], ())


def test_json_text_of_an_object_is_an_object():
    assert structure(json.dumps(GOOD)) == structure(GOOD)


def test_nested_values_become_their_types():
    made = structure({**GOOD, "points": [{"x": 1, "y": 2}], "where": {"x": 5}, "counts": {"a": 1}, "colour": "green"})
    assert made.points == (Point(x=1, y=2.0),)
    assert made.where == Point(x=5)
    assert made.counts == {"a": 1}
    assert made.colour is Colour.GREEN


@pytest.mark.requirement("core:args-strict")
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("dry", "false", 'dry: expected true or false, got "false"'),
        ("dry", 0, "dry: expected true or false, got 0"),
        ("line", 1.7, "line: expected an integer, got 1.7"),
        ("line", "1", 'line: expected an integer, got "1"'),
        ("line", True, "line: expected an integer, got true"),
        ("line", 0, "line: must be at least 1, got 0"),
        ("ratio", 1, "ratio: must be less than 1, got 1"),
        ("ratio", "x", 'ratio: expected a number, got "x"'),
        ("ratio", math.nan, "ratio: expected a number, got NaN"),
        ("name", "", "name: must have at least 1 characters"),
        ("name", "much_too_long", "name: must have at most 8 characters"),
        ("name", "A", 'name: must match "^(?:[a-z_]+)$", got "A"'),
        ("name", "a\n", "name: must match"),
        ("name", 3, "name: expected text, got 3"),
        ("action", "hovr", '"hovr" is not one of "definition", "hover", "rename" (did you mean "hover"?)'),
        ("action", None, "action: null is not one of"),
        ("colour", "RED", 'colour: "RED" is not one of "red", "green"'),
        ("level", 4, "level: 4 is not one of 1, 2, 3"),
        ("level", True, "level: true is not one of 1, 2, 3"),
        ("files", "a.py", 'files: expected a list, got "a.py"'),
        ("files", {}, "files: expected a list, got {}"),
        ("files", ["a", 1, None], "files[1]: expected text, got 1; files[2]: expected text, got null"),
        ("files", ["a"] * 4, "files: must have at most 3 items"),
        ("points", [{"x": 1}, {"x": "a"}], 'points[1].x: expected an integer, got "a"'),
        ("points", [{"y": 1}], "points[0].x: missing"),
        ("points", [{"x": 1, "z": 2}], 'unknown argument "points[0].z"'),
        ("where", [1, 2], "where: expected an object, got [1, 2]"),
        ("counts", {"a": "b"}, 'counts.a: expected an integer, got "b"'),
        ("counts", [], "counts: expected an object, got []"),
        ("either", True, "either: expected an integer or a string or an array, got true"),
        ("either", ["x"], 'either[0]: expected an integer, got "x"'),
        ("most", 501, "most: must be at most 500, got 501"),
        ("most", 0, "most: must be more than 0, got 0"),
        ("side", "top", 'side: must be one of ["left", "right", "both"], got "top"'),
        ("lin", 3, 'unknown argument "lin" (did you mean "line"?)'),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_expected(field: str, value: Any, says: str):
    assert says in refusal(**{field: value})


@pytest.mark.requirement("core:args-strict")
def test_one_error_names_every_field_and_what_the_tool_takes():
    with pytest.raises(InvalidArguments) as caught:
        structure({"action": "x", "ratio": "y", "zzz": 1})
    text = str(caught.value)
    for part in ("action:", "line: missing", "ratio:", '"zzz"', "It takes: action, line, ratio, dry, name"):
        assert part in text


@pytest.mark.parametrize("arguments", ["[1]", "3", "null", '"x"', [], None, 7])
def test_what_is_no_object_is_refused(arguments: Any):
    with pytest.raises(InvalidArguments, match="must be an object"):
        structure(arguments)


def test_text_that_is_no_json_is_refused_with_the_place():
    with pytest.raises(InvalidArguments, match=r"not JSON.*column 2"):
        structure("{action: 1}")


def test_no_text_at_all_means_no_arguments():
    with pytest.raises(InvalidArguments, match="action: missing; line: missing"):
        structure("")


def test_arguments_nested_without_end_are_refused():
    deep: Any = {}
    for _ in range(200_000):
        deep = {"a": deep}
    with pytest.raises(InvalidArguments):
        structure({**GOOD, "counts": deep})
    with pytest.raises(InvalidArguments, match="nested too deeply"):
        structure("[" * 200_000)
    while deep:  # a chain this long cannot be freed recursively everywhere
        deep = deep.pop("a", None)


def test_an_error_stays_readable_however_much_is_wrong():
    with pytest.raises(InvalidArguments) as caught:
        structure({**GOOD, **{f"wrong_{n}": n for n in range(10_000)}, "name": "x" * 100_000})
    assert len(str(caught.value)) < 4_000
    assert "more" in str(caught.value)


def test_null_for_what_may_be_left_out_means_left_out():
    nulls = {field.name: None for field in attrs.fields(Everything) if field.name not in GOOD}
    assert structure({**GOOD, **nulls}) == structure(GOOD)


def test_a_whole_number_is_an_integer_however_it_is_written():
    made = structure({**GOOD, "line": 5.0, "level": 2.0, "either": 7.0})
    assert (made.line, made.level, made.either) == (5, 2, 7)
    assert type(made.line) is type(made.level) is type(made.either) is int


def test_what_is_in_a_list_may_be_described_too():
    @attrs.frozen(kw_only=True)
    class Painted:
        """Colours."""

        colours: Annotated[list[Annotated[Colour, "One colour."]], "Colours."]

    assert structurer(Painted)({"colours": ["red"]}).colours == [Colour.RED]
    with pytest.raises(InvalidArguments, match=r'colours\[0\]: "blue" is not one of "red", "green"'):
        structurer(Painted)({"colours": ["blue"]})


def test_a_tool_without_arguments_says_so():
    with pytest.raises(InvalidArguments, match=r'unknown argument "x".*takes no arguments'):
        tool("t", tier=Tier.READ).structure({"x": 1})


def test_a_validator_of_ones_own_still_holds():
    def even(_: Any, attribute: Any, value: int) -> None:
        if value % 2:
            raise ValueError(f"{attribute.name} must be even")

    @attrs.frozen(kw_only=True)
    class Own:
        """Its own rule."""

        count: Annotated[int, "Even."] = attrs.field(validator=even)

    with pytest.raises(InvalidArguments, match="count must be even"):
        structurer(Own)({"count": 3})


# ---- the schema and the structuring say the same ---------------------------------------------------------------------

SCHEMA = schema_of(Everything)


@pytest.mark.requirement("core:args-strict")
@settings(max_examples=400, deadline=None)
@given(st.data())
def test_what_the_schema_calls_valid_is_what_structures(data: st.DataObject):
    arguments = data.draw(arguments_for(SCHEMA))
    try:
        structure(arguments)
        structures = True
    except InvalidArguments:
        structures = False
    # A null for what may be left out is the one thing that is taken beyond the schema.
    assert structures == is_valid(without_nulls(arguments, SCHEMA), SCHEMA)
