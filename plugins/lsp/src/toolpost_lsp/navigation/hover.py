"""What a symbol is: its signature and documentation, as plain text."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from toolpost import Call, Result

from toolpost_lsp.navigation.asking import first
from toolpost_lsp.navigation.target import locate
from toolpost_lsp.protocol.structure import hover as read_hover
from toolpost_lsp.words import counted

if TYPE_CHECKING:
    from toolpost_lsp.arguments import Lsp
    from toolpost_lsp.supervisor import Supervisor

_LINES = 60
_CHARACTERS = 4_000

_FENCE = re.compile(r"[ \t]*(?:```|~~~)[^\n]*")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_LINK = re.compile(r"!?\[([^\]\n]+)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_TAG = re.compile(r"</?(?:br|p|b|i|em|strong|code|pre|a|ul|li|hr|span|div)\b[^<>\n]*>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!<>|~&-])")
_HEADING = re.compile(r"^ {0,3}#{1,6} +")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?!\w)")
_BLANK = re.compile(r"\n{3,}")


async def hover(params: Lsp, call: Call[Supervisor]) -> Result:
    target = await locate(call, params.file, params.line, params.symbol)
    answer = await first(target, "textDocument/hover", what="hover", says=read_hover)
    said = read_hover(answer.raw) if answer is not None else None
    text = plain(said.text) if said is not None else ""
    if answer is None or not text:
        return Result.of(f"nothing is known of {target.name} ({target.path}:{target.line})", data={"name": target.name})
    data = {"name": target.name, "server": answer.server.definition.id, "ready": answer.unready is None, "text": text}
    return Result.of(f"{target.name} ({target.path}:{target.line}){answer.caution}\n{_bounded(text)}", data=data)


def plain(markdown: str) -> str:
    """Markdown as text: code stays as it is; outside it marks that a reader does not need are gone."""
    lines: list[str] = []
    fenced = False
    for line in markdown.replace("\r\n", "\n").replace("\u00a0", " ").split("\n"):
        if _FENCE.fullmatch(line):
            fenced = not fenced
        elif fenced:
            lines.append(line.rstrip())
        elif _RULE.fullmatch(line):
            lines.append("")
        else:
            lines.append(_prose(_HEADING.sub("", line)).rstrip())
    return _BLANK.sub("\n\n", "\n".join(lines)).strip("\n")


def _prose(line: str) -> str:
    """A line outside code blocks; what is between backticks stays."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(part if part.startswith("`") and len(part) > 1 else _unmarked(part) for part in parts)


def _unmarked(text: str) -> str:
    text = _TAG.sub("", _STRONG.sub(r"\1", _LINK.sub(r"\1", text)))
    return _ESCAPED.sub(r"\1", html.unescape(text).replace("\u00a0", " "))


def _bounded(text: str) -> str:
    shown = "\n".join(text[:_CHARACTERS].split("\n")[:_LINES])
    if shown == text:
        return text
    left = text[len(shown) :]
    return f"{shown}\n… {counted(len(left), 'more character')}"
