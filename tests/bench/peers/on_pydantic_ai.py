"""pydantic-ai: ToolManager.handle_call, the path that an agent's calls take, on a FunctionToolset."""

import json
from typing import Literal

from measure import ANSWER, ARGUMENTS, report, tool
from pydantic_ai import RunContext
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import RunUsage


async def lsp(action: Literal["hover", "definition"], file: str, line: int = 1, dry: bool = False) -> str:
    return await tool(action, file, line, dry)


async def prepare():
    context = RunContext(deps=None, model=TestModel(), usage=RunUsage(), run_step=1)
    manager = await ToolManager(FunctionToolset([lsp])).for_run_step(context)
    part = ToolCallPart("lsp", json.dumps(ARGUMENTS))
    return lambda: manager.handle_call(part)


report(prepare, lambda answer: ANSWER in str(answer))
