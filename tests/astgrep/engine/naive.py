"""A matcher of nested lists that is plainly right: all ways, one after the other, with no care for time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs


@attrs.frozen
class One:
    name: str | None


@attrs.frozen
class Many:
    name: str | None


Value: TypeAlias = "int | tuple[Value, ...]"
Item: TypeAlias = "int | One | Many | tuple[Item, ...]"
Bindings: TypeAlias = "dict[str, tuple[Value, ...]]"


def first_match(pattern: tuple[Item, ...], value: Value) -> Bindings | None:
    """What each name stands for in the first way that matches; an ellipsis takes as few as it can."""
    if isinstance(value, int):
        return None
    return next(_ways(pattern, value, {}), None)


def _ways(pattern: tuple[Item, ...], values: tuple[Value, ...], bound: Bindings) -> Iterator[Bindings]:
    if not pattern:
        if not values:
            yield bound
        return
    item, rest = pattern[0], pattern[1:]
    if isinstance(item, Many):
        for count in range(len(values) + 1):
            taken = _bind(item.name, values[:count], bound)
            if taken is not None:
                yield from _ways(rest, values[count:], taken)
    elif values:
        value = values[0]
        if isinstance(item, One):
            taken = _bind(item.name, (value,), bound)
            if taken is not None:
                yield from _ways(rest, values[1:], taken)
        elif isinstance(item, tuple) and isinstance(value, tuple):
            for inside in _ways(item, value, bound):
                yield from _ways(rest, values[1:], inside)
        elif item == value:
            yield from _ways(rest, values[1:], bound)


def _bind(name: str | None, values: tuple[Value, ...], bound: Bindings) -> Bindings | None:
    if name is None:
        return bound
    if name in bound:
        return bound if bound[name] == values else None
    return {**bound, name: values}


def spelt(item: Item) -> str:
    """A value or a pattern as Python's list displays and metavariables."""
    if isinstance(item, int):
        return str(item)
    if isinstance(item, One):
        return f"${item.name or '_'}"
    if isinstance(item, Many):
        return f"$$${item.name or ''}"
    return f"[{', '.join(map(spelt, item))}]"
