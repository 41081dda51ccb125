"""The MCP SDK: a tool of its own server class, called without the protocol."""

from typing import Literal

from mcp.server.mcpserver import MCPServer
from measure import ANSWER, ARGUMENTS, report, tool


async def prepare():
    server = MCPServer("bench")

    @server.tool()
    async def lsp(action: Literal["hover", "definition"], file: str, line: int = 1, dry: bool = False) -> str:
        """The tool."""
        return await tool(action, file, line, dry)

    return lambda: server.call_tool("lsp", ARGUMENTS)


report(prepare, lambda answer: ANSWER in str(answer), 1000)
