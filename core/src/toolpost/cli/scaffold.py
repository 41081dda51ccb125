"""The files of a new plugin. NAME and TITLE stand for its name, in lower case and as a class would have it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_PYPROJECT = """[project]
name = "toolpost-NAME"
version = "0.1.0"
description = "What it does, in a sentence."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["attrs>=23.2", "toolpost>=0.1,<1"]

[project.entry-points.toolpost]
NAME = "toolpost_NAME"

[dependency-groups]
dev = ["pytest>=8", "hypothesis>=6.100"]

[build-system]
requires = ["uv_build>=0.9,<1"]
build-backend = "uv_build"
"""

_README = """# toolpost-NAME

A toolpost plugin. `pip install toolpost-NAME`, and `toolpost tools` shows its tools; a harness names it:

```python
from toolpost import Host, Tier

async with Host(["NAME"]).open("path/to/checkout") as run:
    print((await run.surface(Tier.READ).call("NAME_count", {"text": "TODO"})).text)
```
"""

_MODULE = '''"""The plugin: its tools, and what it binds to each run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import attrs
from toolpost import Call, Result, Scope, Tier, Tool, ToolError, hookimpl


@attrs.frozen(kw_only=True)
class Count:
    """Count how often a text stands in a file of the workspace."""

    text: Annotated[str, "What to count, as it stands in the file."] = attrs.field(validator=attrs.validators.min_len(1))
    path: Annotated[str, "The file, relative to the workspace."] = "README.md"


@attrs.define
class TITLE:
    """The live handle of one run: put your connection, client or session here."""

    run: Scope
    calls: int = 0


async def count(params: Count, call: Call[TITLE]) -> Result:
    try:
        content = call.scope.files.read(params.path)
    except OSError as error:
        raise ToolError(f"{params.path}: {error.strerror or error}; name a file of the workspace") from error
    call.handle.calls += 1
    found = content.count(params.text.encode())
    return Result.of(f"{params.path}: {found} times", data={"path": params.path, "count": found})


@hookimpl
def toolpost_tools() -> list[Tool]:
    return [Tool(name="NAME_count", params=Count, handler=count, tier=Tier.READ)]


@hookimpl
@asynccontextmanager
async def toolpost_resource(run: Scope) -> AsyncIterator[TITLE]:
    # Bind to what the run has: run.port(Kind), run.workspace. Yield toolpost.Unavailable(reason, remedy) where it is not
    # there: then the tools do not exist in this run. Start no process here.
    yield TITLE(run)
'''

_TESTS = '''"""The contracts that every plugin holds, and this one's own."""

import asyncio

from toolpost import Tier
from toolpost.testing import PluginConformance, open_run


class TestTITLE(PluginConformance):
    plugin = "NAME"
    files = {"README.md": "TODO: one\\nTODO: two\\n"}
    samples = {"NAME_count": {"text": "TODO"}}


def test_counts(tmp_path):
    (tmp_path / "README.md").write_text("a b a")

    async def main():
        async with open_run(tmp_path, ["NAME"]) as run:
            result = await run.surface(Tier.READ).call("NAME_count", {"text": "a"})
            assert result.data == {"path": "README.md", "count": 2}

    asyncio.run(main())
'''

FILES: Mapping[str, str] = MappingProxyType(
    {
        "pyproject.toml": _PYPROJECT,
        "README.md": _README,
        "src/toolpost_NAME/__init__.py": _MODULE,
        "tests/test_NAME.py": _TESTS,
    }
)
