"""An attrs class as a JSON Schema (2020-12, one flat closed object, no `$ref`)."""

from __future__ import annotations

import collections.abc
import enum
import inspect
import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

JSON_TYPES: Mapping[Any, str] = types.MappingProxyType(
    {str: "string", int: "integer", float: "number", bool: "boolean"}
)


def schema_of(params: type) -> dict[str, Any]:
    """The schema of a tool's parameters.

    Raises:
        TypeError: a field whose type has no schema here, or that nobody described.
    """
    try:
        return _object(params, described=True)
    except RecursionError:
        raise TypeError(f"{params.__name__} holds itself, and a schema here has no references") from None


def fields_of(cls: type) -> Iterator[tuple[attrs.Attribute[Any], Any]]:
    """Each init field of an attrs class with its full type hint, `Annotated` kept."""
    hints = typing.get_type_hints(cls, include_extras=True)
    for field in attrs.fields(cls):
        if field.init:
            yield field, hints[field.name]


def bare(hint: Any) -> Any:
    """The type without `Annotated` and without `None`: what a value of it is when it is there."""
    if get_origin(hint) is Annotated:
        return bare(get_args(hint)[0])
    members = union_members(hint)
    if members is not None and len(members) == 1:
        return bare(members[0])
    return hint


def union_members(hint: Any) -> tuple[Any, ...] | None:
    """The members of a union without `None`; None if it is no union."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(member for member in get_args(hint) if member is not type(None))
    return None


def json_type(hint: Any) -> str | None:
    """The one JSON type that values of this type have; None where there is no single one."""
    hint = bare(hint)
    origin = get_origin(hint)
    if hint in JSON_TYPES:
        return JSON_TYPES[hint]
    if origin is Literal or _is_enum(hint):
        values = get_args(hint) if origin is Literal else [member.value for member in hint]
        kinds = {JSON_TYPES.get(type(value)) for value in values}
        return kinds.pop() if len(kinds) == 1 else None
    if origin in (list, tuple, collections.abc.Sequence):
        return "array"
    if origin in (dict, collections.abc.Mapping) or hint is dict or attrs.has(hint):
        return "object"
    return None


def constraints(validator: Any, hint: Any) -> dict[str, Any]:
    """attrs' own validators (`ge`, `lt`, `min_len`, `matches_re`, `in_`, …) as JSON Schema keywords."""
    if validator is None:
        return {}
    unit = "Items" if json_type(hint) == "array" else "Length"
    match type(validator).__name__:
        case "_AndValidator":
            merged: dict[str, Any] = {}
            for part in validator._validators:
                merged |= constraints(part, hint)
            return merged
        case "_OptionalValidator":
            return constraints(validator.validator, hint)
        case "_NumberValidator":
            keyword = {">=": "minimum", "<=": "maximum", ">": "exclusiveMinimum", "<": "exclusiveMaximum"}
            return {keyword[validator.compare_op]: validator.bound}
        case "_MinLengthValidator":
            return {f"min{unit}": validator.min_length}
        case "_MaxLengthValidator":
            return {f"max{unit}": validator.max_length}
        case "_MatchesReValidator":
            if validator.match_func.__name__ != "fullmatch" or validator.pattern.flags & ~re.UNICODE:
                raise TypeError(
                    "JSON Schema has patterns for the whole text only, without flags: matches_re's fullmatch"
                )
            return {"pattern": f"^(?:{validator.pattern.pattern})$"}
        case "_InValidator":
            return {"enum": list(validator.options)}
        case _:
            return {}


def _object(cls: type, *, described: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for field, hint in fields_of(cls):
        try:
            schema = _type(hint) | constraints(field.validator, hint)
        except TypeError as error:
            raise TypeError(f"parameter {field.name!r} of {cls.__name__}: {error}") from None
        if described and "description" not in schema:
            raise TypeError(
                f"parameter {field.name!r} of {cls.__name__}: describe it, as Annotated[T, 'what it means']"
            )
        if field.default is attrs.NOTHING:
            required.append(field.name)
        elif isinstance(field.default, (str, int, float, bool)):
            schema["default"] = field.default.value if isinstance(field.default, enum.Enum) else field.default
        properties[field.name] = schema
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return schema


def _type(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        schema = _type(arguments[0])
        words = [extra for extra in arguments[1:] if isinstance(extra, str)]
        return schema | ({"description": inspect.cleandoc(words[0])} if words else {})
    if hint in JSON_TYPES:
        return {"type": JSON_TYPES[hint]}
    if hint is Any:
        return {}
    if origin is Literal or _is_enum(hint):
        values = list(arguments) if origin is Literal else [member.value for member in hint]
        kind = json_type(hint)
        return ({"type": kind} if kind else {}) | {"enum": values}
    if origin in (list, collections.abc.Sequence) or (origin is tuple and arguments[1:] == (...,)):
        return {"type": "array", "items": _type(arguments[0])}
    if hint is dict or origin in (dict, collections.abc.Mapping):
        return {"type": "object"} | ({"additionalProperties": _type(arguments[1])} if arguments else {})
    if isinstance(hint, type) and attrs.has(hint):
        return _object(hint, described=False)
    members = union_members(hint)
    if members is not None:
        return _union(members)
    raise TypeError(f"there is no JSON Schema for {hint!r}")


def _union(members: tuple[Any, ...]) -> dict[str, Any]:
    # `T | None` is a field that may be left out: null stays out of the schema, since some providers refuse or count it.
    if len(members) == 1:
        return _type(members[0])
    kinds = [json_type(member) for member in members]
    if None in kinds or len(set(kinds)) < len(kinds) or {"integer", "number"} <= set(kinds):
        raise TypeError("the members of a union must differ in their JSON type, or nobody can tell which one is meant")
    return {"anyOf": [_type(member) for member in members]}


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, enum.Enum)
