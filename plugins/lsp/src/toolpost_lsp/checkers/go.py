"""Go: `go vet`, which compiles what it looks at, and so finds the compiler's errors too."""

from __future__ import annotations

import re

from toolpost_lsp.checkers.checker import Checker, Item, Parsed, always, lines

_PLACED = re.compile(r"(?:vet: )?(?P<path>[^:\s][^:]*\.\w+):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.*)")


def _parse(_output: str, errors: str) -> Parsed:
    if "no packages to vet" in errors:
        return Parsed(checked=0)
    items: list[Item] = []
    failures: list[str] = []
    broken = False
    for line in lines(errors):
        if match := _PLACED.fullmatch(line):
            broken = broken or line.startswith("vet: ")
            items.append(Item.at(match["path"], int(match["line"]), int(match["column"] or 1), match["message"]))
        elif not line.startswith(("#", "\t", "go: downloading ", "exit status ")):
            failures.append(line)
    remark = "of a package that does not compile it tells the first error only" if broken else ""
    return Parsed(items=tuple(items), failures=tuple(failures), remark=remark)


GO_VET = Checker(
    id="go vet",
    language="Go",
    endings=(".go",),
    program="go",
    invocations=always("vet", "./..."),
    parse=_parse,
    root_markers=("go.mod",),  # also in a workspace of several: `./...` does not reach from one module into the next
    found=frozenset({1, 2}),
    encoding="utf-8",
    env={"GOTOOLCHAIN": "local"},  # it fetches no other Go
    version_probe=("version",),
    install="see the releases of Go",
)

CHECKERS = (GO_VET,)
