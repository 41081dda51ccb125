"""openai-agents: FunctionTool.on_invoke_tool with JSON arguments."""

import json
from typing import Literal

from agents import function_tool
from agents.tool_context import ToolContext
from measure import ANSWER, ARGUMENTS, report, tool


@function_tool
async def lsp(action: Literal["hover", "definition"], file: str, line: int = 1, dry: bool = False) -> str:
    """The tool."""
    return await tool(action, file, line, dry)


async def prepare():
    arguments = json.dumps(ARGUMENTS)
    context = ToolContext(context=None, tool_name="lsp", tool_call_id="1", tool_arguments=arguments)
    return lambda: lsp.on_invoke_tool(context, arguments)


report(prepare, lambda answer: answer == ANSWER)
