"""One worker as the harness sees it: started when it is needed, watched, and replaced when it hangs or dies."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs
from toolpost import Clock

from toolpost_astgrep.patterns.hints import quoted
from toolpost_astgrep.workers import frames
from toolpost_astgrep.workers.losses import LOSSES, Losses
from toolpost_astgrep.workers.progress import NO_FILE, STARTING, Progress

START_SECONDS = 30.0
"""Seconds that a worker may take to come up: on a loaded machine far more than the imports need."""
_TICK = 0.25
_WORTH = 0.1
"""Seconds of work left that are worth to be shared: the other worker may have to parse those files again the next time."""
_SEEN = 0.001
_LAST_WORDS = 1.0


class EngineError(RuntimeError):
    """A worker hung or died where no single file is to blame, or could not be started."""


class JobError(ValueError):
    """A worker refused the job: the pattern, the rewrite or the language is wrong. `kind` names which error it was."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


class WorkerProcess(Protocol):
    """What a lane needs of a supervised process (`toolpost.processes.Process` is one)."""

    @property
    def stdin(self) -> asyncio.StreamWriter | None: ...

    @property
    def stdout(self) -> asyncio.StreamReader | None: ...

    @property
    def returncode(self) -> int | None: ...

    def stderr_tail(self) -> str: ...

    async def wait(self) -> int: ...

    async def kill(self) -> None: ...


Spawn = Callable[[Sequence[str], Sequence[int]], Awaitable[WorkerProcess]]
"""Starts a program with descriptors passed on: `(argv, pass_fds)`."""


@attrs.frozen
class Answer:
    """A frame from a worker, with the files that its indices speak of."""

    paths: Sequence[str]
    header: Mapping[str, Any]
    blobs: tuple[bytes, ...]


@attrs.frozen
class Casualty:
    """A file that was not searched, because a grammar hung or crashed on it or on too many before it."""

    path: str
    reason: str


@attrs.define(eq=False)
class Job:
    """One job, of all the workers that share it.

    Attributes:
        put: takes what is found, as it is found.
        abandoned: nobody waits for it any more.
    """

    number: int
    header: Mapping[str, Any]
    put: Callable[[Answer | Casualty], None]
    abandoned: bool = False

    @property
    def language(self) -> str:
        """Whose grammar it needs."""
        return str(self.header.get("language"))

    @property
    def divisible(self) -> bool:
        """Whether a worker that is done may take over files from another."""
        return self.header.get("kind") in ("search", "rewrite")


@attrs.frozen
class _Failure:
    """How an attempt ended: after how many files that were answered for, at which one, why, and whether the grammar had it."""

    answered: int
    at: int
    reason: str
    hung: bool
    parsing: bool


@attrs.define(eq=False)
class Lane:
    """One worker. Jobs wait for each other here.

    Args:
        spawn: starts a supervised process.
        cache_bytes: memory for its trees.
        deadline: seconds that one file may take.
        losses: what grammars have cost in this run, in all lanes.
    """

    spawn: Spawn
    cache_bytes: int
    deadline: float
    clock: Clock
    losses: Losses
    _turn: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _process: WorkerProcess | None = attrs.field(default=None, init=False)
    _progress: Progress | None = attrs.field(default=None, init=False)
    _job: Job | None = attrs.field(default=None, init=False)
    grown: list[str] = attrs.field(factory=list, init=False)
    """Of the further files of its latest job, those that it had to parse."""
    _answered: int = attrs.field(default=0, init=False)
    _left: list[str] = attrs.field(factory=list, init=False)  # the files of the attempt under way
    _began: float = attrs.field(default=0.0, init=False)
    _parsed: int = attrs.field(
        default=0, init=False
    )  # how many files were parsed before it, and how many trees were kept
    _kept: int = attrs.field(default=0, init=False)

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.returncode is None

    async def do(self, job: Job, paths: Sequence[str], *, further: bool = False) -> bool:
        """Do a job on these files. A file that costs the worker is told and left out.

        Args:
            further: these are more files of a job that it has had before.

        Returns:
            Whether it may have more of them: not where too many files cost the worker.

        Raises:
            JobError: the job is refused.
            EngineError: it could not be done.
        """
        async with self._turn:
            self._job, self.grown = job, []
            try:
                return await self._do(job, list(paths), further)
            finally:
                self._job = None

    def seconds_left(self, job: Job) -> float:
        """About how long what is left of a job will take; 0 if it is not at that, or has the trees for it."""
        if self._job is not job or self._progress is None:
            return 0.0
        if self._progress.parses()[0] - self._parsed <= self._progress.kept() - self._kept:
            return 0.0  # another worker would have to parse what this one only looks up
        at, _ = self._progress.now()
        spent = self.clock.monotonic() - self._began
        return spent / (at + 1) * (len(self._left) - at - 1) if at + 1 < len(self._left) else 0.0

    async def give(self, job: Job) -> list[str]:
        """Give away the later half of what is left of a job, for a worker that has nothing to do. Empty if it is too late."""
        progress, left = self._progress, self._left
        if progress is None or self.seconds_left(job) < _WORTH:
            return []
        at, _ = progress.now()
        middle = at + 1 + (len(left) - at - 1) // 2
        progress.limit(middle)
        await asyncio.sleep(_SEEN)
        if self._progress is not progress or self._left is not left:
            return []  # that attempt is over, and a new one sets its own limit
        if progress.now()[0] >= middle:
            progress.limit(NO_FILE)  # it had passed there; should it have ended before, it is sent on
            return []
        given = left[middle:]
        del left[middle:]
        return given

    def leave(self, job: Job) -> None:
        """Stop at the next file if it is that job that is being done."""
        if self._job is job and self._progress is not None:
            self._progress.stop(job.number)

    async def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        progress, self._progress = self._progress, None
        if progress is not None:
            progress.close()
        if process is not None:
            await process.kill()

    async def _do(self, job: Job, left: list[str], further: bool) -> bool:
        crashes: Counter[str | None] = Counter()
        lost = 0
        while not job.abandoned:
            failure = await self._attempt(job, left, further)
            further = True
            if failure is None:
                left = left[self._answered :]
                if not left:
                    return True
                continue
            path = left[failure.at] if failure.at < len(left) else None
            crashes[path] += 1
            if not failure.hung and crashes[path] < 2:
                # Once may be the system's doing, when memory is short, say: the file gets a second chance.
                left = left[failure.answered :]
                continue
            if failure.at == STARTING:
                raise EngineError(f"a parser process {failure.reason} before it was ready")
            language = job.language
            if path is None:
                pattern = quoted(job.header.get("pattern", ""))
                self.losses.lost(language, f"the pattern {pattern}", failure.reason)
                raise EngineError(f"the {language} grammar {failure.reason} while it read the pattern {pattern}")
            if failure.parsing:
                self.losses.lost(language, path, failure.reason)
                self.losses.remember(language, job.header["root"], path, failure.reason)
            job.put(Casualty(path, failure.reason))
            left = [*left[failure.answered : failure.at], *left[failure.at + 1 :]]
            lost += 1
            if lost == LOSSES or self.losses.switched_off(language):
                for each in left:
                    job.put(Casualty(each, f"crashed or took too long on {LOSSES} files, so the rest was left out"))
                return False
        return False

    async def _attempt(self, job: Job, paths: list[str], further: bool) -> _Failure | None:
        """Run a job once. None when it came to its end; else the process is gone."""
        process, progress = await self._started()
        _, parsed_before = progress.parses()
        self._parsed, self._kept = parsed_before, progress.kept()
        progress.limit(NO_FILE)
        self._answered, self._left, self._began = 0, paths, self.clock.monotonic()
        talk = asyncio.ensure_future(self._talk(job, paths, process, further))
        watch = asyncio.ensure_future(self._watch(progress))
        try:
            await asyncio.wait((talk, watch), return_when=asyncio.FIRST_COMPLETED)
            if talk.done():
                talk.result()
                self._credit(job, progress, parsed_before)
                return None
            reason, hung = watch.result(), True
        except JobError:
            raise
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            reason, hung = await self._last_words(process, error), False
        except BaseException:
            # Half a frame may be on the way: a worker in an unknown state is of no use.
            await self.close()
            raise
        finally:
            for task in (talk, watch):
                task.cancel()
            await asyncio.gather(talk, watch, return_exceptions=True)
        self._credit(job, progress, parsed_before)
        at, _ = progress.now()
        begun, parsed = progress.parses()
        await self.close()
        return _Failure(self._answered, at, reason, hung, begun != parsed)

    def _credit(self, job: Job, progress: Progress, parsed_before: int) -> None:
        """What the grammar did speaks for it."""
        self.losses.parsed(job.language, progress.parses()[1] - parsed_before)

    async def _talk(self, job: Job, paths: Sequence[str], process: WorkerProcess, further: bool) -> None:
        """Hand the job over and take its answers."""
        assert process.stdin is not None and process.stdout is not None
        blob = "\0".join(paths).encode(errors="surrogateescape")
        process.stdin.write(frames.encode({**job.header, "job": job.number, "further": further}, blob))
        await process.stdin.drain()
        while True:
            content, raw = await frames.receive(process.stdout)
            if "error" in content:
                raise JobError(content["error"], content["error_kind"])
            job.put(Answer(paths, content, _split(raw, content["blobs"])))
            self._answered = content["done"]
            self.grown += [paths[index] for index in content.get("grown", ())]
            if content["end"]:
                return

    async def _watch(self, progress: Progress) -> str:
        """Return, saying why, once the worker has been at one place for too long.

        Time counts by the tick: a harness that was itself held up has not seen the worker stand still.
        """
        last, stood = progress.now(), 0.0
        while True:
            before = self.clock.monotonic()
            await self.clock.sleep(_TICK)
            now = progress.now()
            stood = stood + min(self.clock.monotonic() - before, 2 * _TICK) if now == last else 0.0
            last = now
            if now[0] == STARTING:
                if stood >= START_SECONDS:
                    return f"did not come up in {START_SECONDS:g} s"
            elif stood >= self.deadline:
                return f"took over {self.deadline:g} s"

    async def _last_words(self, process: WorkerProcess, error: Exception) -> str:
        """Why a worker stopped answering."""
        try:
            code = await asyncio.wait_for(process.wait(), _LAST_WORDS)
        except TimeoutError:
            return f"crashed (its answer was broken off: {error})"
        said = process.stderr_tail().strip().splitlines()
        try:
            how = signal.Signals(-code).name
        except ValueError:
            how = f"exit code {code}"
        return f"crashed ({how}{': ' + said[-1][:200] if said else ''})"

    async def _started(self) -> tuple[WorkerProcess, Progress]:
        """The process, started if need be."""
        if not self.running:
            await self.close()
        if self._process is None or self._progress is None:
            progress, descriptor = Progress.create()
            # -P: a module in the checkout must never stand in for one of ours.
            argv = [
                sys.executable,
                "-P",
                "-m",
                "toolpost_astgrep.workers.worker",
                str(descriptor),
                str(self.cache_bytes),
            ]
            try:
                self._process = await self.spawn(argv, [descriptor])
            except BaseException as error:
                progress.close()
                if isinstance(error, OSError):
                    raise EngineError(f"a parser process could not be started: {error}") from error
                raise
            finally:
                os.close(descriptor)
            self._progress = progress
        return self._process, self._progress


def _split(raw: bytes, lengths: Sequence[int]) -> tuple[bytes, ...]:
    pieces, at = [], 0
    for length in lengths:
        pieces.append(raw[at : at + length])
        at += length
    return tuple(pieces)
