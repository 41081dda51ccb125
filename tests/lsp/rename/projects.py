"""Projects of real servers in which one name is used in many files, with all that makes bytes and columns differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import attrs

MANY = 50
_MARK = "\ufeff"


@attrs.frozen(kw_only=True)
class Project:
    """A project.

    Attributes:
        files: their texts; `{folder}` is where it lies.
        at: the file, line and symbol that a rename is asked at.
        changes: the pieces of text that it changes, to what.
        foreign: a file and a symbol on its first line that is defined outside; None: the server knows none.
    """

    files: Mapping[str, str]
    at: tuple[str, int, str]
    new: str
    changes: Mapping[str, str]
    foreign: tuple[str, str] | None = None

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).write_bytes(text.replace("{folder}", str(folder)).encode())

    def renamed(self, folder: Path) -> dict[str, bytes]:
        """What the files hold afterwards."""
        return {
            name: self._renamed(text).replace("{folder}", str(folder)).encode() for name, text in self.files.items()
        }

    def _renamed(self, text: str) -> str:
        for old, new in self.changes.items():
            text = text.replace(old, new)
        return text


def _varied(number: int, text: str) -> str:
    """Some files have CRLF, some a byte-order mark, some no last line end."""
    text = text if number % 2 else text.replace("\n", "\r\n")
    text = text if number % 3 else _MARK + text
    return text if number % 5 else text.rstrip("\r\n")


def _python(evidence: Mapping[str, str]) -> Project:
    core = "class Store:\n    def load(self) -> int:\n        return len('load')\n\n\ndef make() -> Store:\n    return Store()\n"
    use = 'from core import make; "😀é"; a = make().load() + make().load()  # load\nb = "😀", a; "load"; c = make().load()\n'
    return Project(
        files={"core.py": core, **{f"use{n}.py": _varied(n, use) for n in range(MANY)}, **evidence},
        at=("use3.py", 2, "load#2"),
        new="fetch",
        changes={".load(": ".fetch(", "def load(": "def fetch("},
        foreign=("foreign.py", "range"),
    )


def _with_foreign(project: Project, text: str) -> Project:
    return attrs.evolve(project, files={**project.files, "foreign.py": text})


_TYPESCRIPT = {
    "core.ts": "export function total(value: number): number { return value; }\n",
    "again.ts": 'export { total } from "./core";\n',
    "local.ts": 'import { total } from "./core";\nexport { total };\n',
    "short.ts": 'import { total } from "./core";\nexport const made = { total };\n',
    "foreign.ts": "parseInt('1');\n",
    "tsconfig.json": json.dumps({"compilerOptions": {"strict": True, "module": "es2022", "target": "es2022"}}),
    **{
        f"use{n}.ts": _varied(n, f'import {{ total }} from "./{where}"; /* 😀é */ total(1) + total(2); // total\n')
        for n, where in ((n, ("core", "again", "local")[n % 3]) for n in range(MANY))
    },
}

PROJECTS: Mapping[str, Project] = {
    name: _with_foreign(_python(evidence), "range(3)\n")
    for name, evidence in {
        "ty": {"ty.toml": ""},
        "pyright": {"pyrightconfig.json": "{}"},
        "pyrefly": {"pyrefly.toml": ""},
        "zuban": {"pyproject.toml": "[tool.zuban]\n"},
    }.items()
} | {
    "typescript-language-server": Project(
        files=_TYPESCRIPT,
        at=("use7.ts", 1, "total#2"),
        new="sum",
        changes={
            "{ total }": "{ sum }",
            "made = { sum }": "made = { total: sum }",
            "total(": "sum(",
        },
        foreign=("foreign.ts", "parseInt"),
    ),
    "gopls": Project(
        files={
            "core.go": "package main\n\n// total adds.\nfunc total(value int) int { return value }\n\nfunc main() {}\n",
            "go.mod": "module example.com/many\n\ngo 1.19\n",
            **{
                f"use{n}.go": _varied(n, f'package main\n\nvar use{n} = len("😀é") + total(1) + total(2) // total\n')
                for n in range(MANY)
            },
        },
        at=("use7.go", 3, "total#2"),
        new="sum",
        changes={"total(": "sum(", "// total adds": "// sum adds"},
    ),
    "clangd": Project(
        files={
            "core.c": '#include "core.h"\n\nint total(int value) { return value; }\n',
            "core.h": "int total(int value); // total\n",
            "compile_commands.json": json.dumps(
                [
                    {"directory": "{folder}", "file": name, "arguments": ["cc", "-c", name]}
                    for name in ("core.c", *(f"use{n}.c" for n in range(MANY)))
                ]
            ),
            **{
                f"use{n}.c": _varied(
                    n,
                    f'#include "core.h"\nint use{n}(void) {{ return sizeof "😀é" + total(1) + total(2); }} // total\n',
                )
                for n in range(MANY)
            },
        },
        at=("use7.c", 2, "total#2"),
        new="sum",
        changes={"total(": "sum("},
    ),
}
"""By the server's id."""
