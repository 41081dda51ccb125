"""Places in source text as an answer shows them: `path:line  source line`, by file, the rest counted (lsp:caps)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from toolpost_lsp.navigation.sources import Sources
from toolpost_lsp.protocol.types import Location, Range
from toolpost_lsp.server.server import Server
from toolpost_lsp.words import clean, counted

_LINE = 200
_FILES = 20


@attrs.frozen(kw_only=True)
class Spot:
    """One place.

    Attributes:
        path: as people see it; outside the workspace an absolute path or a URI.
        range: 0-based lines, and characters in *unit*.
        unit: "utf-32" (code points) wherever the text is known, else the server's own encoding.
        text: the line of source, None if it is not known.
    """

    path: str
    inside: bool
    range: Range
    unit: str
    text: str | None

    @property
    def line(self) -> int:
        """1-based."""
        return self.range.start.line + 1

    def __str__(self) -> str:
        where = f"{clean(self.path, 1000)}:{self.line}"
        if not self.inside:
            return f"{where}  (outside the workspace)"
        return where if self.text is None else f"{where}  {clean(self.text, _LINE)}"

    def data(self) -> dict[str, Any]:
        """The same as structure, in the protocol's terms."""
        return {
            "path": self.path,
            "inside": self.inside,
            "range": self.range.json(),
            "unit": self.unit,
            "text": self.text,
        }


async def spots(locations: Iterable[Location], server: Server, sources: Sources) -> tuple[Spot, ...]:
    """Locations that *server* gave, as places, each once."""
    found: dict[tuple[str, Range], Spot] = {}
    locations = tuple(locations)
    await sources.gather((each.uri for each in locations), server)
    for location in locations:
        source = await sources.at(location.uri, server)
        span, unit = location.range, str(server.encoding)
        text = None
        if source.lines is not None:
            span, unit = source.lines.range(*source.lines.offsets(span, server.encoding), "utf-32"), "utf-32"
            text = source.lines.line(span.start.line)
        spot = Spot(path=source.path, inside=source.inside, range=span, unit=unit, text=text)
        found.setdefault((spot.path, spot.range), spot)
    return tuple(found.values())


def by_file(places: Iterable[Spot], first: Sequence[str] = ()) -> list[Spot]:
    """In the order of an answer: the files named *first*, then the others by name, those outside last."""
    order = {path: number for number, path in enumerate(first)}
    return sorted(places, key=lambda each: (not each.inside, order.get(each.path, len(order)), each.path, each.range))


def listing(places: Sequence[Spot], most: int, what: str) -> list[str]:
    """A line for each line of source, and one for all beyond *most* places, counted by file."""
    lines = Counter(str(each) for each in places[:most])
    told = [f"{line}  ({count} on this line)" if count > 1 else line for line, count in lines.items()]
    left = Counter(each.path for each in places[most:])
    if left:
        files = [f"{clean(path, 1000)} {count}" for path, count in left.most_common(_FILES)]
        others = len(left) - len(files)
        behind = f" and {counted(others, 'further file')}" if others > 0 else ""
        told.append(f"… and {counted(left.total(), f'more {what}')}: {', '.join(files)}{behind}")
    return told


def unread(skipped: int) -> str:
    """What stands behind the first line of an answer of which some items could not be read."""
    return f" ({counted(skipped, 'item')} of the server's answer could not be read)" if skipped else ""
