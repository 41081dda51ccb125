"""Lines of each part of the core, whole and as code: `python tests/bench/size.py`.

Code is what remains without blank lines, comments and docstrings; the issue's sizes are about what a reader has to follow.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "core" / "src" / "toolpost"
PARTS = {
    "framework": "*.py",
    "workspace": "workspace/**/*.py",
    "processes": "processes/**/*.py",
    "builtin": "builtin/**/*.py",
    "cli": "cli/**/*.py",
}


def code_lines(source: str) -> int:
    """Lines that hold a token which is neither comment nor docstring."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (
            tokenize.COMMENT,
            tokenize.NL,
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
            tokenize.ENDMARKER,
        ):
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - documented)


def main() -> None:
    print(f"{'part':<12}{'files':>6}{'lines':>7}{'code':>7}  longest")
    for part, pattern in PARTS.items():
        sources = {path.relative_to(CORE): path.read_text() for path in sorted(CORE.glob(pattern))}
        if sources:
            longest = max(sources, key=lambda path: sources[path].count("\n"))
            lines = sum(text.count("\n") for text in sources.values())
            code = sum(code_lines(text) for text in sources.values())
            print(f"{part:<12}{len(sources):>6}{lines:>7}{code:>7}  {longest} ({sources[longest].count(chr(10))})")


if __name__ == "__main__":
    main()
