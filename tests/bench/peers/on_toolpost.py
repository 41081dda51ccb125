"""A validated read call through a surface."""

import tempfile
from typing import Annotated, Literal

import attrs
from measure import ANSWER, ARGUMENTS, report
from toolpost import Host, Tier, Tool
from toolpost.testing import plugin


@attrs.frozen(kw_only=True)
class Params:
    """The tool."""

    action: Annotated[Literal["hover", "definition"], "What to do."]
    file: Annotated[str, "A file."]
    line: Annotated[int, "A line."] = 1
    dry: Annotated[bool, "Change nothing."] = False


async def handler(params, call):
    return ANSWER


async def prepare():
    host = Host([plugin("bench", Tool(name="lsp", params=Params, handler=handler, tier=Tier.READ))])
    run = await host.open(tempfile.mkdtemp()).__aenter__()
    surface = run.surface(Tier.READ)
    return lambda: surface.call("lsp", ARGUMENTS)


report(prepare, lambda result: result.text == ANSWER, 20_000)
