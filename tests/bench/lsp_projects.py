"""The projects that the figures about language servers are taken on, one for each server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from lsp.servers import find

FILES = 50
"""How many files use what the first one defines."""


@attrs.frozen(kw_only=True)
class Project:
    """A project of `FILES` files that use one function, and one server for it.

    Attributes:
        server: its id.
        program: the server's program, and its arguments.
        language: the LSP language id.
        core: the file that defines `total`; `use` and `line` are where it is used, the line counted from 1.
        files: texts by path; `evidence` are those by which this server and no other is meant.
        broken: a line that is one more error at the end of the core, `{}` being a number; `fine` is one that is none.
        pulls: whether the server is asked for its diagnostics.
        seam: where in the core `filler` may be put in, which makes it as long as real files are.
        also: more programs that must be there.
    """

    server: str
    program: tuple[str, ...]
    language: str
    core: str
    use: str
    line: int
    files: Mapping[str, str]
    broken: str
    fine: str
    pulls: bool = True
    seam: str = ""
    filler: str = ""
    also: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the core."""
        return self.files[self.core]

    @property
    def command(self) -> tuple[str, ...]:
        """What starts the server by hand."""
        return (require(self.program[0]), *self.program[1:])

    @property
    def places(self) -> int:
        """How often `total` stands in all files."""
        return sum(text.count("total") for name, text in self.files.items() if not name.endswith((".json", ".mod")))

    def core_with(self, line: str) -> str:
        """The core's text with another last line."""
        return "\n".join([*self.text.splitlines()[:-1], line])

    def longer(self) -> Project:
        """The same with five hundred more lines in the core."""
        text = self.text
        return attrs.evolve(self, files={**self.files, self.core: text.replace(self.seam, self.filler + self.seam)})

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text.replace("{folder}", str(folder)))


class Missing(Exception):
    """A program that a figure needs is not here."""


def require(name: str) -> str:
    """The path of a program.

    Raises:
        Missing: it is not installed.
    """
    found = find(name)
    if found is None:
        raise Missing(f"{name} is not installed")
    return found


_PYTHON = "def total(values: list[int]) -> int:\n    return sum(values)\n\n\nkept: int = 0\n"

_HELPER = """\
def helper{0}(count: int, names: list[str]) -> str:
    whole = count + len(names) + {0}
    return ", ".join(names) + str(whole)


"""


def _python(server: str, *program: str, evidence: Mapping[str, str], pulls: bool = True) -> Project:
    uses = {
        f"use{number:02}.py": f"from core import total\n\nresult{number} = total([1, 2]) + total([{number}])\n"
        for number in range(FILES)
    }
    return Project(
        server=server,
        program=program,
        language="python",
        core="core.py",
        use="use00.py",
        line=3,
        files={"core.py": _PYTHON, **uses, **evidence},
        broken='kept: int = "{}"\n',
        fine="kept: int = {}\n",
        pulls=pulls,
        seam="kept: int = 0\n",
        filler="".join(_HELPER.format(number) for number in range(100)),
    )


def _typescript() -> Project:
    uses = {
        f"use{number:02}.ts": f'import {{ total }} from "./core";\n\nexport const result{number} = total([1]) + total([{number}]);\n'
        for number in range(FILES)
    }
    core = "export function total(values: number[]): number {\n  return values.length;\n}\n\nexport let kept: number = 0;\n"
    options = {
        "compilerOptions": {"strict": True, "module": "es2022", "moduleResolution": "bundler", "target": "es2022"}
    }
    return Project(
        server="typescript-language-server",
        program=("typescript-language-server", "--stdio"),
        language="typescript",
        core="core.ts",
        use="use00.ts",
        line=3,
        files={"core.ts": core, **uses, "tsconfig.json": json.dumps(options), "package.json": "{}"},
        broken='export let kept: number = "{}";\n',
        fine="export let kept: number = {};\n",
        pulls=False,
        also=("tsc",),
    )


def _c() -> Project:
    uses = {
        f"use{number:02}.c": f'#include "core.h"\n\nint result{number}(void) {{ return total({number}) + total(1); }}\n'
        for number in range(FILES)
    }
    commands = [{"directory": "{folder}", "file": name, "arguments": ["cc", "-c", name]} for name in ("core.c", *uses)]
    core = '#include "core.h"\n\nint total(int value) { return value + 1; }\n\nint kept = 0;\n'
    return Project(
        server="clangd",
        program=("clangd",),
        language="c",
        core="core.c",
        use="use00.c",
        line=3,
        files={
            "core.c": core,
            "core.h": "int total(int value);\n",
            **uses,
            "compile_commands.json": json.dumps(commands),
        },
        broken="int kept = missing{};\n",
        fine="int kept = {};\n",
        pulls=False,
    )


def _go() -> Project:
    uses = {
        f"use{number:02}.go": f"package main\n\nvar result{number} = total({number}) + total(1)\n"
        for number in range(FILES)
    }
    core = "package main\n\nfunc total(value int) int { return value + 1 }\n\nfunc main() {}\n\nvar kept int = 0\n"
    return Project(
        server="gopls",
        program=("gopls",),
        language="go",
        core="core.go",
        use="use00.go",
        line=3,
        files={"core.go": core, **uses, "go.mod": "module example.com/total\n\ngo 1.19\n"},
        broken='var kept int = "{}"\n',
        fine="var kept int = {}\n",
        pulls=False,
        also=("go",),
    )


PROJECTS: Mapping[str, Callable[[], Project]] = {
    "ty": lambda: _python("ty", "ty", "server", evidence={"ty.toml": ""}),
    "pyright": lambda: _python("pyright", "pyright-langserver", "--stdio", evidence={"pyrightconfig.json": "{}"}),
    "pyrefly": lambda: _python("pyrefly", "pyrefly", "lsp", evidence={"pyrefly.toml": ""}, pulls=False),
    "zuban": lambda: _python("zuban", "zuban", "server", evidence={"pyproject.toml": "[tool.zuban]\n"}),
    "typescript-language-server": _typescript,
    "clangd": _c,
    "gopls": _go,
}
"""By the server's id."""
