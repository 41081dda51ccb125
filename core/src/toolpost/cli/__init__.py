"""The command line: `toolpost COMMAND`. One file per command; each has `add(parsers)` and a function that runs it.

Exit codes: 0 success, 1 a tool's error (or a problem that `doctor` found), 2 wrong usage, 130 interrupted. Standard
output is data; everything said about it goes to standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

USAGE = 2
INTERRUPTED = 130


class UsageError(Exception):
    """The command's words are off; the text says which and how to mend it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    from toolpost.cli import call, doctor, explain, new, plugins, run, tools, tour

    parser = argparse.ArgumentParser(
        prog="toolpost",
        description="The tools of a coding agent that are bound to a live resource of one run.",
        epilog="Start with `toolpost tour`; `toolpost tools` lists what is here, `toolpost doctor` says what is not and why.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in (call, run, tools, explain, doctor, plugins, tour, new):
        command.add(commands)
    options = parser.parse_args(argv)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except UsageError as error:
        print(f"toolpost {options.command}: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader left (`| head`); what is buffered for it must not fail again when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code
