"""langchain-core: StructuredTool.ainvoke of a tool call."""

from typing import Literal

from langchain_core.tools import StructuredTool
from measure import ANSWER, ARGUMENTS, report, tool


async def lsp(action: Literal["hover", "definition"], file: str, line: int = 1, dry: bool = False) -> str:
    """The tool."""
    return await tool(action, file, line, dry)


async def prepare():
    structured = StructuredTool.from_function(coroutine=lsp, name="lsp", description="The tool.")
    call = {"name": "lsp", "args": ARGUMENTS, "id": "1", "type": "tool_call"}
    return lambda: structured.ainvoke(call)


report(prepare, lambda message: message.content == ANSWER, 300)
