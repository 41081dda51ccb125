"""What one question costs through the tool, beside a raw client of the same server: `python tests/bench/lsp_request.py`.

Both have a server of their own on the same project, both are warm, and they take turns; medians of 50, and their ratio.
Asked is about calls of methods in a large file of real code: each time about another one; about the same one again, which
servers answer from memory; and about another one after the file has changed, as an agent asks between its edits.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.interleaved import medians
from bench.lsp_projects import Project
from bench.lsp_raw import RawClient, raw_client
from bench.lsp_session import Row, bounded, call, figures, opened
from toolpost import Run

ROUNDS = 50
TIMES = 1.3
QUESTIONS = {"hover": "textDocument/hover", "definition": "textDocument/definition"}
FILE = "large.py"
TEXT = Path(argparse.__file__).read_text()


@attrs.frozen
class Place:
    """A name in the file; both numbers count from 0."""

    line: int
    column: int
    name: str


def places() -> Sequence[Place]:
    """Calls of methods, each the only one of its name on its line, evenly over the file."""
    found = []
    for number, line in enumerate(TEXT.splitlines()):
        called = re.search(r"\bself\.(\w+)\(", line)
        if called and line.isascii() and len(re.findall(rf"\b{called[1]}\b", line)) == 1:
            found.append(Place(number, called.start(1), called[1]))
    return found


@attrs.define
class Asking:
    """One kind of question, asked by hand and through the tool: both are asked the same, in the same order."""

    action: str
    run: Run
    client: RawClient
    again: bool = False
    changes: bool = False
    _by_hand: Iterator[Place] = attrs.field(init=False)
    _by_tool: Iterator[Place] = attrs.field(init=False)
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)

    def __attrs_post_init__(self) -> None:
        asked = places()[:1] if self.again else places()
        self._by_hand, self._by_tool = itertools.cycle(asked), itertools.cycle(asked)

    async def by_hand(self) -> None:
        place = next(self._by_hand)
        if self.changes:
            self.client.show(FILE, "python", self._changed(self.client.root))
        position = {"line": place.line, "character": place.column}
        params = {"textDocument": {"uri": self.client.uri(FILE)}, "position": position}
        await self.client.request(QUESTIONS[self.action], params)

    async def by_tool(self) -> None:
        place = next(self._by_tool)
        if self.changes:
            self._changed(Path(self.run.scope.workspace))
        result = await call(self.run, "lsp", action=self.action, file=FILE, line=place.line + 1, symbol=place.name)
        assert place.name in result.text, result.text

    def _changed(self, root: Path) -> str:
        text = f"{TEXT}kept = {next(self._numbers)}\n"
        (root / FILE).write_text(text)
        return text


async def measure(project: Project) -> list[Row]:
    project = attrs.evolve(project, files={**project.files, FILE: f"{TEXT}kept = 0\n"})
    async with opened(project) as run, raw_client(project) as client:
        client.show(FILE, project.language, project.files[FILE])
        await call(run, "lsp", action="diagnostics", file=FILE)
        contenders: dict[str, Callable[[], Awaitable[None]]] = {}
        for action in QUESTIONS:
            kinds = {
                f"{action}": Asking(action, run, client),
                f"{action}, again": Asking(action, run, client, again=True),
                f"{action}, after a change": Asking(action, run, client, changes=True),
            }
            for name, asking in kinds.items():
                contenders[f"raw {name}"], contenders[name] = asking.by_hand, asking.by_tool
        spent: dict[str, float] = {}
        for name in (each for each in contenders if not each.startswith("raw ")):
            pair = {each: contenders[each] for each in (f"raw {name}", name)}
            spent |= await medians(pair, rounds=ROUNDS)
    return [row(project, name, spent) for name in spent if not name.startswith("raw ")]


def row(project: Project, name: str, spent: Mapping[str, float]) -> Row:
    raw, tool = spent[f"raw {name}"], spent[name]
    value = f"{raw * 1e3:6.2f} ms by hand, {tool * 1e3:6.2f} ms through the tool, {tool / raw:5.2f} times"
    return bounded(f"{project.server}, {name}", value, tool / raw, TIMES, " times")


if __name__ == "__main__":
    sys.exit(figures(measure, ["ty", "pyright"]))
