"""The options that commands share, and the run they describe (contract cli:options)."""

from __future__ import annotations

import argparse
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import get_args

import attrs

from toolpost import Host, PluginError, Run, Surface, Tier, discovery
from toolpost.approval import allow_all
from toolpost.cli import UsageError, settings
from toolpost.cli.terminal import TerminalApprover, is_terminal
from toolpost.scope import Trust

ALWAYS = ("files", "resolve", "ask")
"""Plugins that come along with whatever `--plugins` names, as far as they are installed."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the shared options to a command."""
    parser.add_argument("--workspace", metavar="DIR", default=".", help="the checkout (default: here)")
    parser.add_argument(
        "--plugins",
        metavar="A,B",
        help="plugins to compose, by entry-point name (default: all installed); files, resolve and ask come along",
    )
    parser.add_argument(
        "--allow",
        metavar="TIER",
        choices=[tier.value for tier in Tier],
        default="read",
        help="read (default), write or exec: show the tools up to that tier and approve their calls; on a terminal the "
        "tools above it are shown too, and each of their calls asks",
    )
    parser.add_argument(
        "--trust",
        choices=get_args(Trust),
        help="how far the checkout's own code is trusted: none (default), interpreter, full",
    )
    parser.add_argument("--vibe", action="store_true", help="open vibe mode: background workers")


@attrs.frozen(kw_only=True)
class Opened:
    """A run that the command line opened, and the surface that its user sees."""

    run: Run
    surface: Surface


def compose(options: argparse.Namespace) -> Host:
    """The host that `--plugins`, or the user's configuration, names.

    Raises:
        UsageError: a named plugin is not installed.
    """
    chosen = settings.load()
    installed = {each.name for each in discovery.installed()}
    if options.plugins is None and chosen.plugins is None:
        return Host.installed()
    named = (
        [name.strip() for name in options.plugins.split(",")]
        if options.plugins is not None
        else list(chosen.plugins or ())
    )
    named = [name for name in named if name]
    for name in named:
        if name.rpartition(":")[2] not in installed:
            raise UsageError(f"no plugin {name!r} is installed; installed are: {', '.join(sorted(installed))}")
    return Host(dict.fromkeys([*named, *(name for name in ALWAYS if name in installed)]))


@asynccontextmanager
async def opened(options: argparse.Namespace) -> AsyncIterator[Opened]:
    """Open the run that the options describe, and close it.

    Raises:
        UsageError: the workspace is no folder, or the composition cannot be opened.
    """
    chosen = settings.load()
    if not _is_folder(options.workspace):
        raise UsageError(f"--workspace {options.workspace}: there is no such folder")
    allowed = Tier(options.allow)
    asks = is_terminal()
    try:
        run = compose(options).open(
            options.workspace,
            conversation=f"cli-{uuid.uuid4().hex[:12]}",
            config=chosen.sections,
            approver=TerminalApprover(allowed) if asks else allow_all,
            trust=options.trust or chosen.trust,
            held=() if options.vibe else ("vibe",),
        )
    except (PluginError, OSError) as error:
        raise UsageError(str(error)) from error
    async with run:
        yield Opened(run=run, surface=run.surface(Tier.EXEC if asks else allowed))


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)
