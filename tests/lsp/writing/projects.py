"""Small projects in which a core is used by a caller, one for each real server: what breaks whom is known."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import attrs
from lsp.servers import program


@attrs.frozen(kw_only=True)
class Project:
    """A project of one server.

    Attributes:
        programs: what must be on PATH, the server's first.
        core: the file that defines `total`; `caller` uses it.
        files: their texts, and those that make it a project.
        broken: the core with one error of its own, at the line that is given.
        changed: the core without an error of its own, that breaks the caller.
        elsewhere: whether this server tells of the caller.
    """

    programs: tuple[str, ...]
    core: str
    caller: str
    files: Mapping[str, str]
    broken: str
    line: int
    changed: str
    elsewhere: bool = True

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).write_text(text.replace("{folder}", str(folder)))

    @property
    def text(self) -> str:
        return self.files[self.core]


_PYTHON = "def total(values: list[int]) -> int:\n    return sum(values)\n\n\nkept: int = 0\n"
_TYPESCRIPT = (
    "export function total(value: number): number {\n  return value + 1;\n}\n\nexport const kept: number = 0;\n"
)
_GO = "package main\n\nfunc total(value int) int { return value + 1 }\n\nfunc main() {}\n\nvar kept int = 0\n"
_C = '#include "core.h"\n\nint total(int value) { return value + 1; }\n\nint kept = 0;\n'


def _python(server: str, evidence: Mapping[str, str]) -> Project:
    return Project(
        programs=(server,),
        core="core.py",
        caller="caller.py",
        files={"core.py": _PYTHON, "caller.py": "from core import total\n\nresult = total([1])\n", **evidence},
        broken=_PYTHON.replace("kept: int = 0", 'kept: int = "a"'),
        line=5,
        changed=_PYTHON.replace("values: list[int]", "values: int").replace("sum(values)", "values"),
    )


PROJECTS: Mapping[str, Project] = {
    "ty": _python("ty", {"ty.toml": ""}),
    "pyright": _python("pyright-langserver", {"pyrightconfig.json": "{}"}),
    "pyrefly": _python("pyrefly", {"pyrefly.toml": ""}),
    "zuban": _python("zuban", {"pyproject.toml": "[tool.zuban]\n"}),
    "typescript-language-server": Project(
        programs=("typescript-language-server", "tsc"),
        core="core.ts",
        caller="caller.ts",
        files={
            "core.ts": _TYPESCRIPT,
            "caller.ts": 'import { total } from "./core";\n\nexport const result = total(1);\n',
            "tsconfig.json": json.dumps({"compilerOptions": {"strict": True, "module": "es2022", "target": "es2022"}}),
        },
        broken=_TYPESCRIPT.replace("kept: number = 0", 'kept: number = "a"'),
        line=5,
        changed=_TYPESCRIPT.replace("value: number", "value: string").replace("value + 1", "value.length"),
    ),
    "gopls": Project(
        programs=("gopls", "go"),
        core="core.go",
        caller="caller.go",
        files={
            "core.go": _GO,
            "caller.go": "package main\n\nvar result = total(1)\n",
            "go.mod": "module example.com/total\n\ngo 1.19\n",
        },
        broken=_GO.replace("kept int = 0", 'kept int = "a"'),
        line=7,
        changed=_GO.replace("value int", "value string").replace("value + 1", "len(value)"),
    ),
    "clangd": Project(
        programs=("clangd",),
        core="core.c",
        caller="caller.c",
        files={
            "core.c": _C,
            "core.h": "int total(int value);\n",
            "caller.c": '#include "core.h"\n\nint result(void) { return total(1); }\n',
            "compile_commands.json": json.dumps(
                [
                    {"directory": "{folder}", "file": name, "arguments": ["cc", "-c", name]}
                    for name in ("core.c", "caller.c")
                ]
            ),
        },
        broken=_C.replace("kept = 0", "kept = missing"),
        line=5,
        changed=_C.replace("value + 1", "value + 2"),
        elsewhere=False,  # what a caller needs stands in the header
    ),
}
"""By the server's id."""


def put(folder: Path, *names: str) -> None:
    """Make programs available in a folder, and Node, which some of them need."""
    for name in names:
        os.symlink(program(name), folder / name)
    node = next(
        (found for each in (os.environ["PATH"], os.defpath) if (found := shutil.which("node", path=each))), None
    )
    if node:
        (folder / "node").symlink_to(node)
