"""What a call costs: `python tests/bench/call.py`.

A checked read call through a surface (four arguments, 100 characters of result, no gates) against awaiting a bare
`async def f(**arguments)`, which is the least that any tool costs; then what each gate adds.
"""

from __future__ import annotations

import asyncio
import tempfile
from typing import Annotated, Any, Literal

import attrs
from interleaved import medians, table
from toolpost import Call
from toolpost.testing import open_run, plugin, tool

TIMES = 25
GATE = 1.5
GATES = 10
ARGUMENTS = {"action": "hover", "file": "src/module.py", "line": 12, "symbol": "load"}
ANSWER = "x" * 100


@attrs.frozen(kw_only=True)
class Look:
    """Look something up."""

    action: Annotated[Literal["hover", "definition", "references"], "What to do."]
    file: Annotated[str, "Which file."]
    line: Annotated[int, "Which line."] = attrs.field(validator=attrs.validators.ge(1))
    symbol: Annotated[str | None, "Which symbol."] = None


async def look(params: Look, call: Call[Any]) -> str:
    return ANSWER


async def bare(**arguments: Any) -> str:
    return ANSWER


async def measure() -> tuple[float, float, float]:
    """Seconds of a bare call, of a checked call, and what one more gate adds."""
    from toolpost import Tier

    looking = plugin("p", tool("look", look, params=Look))
    gates = [plugin(f"gate{n}", gate=lambda call: None) for n in range(GATES)]
    with tempfile.TemporaryDirectory() as workspace:
        async with open_run(workspace, [looking]) as free, open_run(workspace, [looking, *gates]) as gated:
            one, many = free.surface(Tier.READ), gated.surface(Tier.READ)
            spent = await medians(
                {
                    "bare": lambda: bare(**ARGUMENTS),
                    "checked": lambda: one.call("look", ARGUMENTS),
                    "gated": lambda: many.call("look", ARGUMENTS),
                },
                rounds=301,
                repeat=20,
            )
    return spent["bare"], spent["checked"], (spent["gated"] - spent["checked"]) / GATES


def main() -> None:
    plain, checked, gate = asyncio.run(measure())
    table(
        [
            ("a bare async function", f"{plain * 1e6:.2f} µs", ""),
            ("a checked read call", f"{checked * 1e6:.2f} µs", ""),
            ("ratio", f"{checked / plain:.1f}", f"at most {TIMES}"),
            ("each further gate", f"{gate * 1e6:.2f} µs", f"at most {GATE} µs"),
        ]
    )


if __name__ == "__main__":
    main()
