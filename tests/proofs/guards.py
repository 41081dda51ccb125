"""What outlives a run, after each way in which it can end: `python tests/proofs/guards.py --rounds 20`.

Each round starts the nasty program (nasty.py) under a run, lets one thing happen, and waits for up to a second until all of
it is dead. That is exact: all of it holds one end of a pipe, and the other end tells when the last holder is gone. A look at
/proc would miss the one that forks on and on.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import select
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import attrs
from toolpost.processes import Process, Processes, sweep

NASTY = str(Path(__file__).with_name("nasty.py"))
WINDOW = 1.0  # seconds, core:processes
PATIENCE = 20.0  # seconds for anything that a round waits for; only a failure takes as long


@attrs.frozen(kw_only=True)
class Round:
    """How one round went.

    Attributes:
        survivors: how many were alive after the window.
        ms: until the last one was dead, or until the window closed.
    """

    survivors: int
    ms: float


@attrs.define
class Nasty:
    """The nasty program, and what tells whether any of it lives: a pipe that all of it holds, and its marker."""

    seconds: float = PATIENCE  # until it ends by itself
    marker: str = attrs.field(factory=lambda: f"nasty-{uuid.uuid4().hex}", init=False)
    theirs: int = attrs.field(init=False)
    _ours: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ours, self.theirs = os.pipe()

    @property
    def argv(self) -> list[str]:
        return [sys.executable, "-I", "-S", NASTY, self.marker, str(self.seconds)]

    def given(self) -> None:
        """The program has its end of the pipe: let go of ours."""
        os.close(self.theirs)
        self.theirs = -1

    def alive(self, seconds: float = 0) -> bool:
        """Whether any of it lives, after waiting for its end; blocks."""
        return not select.select([self._ours], [], [], max(seconds, 0))[0]

    def count(self) -> int:
        """About how many live."""
        found = 0
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                found += name.isdigit() and self.marker.encode() in Path(f"/proc/{name}/cmdline").read_bytes()
        return found

    def outcome(self, since: float) -> Round:
        """How it went, at once; `since` is time.monotonic()."""
        ms = (time.monotonic() - since) * 1000
        return Round(survivors=max(self.count(), 1) if self.alive() else 0, ms=ms)

    async def ends(self, since: float) -> Round:
        """How it went, when the last one is dead or the window closes."""
        await asyncio.to_thread(self.alive, since + WINDOW - time.monotonic())
        return self.outcome(since)

    def close(self) -> None:
        for fd in (self._ours, self.theirs):
            if fd != -1:
                os.close(fd)


def parent(pid: int) -> int:
    """A process's parent."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def supervisors(ledger: Path) -> tuple[int, int]:
    """The pids of the outer and the inner guard, as the ledger has them."""
    rows = [line.split() for line in ledger.read_text().splitlines()]
    outer, inner = (int(row[1]) for row in rows if row[0] == "guard")
    return outer, inner


def known_commands(ledger: Path) -> list[str]:
    """The command lines of the living processes that the ledger knows."""
    found = []
    for row in ledger.read_text().splitlines():
        if row.startswith("known"):
            with contextlib.suppress(OSError):
                found.append(Path(f"/proc/{row.split()[1]}/cmdline").read_text())
    return found


def kill_at_once(*pids: int) -> None:
    """SIGKILL all; all are stopped first, so that none of them can react to another one's death."""
    for signum in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            os.kill(pid, signum)


@contextlib.asynccontextmanager
async def a_run(folder: Path) -> AsyncIterator[tuple[Processes, Path]]:
    """A run in this process, and its ledger."""
    tag = uuid.uuid4().hex
    ledger = folder / f"{tag}.ledger"
    run = Processes(tag=tag, ledger=ledger)
    try:
        yield run, ledger
    finally:
        await run.close()


@contextlib.asynccontextmanager
async def a_nasty(run: Processes, deadline: float | None = None) -> AsyncIterator[tuple[Process, Nasty]]:
    """The nasty program under a run, all of it running."""
    with contextlib.closing(Nasty()) as nasty:
        process = await run.spawn(nasty.argv, pass_fds=[nasty.theirs], deadline=deadline)
        nasty.given()
        assert process.stdout
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        assert line == b"ready\n", process.stderr_tail()
        assert nasty.count() >= 5
        yield process, nasty


@contextlib.asynccontextmanager
async def a_harness(folder: Path, *options: str) -> AsyncIterator[tuple[int, Path, int, Nasty]]:
    """The nasty program under a run of another harness: that one's pid, the ledger, the program's pid, the program."""
    with contextlib.closing(Nasty()) as nasty:
        words = [sys.executable, __file__, "--harness", str(folder), nasty.marker, str(nasty.theirs), *options]
        harness = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE, pass_fds=[nasty.theirs])
        nasty.given()
        assert harness.stdout
        try:
            line = (await asyncio.wait_for(harness.stdout.readline(), PATIENCE)).split()
            assert nasty.count() >= 5
            yield harness.pid, Path(os.fsdecode(line[0])), int(line[1]), nasty
        finally:
            with contextlib.suppress(ProcessLookupError):
                harness.kill()
            await harness.wait()
            await harness.stdout.read()  # to its end, so that asyncio closes the pipe
            sweep(folder)


async def be_harness(folder: Path, marker: str, held: int, fork: bool) -> None:
    """Start the nasty program, fork on request, say so, and do nothing more."""
    async with a_run(folder) as (run, ledger):
        process = await run.spawn([sys.executable, "-I", "-S", NASTY, marker, str(PATIENCE)], pass_fds=[held])
        os.close(held)
        assert process.stdout
        await process.stdout.readline()
        if fork and os.fork() == 0:
            os.close(1)
            time.sleep(2 * WINDOW)
            os._exit(0)
        print(ledger, process.pid, flush=True)
        await process.wait()


async def closed(folder: Path) -> Round:
    """The run is closed."""
    async with a_run(folder) as (run, _), a_nasty(run) as (_, nasty):
        since = time.monotonic()
        await run.close()
        return nasty.outcome(since)


async def killed(folder: Path) -> Round:
    """One of two children is killed; the other must live."""
    async with a_run(folder) as (run, _), a_nasty(run) as (process, nasty), a_nasty(run) as (_, sibling):
        since = time.monotonic()
        await process.kill()
        result = nasty.outcome(since)
        assert sibling.alive(), "the sibling died too"
        assert sibling.count() >= 5, "some of the sibling died too"
        return result


async def left_behind(folder: Path) -> Round:
    """The program itself dies, and leaves the others behind."""
    async with a_run(folder) as (run, _), a_nasty(run) as (process, nasty):
        since = time.monotonic()
        process.send_signal(signal.SIGKILL)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == -signal.SIGKILL
        return nasty.outcome(since)


async def harness_hangs(folder: Path) -> Round:
    """The deadline passes while the harness's event loop is blocked."""
    deadline = 0.6
    async with a_run(folder) as (run, _):
        since = time.monotonic() + deadline
        async with a_nasty(run, deadline) as (process, nasty):
            nasty.alive(since + WINDOW - time.monotonic())
            result = nasty.outcome(since)
            assert await asyncio.wait_for(process.wait(), PATIENCE) == -signal.SIGKILL
            return result


async def killed_though_stopped(folder: Path) -> Round:
    """One is killed whose keeper was stopped."""
    async with a_run(folder) as (run, _), a_nasty(run) as (process, nasty):
        os.kill(parent(process.pid), signal.SIGSTOP)
        since = time.monotonic()
        await asyncio.wait_for(process.kill(), PATIENCE)
        return nasty.outcome(since)


async def closed_though_stopped(folder: Path) -> Round:
    """The run is closed after its guards were stopped."""
    async with a_run(folder) as (run, ledger), a_nasty(run) as (_, nasty):
        await _known(ledger, nasty)
        for pid in supervisors(ledger):
            os.kill(pid, signal.SIGSTOP)
        since = time.monotonic()
        await run.close()
        return nasty.outcome(since)


async def harness_dies(folder: Path) -> Round:
    """The harness is killed."""
    async with a_harness(folder) as (harness, _, _, nasty):
        since = time.monotonic()
        os.kill(harness, signal.SIGKILL)
        return await nasty.ends(since)


async def forked_harness_dies(folder: Path) -> Round:
    """The harness is killed, and a fork of it lives on with all its descriptors (as multiprocessing makes them)."""
    async with a_harness(folder, "--fork") as (harness, _, _, nasty):
        since = time.monotonic()
        os.kill(harness, signal.SIGKILL)
        return await nasty.ends(since)


async def outer_dies(folder: Path) -> Round:
    """The outer guard is killed."""
    return await _supervisors_die(folder, lambda ledger, _: supervisors(ledger)[:1])


async def inner_dies(folder: Path) -> Round:
    """The inner guard is killed."""
    return await _supervisors_die(folder, lambda ledger, _: supervisors(ledger)[1:])


async def keeper_dies(folder: Path) -> Round:
    """The child's keeper is killed."""
    return await _supervisors_die(folder, lambda _, process: (parent(process.pid),))


async def guards_die(folder: Path) -> Round:
    """Both guards are killed at once."""
    return await _supervisors_die(folder, lambda ledger, _: supervisors(ledger))


async def all_supervisors_die(folder: Path) -> Round:
    """Both guards and the keeper are killed at once; the harness notices and clears up itself."""
    return await _supervisors_die(folder, lambda ledger, process: (*supervisors(ledger), parent(process.pid)))


async def _supervisors_die(folder: Path, choose: Callable[[Path, Process], tuple[int, ...]]) -> Round:
    async with a_run(folder) as (run, ledger), a_nasty(run) as (process, nasty):
        await _known(ledger, nasty)
        since = time.monotonic()
        kill_at_once(*choose(ledger, process))
        result = await nasty.ends(since)
        assert await asyncio.wait_for(process.wait(), PATIENCE) == -signal.SIGKILL
        return result


async def harness_and_guards_die(folder: Path) -> Round:
    """Harness and both guards are killed at once; then a sweep."""
    async with a_harness(folder) as (harness, ledger, _, nasty):
        since = time.monotonic()
        kill_at_once(harness, *supervisors(ledger))
        sweep(folder)
        return await nasty.ends(since)


async def everyone_dies(folder: Path) -> Round:
    """Harness, guards and keeper are killed at once, so that what is left is the sweep's alone."""
    async with a_harness(folder) as (harness, ledger, pid, nasty):
        await _known(ledger, nasty)
        kill_at_once(harness, *supervisors(ledger), parent(pid))
        assert nasty.alive(0.05), "nothing was left for the sweep, so this shows nothing"
        since = time.monotonic()
        (swept,) = sweep(folder)
        assert swept.killed
        return await nasty.ends(since)


async def _known(ledger: Path, nasty: Nasty) -> None:
    """Wait until the ledger knows the daemon, which nothing else would tell: its environment is empty."""
    async with asyncio.timeout(PATIENCE):
        while not any(nasty.marker in words and "\0daemon\0" in words for words in known_commands(ledger)):
            await asyncio.sleep(0.01)  # a file has no event


EVENTS: dict[str, Callable[[Path], Awaitable[Round]]] = {
    "the run is closed": closed,
    "one of two is killed": killed,
    "the program itself dies": left_behind,
    "deadline, harness blocked": harness_hangs,
    "one with a stopped keeper is killed": killed_though_stopped,
    "closed, with stopped guards": closed_though_stopped,
    "harness": harness_dies,
    "harness, but not its fork": forked_harness_dies,
    "outer guard": outer_dies,
    "inner guard": inner_dies,
    "keeper": keeper_dies,
    "both guards": guards_die,
    "both guards and keeper": all_supervisors_die,
    "harness and both guards, sweep": harness_and_guards_die,
    "harness, guards and keeper, sweep": everyone_dies,
}
"""The ways to end; where it is only named who, by SIGKILL."""


def play(event: str, rounds: int) -> list[Round]:
    """Play one event a number of times."""
    with tempfile.TemporaryDirectory() as folder:
        return [asyncio.run(EVENTS[event](Path(folder))) for _ in range(rounds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--harness", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--fork", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.harness:
        folder, marker, held = options.harness
        asyncio.run(be_harness(Path(folder), marker, int(held), options.fork))
        return
    print(f"{'what ends':<36}{'rounds':>7}{'survivors':>11}{'worst ms':>10}")
    for event in EVENTS:
        rounds = play(event, options.rounds)
        survivors, worst = sum(played.survivors for played in rounds), max(played.ms for played in rounds)
        print(f"{event:<36}{len(rounds):>7}{survivors:>11}{worst:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
