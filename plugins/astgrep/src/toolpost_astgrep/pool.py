"""The worker processes of one run: started at the first search, fed by shards, replaced when one hangs or dies.

The harness's event loop never parses (ast:killable). Each worker keeps the files that it was given once, so the trees
it has parsed serve the next search.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import attrs

from toolpost_astgrep import frames
from toolpost_astgrep.progress import NO_FILE, Progress

DEADLINE = 5.0
"""Seconds that one file may take."""
_TICK = 0.25
_SMALL_BYTES = 1_000_000
_SMALL_FILES = 64


class EngineError(RuntimeError):
    """A worker hung or died where no single file is to blame."""


class JobError(ValueError):
    """A worker refused the job: the pattern, the rewrite or the language is wrong. `kind` names which error it was."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


class WorkerProcess(Protocol):
    """What the pool needs of a supervised process."""

    stdin: asyncio.StreamWriter | None
    stdout: asyncio.StreamReader | None

    @property
    def returncode(self) -> int | None: ...

    def stderr_tail(self) -> str: ...

    async def wait(self) -> int: ...

    async def kill(self) -> None: ...


Spawn = Callable[[Sequence[str], Sequence[int]], Awaitable[WorkerProcess]]
"""Starts a program with descriptors passed on: `(argv, pass_fds)`."""

Frame = tuple[Mapping[str, Any], bytes]


@attrs.frozen
class Answer:
    """A frame from a worker, with the shard it speaks of."""

    paths: Sequence[str]
    header: Mapping[str, Any]
    blobs: tuple[bytes, ...]


@attrs.frozen
class Casualty:
    """A file that a grammar hung or crashed on."""

    path: str
    reason: str


@attrs.define(eq=False)
class _Worker:
    """One worker, started again when it was lost."""

    spawn: Spawn
    cache_bytes: int
    deadline: float
    load: int = 0
    lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _process: WorkerProcess | None = attrs.field(default=None, init=False)
    _progress: Progress | None = attrs.field(default=None, init=False)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def job(
        self, number: int, header: dict[str, Any], paths: Sequence[str], put: Callable[[Answer | Casualty], None]
    ) -> None:
        """Do one job on these files; what it hangs or dies on is told and left out."""
        async with self.lock:
            left = list(paths)
            while True:
                done = await self._attempt(number, header, left, put)
                if done is None:
                    return
                finished, culprit, reason = done
                if culprit == NO_FILE or culprit >= len(left):
                    raise EngineError(
                        f"the {header['language']} grammar {reason} while it read the pattern {header['pattern']!r}"
                    )
                put(Casualty(left[culprit], reason))
                left = [*left[finished:culprit], *left[culprit + 1 :]]

    def stop(self, number: int) -> None:
        """Ask the worker to leave that job."""
        if self._progress is not None:
            self._progress.stop(number)

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.kill()
        if self._progress is not None:
            self._progress.close()
            self._progress = None

    async def _attempt(
        self, number: int, header: dict[str, Any], paths: Sequence[str], put: Callable[[Answer | Casualty], None]
    ) -> tuple[int, int, str] | None:
        """Run the job once; None when it ended, else how many files were answered, which one is to blame, and why."""
        process, progress = await self._started()
        assert process.stdin is not None and process.stdout is not None
        finished = 0
        blob = b"\0".join(os.fsencode(path) for path in paths)
        progress.at(NO_FILE)
        try:
            process.stdin.write(frames.encode({**header, "job": number}, blob))
            await process.stdin.drain()
            while True:
                content, raw = await self._next(process, progress)
                if "error" in content:
                    raise JobError(content["error"], content["error_kind"])
                finished = content["done"]
                put(Answer(paths, content, _split(raw, content["blobs"])))
                if content["end"]:
                    return None
        except TimeoutError:
            culprit, _ = progress.now()
            await self.close()
            return finished, culprit, f"took over {self.deadline:g} s"
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            if isinstance(error, JobError):
                raise
            culprit, _ = progress.now()
            code = process.returncode if process.returncode is not None else await process.wait()
            tail = process.stderr_tail().strip().splitlines()
            await self.close()
            return finished, culprit, f"crashed (exit code {code}{': ' + tail[-1] if tail else ''})"
        except BaseException:
            # Half a frame may be on the way: a worker in an unknown state is of no use.
            await self.close()
            raise

    async def _next(self, process: WorkerProcess, progress: Progress) -> Frame:
        """The next frame.

        Raises:
            TimeoutError: the worker has been at one file for longer than the deadline.
        """
        assert process.stdout is not None
        reading = asyncio.ensure_future(frames.receive(process.stdout))
        loop = asyncio.get_running_loop()
        last, since = progress.now(), loop.time()
        try:
            while True:
                ready, _ = await asyncio.wait([reading], timeout=_TICK)
                if ready:
                    return reading.result()
                if progress.now() != last:
                    last, since = progress.now(), loop.time()
                elif loop.time() - since > self.deadline:
                    raise TimeoutError
        finally:
            if not reading.done():
                reading.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await reading

    async def _started(self) -> tuple[WorkerProcess, Progress]:
        if self._process is not None and self._process.returncode is not None:
            await self.close()
        if self._process is None or self._progress is None:
            progress, descriptor = Progress.create()
            try:
                argv = [sys.executable, "-I", "-m", "toolpost_astgrep.worker", str(descriptor), str(self.cache_bytes)]
                self._process = await self.spawn(argv, [descriptor])
            except BaseException:
                progress.close()
                raise
            finally:
                os.close(descriptor)
            self._progress = progress
        return self._process, self._progress


@attrs.define(eq=False)
class Pool:
    """The workers of one run.

    Args:
        spawn: starts a supervised process.
        workers: how many; the processors that this process may use, by default.
        cache_bytes: memory for trees, of all workers together.
        deadline: seconds that one file may take.
    """

    spawn: Spawn
    workers: int = attrs.field(factory=lambda: len(os.sched_getaffinity(0)))
    cache_bytes: int = 1 << 30
    deadline: float = DEADLINE
    _workers: list[_Worker] = attrs.field(factory=list, init=False)
    _owner: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)
    _jobs: int = attrs.field(default=0, init=False)
    _running: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        count = max(1, self.workers)
        self._workers = [_Worker(self.spawn, self.cache_bytes // count, self.deadline) for _ in range(count)]

    @property
    def started(self) -> int:
        """How many workers run now."""
        return sum(worker.running for worker in self._workers)

    async def ask(self, header: dict[str, Any]) -> Answer:
        """A job without files, answered by one worker: compiling a pattern.

        Raises:
            JobError: the pattern is refused.
            EngineError: the grammar hung or crashed on it.
        """
        async for answer in self.run(header, "", []):
            if isinstance(answer, Answer):
                return answer
        raise EngineError("a worker ended without an answer")

    async def run(
        self, header: dict[str, Any], root: str, files: Sequence[tuple[str, int]]
    ) -> AsyncIterator[Answer | Casualty]:
        """A job over files, spread over the workers; answers come as they are found.

        Leaving the iteration early, or being cancelled, stops the workers at their next file.

        Raises:
            JobError, EngineError: as `ask`.
        """
        shards = self._shards(root, files) if files else {0: []}
        queue: asyncio.Queue[Answer | Casualty | BaseException | None] = asyncio.Queue()
        self._jobs += 1
        number = self._jobs

        async def work(worker: _Worker, paths: list[str]) -> None:
            try:
                await worker.job(number, {**header, "root": root}, paths, queue.put_nowait)
            except BaseException as error:
                queue.put_nowait(error)
                if not isinstance(error, Exception):
                    raise
            else:
                queue.put_nowait(None)

        left = 0
        for index, paths in shards.items():
            task = asyncio.create_task(work(self._workers[index], paths), name=f"astgrep:worker {index}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            left += 1
        try:
            while left:
                answer = await queue.get()
                if answer is None:
                    left -= 1
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    yield answer
        finally:
            if left:
                # The workers leave the job at their next file; their tasks go on until they have, and hold the lock.
                for index in shards:
                    self._workers[index].stop(number)

    async def close(self) -> None:
        """End the workers."""
        for task in list(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=2.0)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    def _shards(self, root: str, files: Sequence[tuple[str, int]]) -> dict[int, list[str]]:
        """Which worker gets which file: the one that had it before, else the one with the least to do."""
        small = len(files) <= _SMALL_FILES and sum(size for _, size in files) <= _SMALL_BYTES
        shards: dict[int, list[str]] = {}
        for path, size in files:
            owner = self._owner.get((root, path))
            if owner is None:
                owner = 0 if small else min(range(len(self._workers)), key=lambda index: self._workers[index].load)
                self._owner[root, path] = owner
                self._workers[owner].load += size + 200
            shards.setdefault(owner, []).append(path)
        return shards


def _split(raw: bytes, lengths: Sequence[int]) -> tuple[bytes, ...]:
    pieces, at = [], 0
    for length in lengths:
        pieces.append(raw[at : at + length])
        at += length
    return tuple(pieces)
