"""A validator of the part of JSON Schema that toolpost uses, written from the specification, and arguments to try on it.

It shares nothing with the code under test; a scratch run has compared it with a validator of the trade.
"""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

KNOWN = {
    "type", "properties", "additionalProperties", "required", "items", "enum", "anyOf", "description", "default",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
    "pattern",
}  # fmt: skip


def is_valid(value: Any, schema: dict[str, Any]) -> bool:
    assert set(schema) <= KNOWN, f"this validator does not know {set(schema) - KNOWN}"
    return all(_holds(keyword, bound, value, schema) for keyword, bound in schema.items())


def _holds(keyword: str, bound: Any, value: Any, schema: dict[str, Any]) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match keyword:
        case "type":
            return _is(bound, value)
        case "enum":
            return any(_same(value, each) for each in bound)
        case "anyOf":
            return any(is_valid(value, each) for each in bound)
        case "minimum":
            return not number or value >= bound
        case "maximum":
            return not number or value <= bound
        case "exclusiveMinimum":
            return not number or value > bound
        case "exclusiveMaximum":
            return not number or value < bound
        case "minLength":
            return not isinstance(value, str) or len(value) >= bound
        case "maxLength":
            return not isinstance(value, str) or len(value) <= bound
        case "minItems":
            return not isinstance(value, list) or len(value) >= bound
        case "maxItems":
            return not isinstance(value, list) or len(value) <= bound
        case "pattern":  # ECMA's `$` is the very end, Python's is not
            return not isinstance(value, str) or re.search(bound.removesuffix("$") + r"\Z", value) is not None
        case "required":
            return not isinstance(value, dict) or all(name in value for name in bound)
        case "items":
            return not isinstance(value, list) or all(is_valid(each, bound) for each in value)
        case "properties":
            return not isinstance(value, dict) or all(
                is_valid(value[name], each) for name, each in bound.items() if name in value
            )
        case "additionalProperties":
            if not isinstance(value, dict):
                return True
            extra = [each for name, each in value.items() if name not in schema.get("properties", {})]
            return not extra if bound is False else all(is_valid(each, bound) for each in extra)
    return True


def _is(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, (int, float)):
        return kind == "number" or (kind == "integer" and (isinstance(value, int) or value.is_integer()))
    return {str: "string", list: "array", dict: "object", type(None): "null"}[type(value)] == kind


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 5.0, -1.0])
    | st.text("ab_X\n", max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=4,
)


def arguments_for(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mostly fit *schema*, with one thing or another wrong in them."""
    return st.one_of(_near(schema), _near(schema), _near(schema), ANY.filter(lambda value: isinstance(value, dict)))


def _near(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "anyOf" in schema:
        return st.one_of([_near(each) for each in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object" if "properties" in schema:
            return _object(schema)
        case "object":
            return st.dictionaries(st.text("ab", max_size=2), _near(schema.get("additionalProperties", {})), max_size=2)
        case "array":
            return st.lists(_near(schema["items"]), max_size=4)
        case "string":
            return st.text("ab_", max_size=9)
        case "integer":
            return st.integers(-1, 6) | st.sampled_from([2.0, 3.0])
        case "number":
            return st.floats(-1, 2) | st.integers(-1, 2)
        case "boolean":
            return st.booleans()
    return ANY


@st.composite
def _object(draw: st.DrawFn, schema: dict[str, Any]) -> dict[str, Any]:
    required = schema.get("required", [])
    made = {}
    for name, each in schema["properties"].items():
        kind = draw(st.integers(0, 19))
        if kind == 0 or (kind == 1 and name in required):
            made[name] = draw(ANY)
        elif name in required or kind < 6:
            made[name] = draw(_near(each))
    if draw(st.integers(0, 9)) == 0:
        made[draw(st.text("ab", min_size=1, max_size=2))] = draw(ANY)
    return made


def without_nulls(value: Any, schema: dict[str, Any]) -> Any:
    """*value* with the nulls gone that stand for fields which may be left out."""
    for each in schema.get("anyOf", ()):
        value = without_nulls(value, each)
    if isinstance(value, list) and "items" in schema:
        return [without_nulls(each, schema["items"]) for each in value]
    if not isinstance(value, dict):
        return value
    known, required = schema.get("properties", {}), schema.get("required", ())
    other = schema.get("additionalProperties")
    kept = {name: each for name, each in value.items() if each is not None or name in required or name not in known}
    return {
        name: without_nulls(each, known.get(name, other if isinstance(other, dict) else {}))
        for name, each in kept.items()
    }
