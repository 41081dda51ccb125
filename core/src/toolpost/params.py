"""A tool's arguments: checked strictly, structured into its attrs class, and refused in words a model can act on.

cattrs structures; its primitive hooks are replaced, since they coerce (`"false"` became True, 1.7 became 1, a dict
became a list: facts/framework.md §2g). What the schema calls valid is what structures, with one widening: a null for
a field that may be left out means that it was left out, because some providers always send every field.
"""

from __future__ import annotations

import collections.abc
import enum
import functools
import itertools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import attrs
import cattrs
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError
from cattrs.gen import make_dict_structure_fn, override

from toolpost.schema import JSON_TYPES, bare, constraints, fields_of, json_type, union_members

P = TypeVar("P")

_MOST = 20
"""Problems that one error names."""


class InvalidArguments(ValueError):
    """Arguments that do not fit; the text names every field that is wrong and what was expected."""


class _Misfit(ValueError):
    """One value that does not fit; its text goes behind the field's name."""


def structurer(params: type[P]) -> Callable[[Any], P]:
    """The function that checks arguments and makes them a *params* object.

    It takes a mapping or JSON text of an object, and raises InvalidArguments.
    """
    hook = _converter().get_structure_hook(params)
    names = [field.name for field, _ in fields_of(params)]

    def structure(arguments: Any) -> P:
        if isinstance(arguments, str):
            arguments = _parse(arguments)
        if type(arguments) is not dict and not isinstance(arguments, Mapping):
            raise InvalidArguments(f"arguments must be an object, not {shown(arguments)}; {_takes(names)}")
        try:
            made: P = hook(arguments, params)
        except ClassValidationError as error:
            problems = list(dict.fromkeys(itertools.islice(_problems(error, ""), _MOST + 1)))
            more = ["and more"] if len(problems) > _MOST else []
            raise InvalidArguments("; ".join([*problems[:_MOST], *more]) + f". {_takes(names)}") from None
        except RecursionError:
            raise InvalidArguments("arguments are nested too deeply") from None
        return made

    return structure


def shown(value: Any, limit: int = 60) -> str:
    """A value as JSON, cut to *limit* characters: how an error quotes what it was given."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value))
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def nearest(name: str, names: Iterable[str]) -> str:
    """` (did you mean "x"?)` for the nearest of *names*, or nothing."""
    import difflib

    found = difflib.get_close_matches(name, list(names), 1, 0.6)
    return f' (did you mean "{found[0]}"?)' if found else ""


def _takes(names: list[str]) -> str:
    return "It takes: " + ", ".join(names) if names else "It takes no arguments"


def _parse(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError as error:
        raise InvalidArguments(f"arguments are not JSON: {error}") from None
    except RecursionError:
        raise InvalidArguments("arguments are nested too deeply") from None


# ---- structuring ------------------------------------------------------------------------------------------------


@functools.cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    for kind in JSON_TYPES:
        converter.register_structure_hook(kind, _PRIMITIVES[kind])
    converter.register_structure_hook_func(lambda hint: hint is Any, lambda value, _: value)
    converter.register_structure_hook_factory(
        lambda hint: json_type(hint) == "array" and not union_members(hint), _array(converter)
    )
    converter.register_structure_hook_factory(_is_mapping, _mapping(converter))
    converter.register_structure_hook_factory(lambda hint: union_members(hint) is not None, _union(converter))
    converter.register_structure_hook_factory(attrs.has, _class(converter))
    return converter


def _hook(converter: cattrs.Converter, hint: Any) -> Callable[[Any, Any], Any]:
    if get_origin(hint) is Annotated:
        return _hook(converter, get_args(hint)[0])
    # Not a hook of the converter: cattrs before 25 prefers its own for enumerations.
    if _is_choice(hint):
        return _choice(hint)
    hook: Callable[[Any, Any], Any] = converter.get_structure_hook(hint)
    # cattrs' own hooks must be told the type without `Annotated` and `None`; those of this module know theirs.
    return hook if getattr(hook, "__module__", "") == __name__ else lambda value, _: hook(value, hint)


def _text(value: Any, _: Any = None) -> str:
    if isinstance(value, str):
        return value
    raise _Misfit(f"expected text, got {shown(value)}")


def _integer(value: Any, _: Any = None) -> int:
    if type(value) is int:
        return value
    # JSON has one kind of number: 5.0 is an integer to JSON Schema, and providers do send it.
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise _Misfit(f"expected an integer, got {shown(value)}")


def _number(value: Any, _: Any = None) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise _Misfit(f"expected a number, got {shown(value)}")


def _boolean(value: Any, _: Any = None) -> bool:
    if isinstance(value, bool):
        return value
    raise _Misfit(f"expected true or false, got {shown(value)}")


_PRIMITIVES: Mapping[Any, Callable[..., Any]] = {str: _text, int: _integer, float: _number, bool: _boolean}


def _is_choice(hint: Any) -> bool:
    return get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, enum.Enum))


def _choice(hint: Any) -> Callable[[Any, Any], Any]:
    members = {value: value for value in get_args(hint)} if get_origin(hint) is Literal else {m.value: m for m in hint}
    words = ", ".join(shown(value) for value in members)

    texts = {value: member for value, member in members.items() if isinstance(value, str)}

    def structure(value: Any, _: Any) -> Any:
        if type(value) is str and value in texts:
            return texts[value]
        for known, member in members.items():
            # As JSON compares: 2.0 is 2, but true is not 1.
            if known == value and isinstance(known, bool) is isinstance(value, bool):
                return member
        near = nearest(value, [known for known in members if isinstance(known, str)]) if isinstance(value, str) else ""
        raise _Misfit(f"{shown(value)} is not one of {words}{near}")

    return structure


def _array(converter: cattrs.Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(hint: Any) -> Callable[[Any, Any], Any]:
        hook = _hook(converter, get_args(hint)[0])
        make = tuple if get_origin(hint) is tuple else list

        def structure(value: Any, _: Any) -> Any:
            if not isinstance(value, (list, tuple)):
                raise _Misfit(f"expected a list, got {shown(value)}")
            return make(_each(((f"[{index}]", element) for index, element in enumerate(value)), hook, hint))

        return structure

    return factory


def _each(items: Iterable[tuple[str, Any]], hook: Callable[[Any, Any], Any], hint: Any) -> list[Any]:
    """Structure each item; all that do not fit are told together, each with its step (`[3]`, `.key`)."""
    made, errors = [], []
    for step, item in items:
        try:
            made.append(hook(item, None))
        except Exception as error:
            error.__notes__ = [*getattr(error, "__notes__", []), step]
            errors.append(error)
    if errors:
        raise IterableValidationError("", errors, hint)
    return made


def _is_mapping(hint: Any) -> bool:
    return hint is dict or get_origin(hint) in (dict, collections.abc.Mapping)


def _mapping(converter: cattrs.Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(hint: Any) -> Callable[[Any, Any], Any]:
        hook = _hook(converter, (get_args(hint) or (str, Any))[1])

        def structure(value: Any, _: Any) -> Any:
            if not isinstance(value, Mapping):
                raise _Misfit(f"expected an object, got {shown(value)}")
            keys = [_text(key) for key in value]
            return dict(zip(keys, _each(((f".{key}", value[key]) for key in keys), hook, hint), strict=True))

        return structure

    return factory


def _union(converter: cattrs.Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(hint: Any) -> Callable[[Any, Any], Any]:
        members = union_members(hint) or ()
        if len(members) == 1:
            return _hook(converter, members[0])
        hooks = {json_type(member): _hook(converter, member) for member in members}
        words = " or ".join(f"{'an' if kind in ('integer', 'object', 'array') else 'a'} {kind}" for kind in hooks)

        def structure(value: Any, _: Any) -> Any:
            chosen = hooks.get(_json_type_of(value)) or (hooks.get("number") if type(value) is int else None)
            if chosen is None:
                raise _Misfit(f"expected {words}, got {shown(value)}")
            return chosen(value, None)

        return structure

    return factory


def _json_type_of(value: Any) -> str | None:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, Mapping):
        return "object"
    return "array" if isinstance(value, (list, tuple)) else JSON_TYPES.get(type(value))


def _class(converter: cattrs.Converter) -> Callable[[Any], Callable[[Any, Any], Any]]:
    def factory(cls: Any) -> Callable[[Any, Any], Any]:
        overrides, optional, names = {}, set(), []
        for field, hint in fields_of(cls):
            overrides[field.name] = override(struct_hook=_checked(_hook(converter, bare(hint)), bare(hint), field))
            names.append(field.name)
            if field.default is not attrs.NOTHING:
                optional.add(field.name)
        # Nearly all arguments are good: they pass in half the time of the function that collects what is wrong.
        fast, careful = (
            make_dict_structure_fn(
                cls,
                converter,
                _cattrs_forbid_extra_keys=True,
                _cattrs_detailed_validation=detailed,
                **overrides,  # type: ignore[arg-type]
            )
            for detailed in (False, True)
        )

        def structure(value: Any, _: Any) -> Any:
            if type(value) is not dict and not isinstance(value, Mapping):
                raise _Misfit(f"expected an object, got {shown(value)}")
            if None in value.values():
                value = {key: item for key, item in value.items() if item is not None or key not in optional}
            try:
                return fast(value, cls)
            except RecursionError:
                raise
            except Exception:
                return careful(value, cls)

        return structure

    return factory


def _checked(hook: Callable[[Any, Any], Any], hint: Any, field: attrs.Attribute[Any]) -> Callable[[Any, Any], Any]:
    """*hook*, then the field's own validators in words: attrs' messages name neither the value nor the way out."""
    limits = [(_LIMITS[keyword], bound) for keyword, bound in constraints(field.validator, hint).items()]
    if not limits:
        return hook

    def structure(value: Any, _: Any) -> Any:
        made = hook(value, hint)
        for (holds, words), bound in limits:
            if not holds(made, bound):
                raise _Misfit(
                    f"{words.format(bound if isinstance(bound, (int, float)) else shown(bound))}, got {shown(value)}"
                )
        return made

    return structure


_LIMITS: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "must be at least {}"),
    "maximum": (lambda value, bound: value <= bound, "must be at most {}"),
    "exclusiveMinimum": (lambda value, bound: value > bound, "must be more than {}"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "must be less than {}"),
    "minLength": (lambda value, bound: len(value) >= bound, "must have at least {} characters"),
    "maxLength": (lambda value, bound: len(value) <= bound, "must have at most {} characters"),
    "minItems": (lambda value, bound: len(value) >= bound, "must have at least {} items"),
    "maxItems": (lambda value, bound: len(value) <= bound, "must have at most {} items"),
    "pattern": (lambda value, bound: re.fullmatch(bound, value) is not None, "must match {}"),
    "enum": (lambda value, bound: value in bound, "must be one of {}"),
}


# ---- wording ----------------------------------------------------------------------------------------------------


def _problems(error: BaseException, where: str) -> Iterator[str]:
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        for inner in error.exceptions:
            yield from _problems(inner, where + _step(inner, where))
    elif isinstance(error, ForbiddenExtraKeysError):
        known = [field.name for field in attrs.fields(error.cl)] if error.cl else []
        for name in sorted(error.extra_fields, key=str):
            yield f'unknown argument "{where + "." if where else ""}{name}"{nearest(str(name), known)}'
    elif isinstance(error, KeyError):
        yield f"{where}: missing"
    else:
        text = str(error) if isinstance(error, (ValueError, TypeError)) else f"{type(error).__name__}: {error}"
        yield f"{where}: {text}" if where else text


def _step(error: BaseException, where: str) -> str:
    """How *error*'s note names its place below *where*: `.field`, `[3]`."""
    for note in getattr(error, "__notes__", ()):
        name = getattr(note, "name", None)
        if isinstance(name, str):
            return f".{name}" if where else name
        if isinstance(note, str):
            return note
    return ""
