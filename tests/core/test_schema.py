"""The JSON Schema of a parameter class: one flat closed object that every provider takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs.validators import ge, le, matches_re, min_len
from toolpost.schema import schema_of


@attrs.frozen(kw_only=True)
class Query:
    """Run one SELECT."""

    sql: Annotated[str, "One SELECT statement."] = attrs.field(validator=min_len(1))
    limit: Annotated[int, "Rows."] = attrs.field(default=50, validator=[ge(1), le(500)])
    order: Annotated[Literal["up", "down"] | None, "How."] = None
    tables: Annotated[list[str], "Tables."] = attrs.field(factory=list)


def test_a_class_is_one_flat_closed_object():
    assert schema_of(Query) == {
        "type": "object",
        "properties": {
            "sql": {"type": "string", "description": "One SELECT statement.", "minLength": 1},
            "limit": {"type": "integer", "description": "Rows.", "minimum": 1, "maximum": 500, "default": 50},
            "order": {"type": "string", "enum": ["up", "down"], "description": "How."},
            "tables": {"type": "array", "items": {"type": "string"}, "description": "Tables."},
        },
        "additionalProperties": False,
        "required": ["sql"],
    }


def test_an_optional_field_is_left_out_and_never_null():
    assert "null" not in json.dumps(schema_of(Query))


def field_of(hint: Any, **more: Any) -> dict[str, Any]:
    cls = attrs.make_class("One", {"field": attrs.field(**more)})
    cls.__annotations__ = {"field": hint}
    return schema_of(cls)["properties"]["field"]


@attrs.frozen(kw_only=True)
class Inner:
    x: int


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (dict, {"type": "object"}),
        (Any, {}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            Inner,
            {
                "type": "object",
                "properties": {"x": {"type": "integer"}},
                "additionalProperties": False,
                "required": ["x"],
            },
        ),
    ],
)
def test_a_type_has_its_schema(hint: Any, schema: dict[str, Any]):
    assert field_of(Annotated[hint, "d"]) == schema | {"description": "d"}


@pytest.mark.parametrize(
    ("hint", "says"),
    [
        (bytes, "no JSON Schema"),
        (set[int], "no JSON Schema"),
        (object, "no JSON Schema"),
        (tuple[int, str], "no JSON Schema"),
        (int | float, "differ in their JSON type"),
        (str | Literal["x"], "differ in their JSON type"),
        (list[int] | list[str], "differ in their JSON type"),
    ],
)
def test_a_type_that_no_argument_could_be_told_by_is_refused(hint: Any, says: str):
    with pytest.raises(TypeError, match=says) as caught:
        field_of(Annotated[hint, "d"])
    assert "'field' of One" in str(caught.value)


def test_a_field_that_nobody_described_is_refused():
    with pytest.raises(TypeError, match=r"'field' of One: describe it"):
        field_of(int)


def test_a_class_that_holds_itself_is_refused():
    @attrs.frozen(kw_only=True)
    class Tree:
        children: Annotated[list[Tree], "Below."]

    Tree.__annotations__["children"] = Annotated[list[Tree], "Below."]
    with pytest.raises(TypeError, match="holds itself"):
        schema_of(Tree)


@pytest.mark.parametrize("function", ["search", "match"])
def test_a_pattern_that_json_schema_would_read_otherwise_is_refused(function: str):
    import re

    with pytest.raises(TypeError, match="fullmatch"):
        field_of(Annotated[str, "d"], validator=matches_re("a", func=getattr(re, function)))
    with pytest.raises(TypeError, match="fullmatch"):
        field_of(Annotated[str, "d"], validator=matches_re("a", flags=re.IGNORECASE))


def test_choices_keep_the_order_in_which_they_were_given():
    script = (
        "import attrs, json; from typing import Annotated; from attrs.validators import in_\n"
        "from toolpost.schema import schema_of\n"
        "cls = attrs.make_class('C', {'f': attrs.field(validator=in_(['left', 'right', 'top', 'bottom']))})\n"
        "cls.__annotations__ = {'f': Annotated[str, 'd']}\n"
        "print(json.dumps(schema_of(cls)['properties']['f']['enum']))"
    )
    for seed in ("1", "2", "3"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True
        )
        assert json.loads(ran.stdout) == ["left", "right", "top", "bottom"]


def test_the_schema_of_a_class_is_the_same_each_time():
    assert json.dumps(schema_of(Query)) == json.dumps(schema_of(Query))
