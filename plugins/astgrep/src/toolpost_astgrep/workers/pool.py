"""The worker processes of one run: started at the first search, fed by shards, replaced when one hangs or dies.

The harness's event loop never parses (ast:killable). Each worker gets the same files again, so the trees that it has
parsed serve the next search.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import attrs
from toolpost import Clock, SystemClock

from toolpost_astgrep.workers.lane import Answer, Casualty, EngineError, Job, JobError, Lane, Spawn, WorkerProcess
from toolpost_astgrep.workers.losses import Losses
from toolpost_astgrep.workers.shards import File, split

__all__ = ["DEADLINE", "Answer", "Casualty", "EngineError", "JobError", "Pool", "Spawn", "WorkerProcess"]

DEADLINE = 5.0
"""Seconds that one file may take."""
_WORTH_BYTES = 500_000
_WORTH_FILES = 64
_CLOSE_SECONDS = 2.0
_OWNED = 100_000
_IN_PASSING = 16 << 20
"""Bytes of a worker's share that trees do not get: Python's own heap grows by 4 to 10 MB, and the tree of the file at hand takes
25 times its size. (Measured; without it 256 MB became 272, and 288 at the most.)"""


@attrs.define(eq=False)
class Pool:
    """The workers of one run.

    Args:
        spawn: starts a supervised process.
        workers: how many; the processors that this process may use, by default.
        cache_bytes: memory by which all workers together may grow, for the trees that they keep.
        deadline: seconds that one file may take.
        clock: what deadlines are held by.
    """

    spawn: Spawn
    workers: int = attrs.field(factory=lambda: len(os.sched_getaffinity(0)))
    cache_bytes: int = 1 << 30
    deadline: float = DEADLINE
    clock: Clock = attrs.field(factory=SystemClock)
    _losses: Losses = attrs.field(factory=Losses, init=False)
    _lanes: list[Lane] = attrs.field(init=False)
    _width: int = attrs.field(default=1, init=False)
    _jobs: int = attrs.field(default=0, init=False)
    _owners: dict[str, dict[str, int]] = attrs.field(factory=dict, init=False)
    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)
    _closed: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        count = max(1, self.workers)
        share = self.cache_bytes // count
        for_trees = share - min(_IN_PASSING, share // 2)
        self._lanes = [Lane(self.spawn, for_trees, self.deadline, self.clock, self._losses) for _ in range(count)]

    @property
    def started(self) -> int:
        """How many workers run now."""
        return sum(lane.running for lane in self._lanes)

    async def ask(self, header: dict[str, Any]) -> Answer:
        """A job without files, answered by one worker: compiling a pattern.

        Raises:
            JobError: the pattern is refused, or the grammar is not used again in this run.
            EngineError: the grammar hung or crashed on it.
        """
        async with aclosing(self.run(header, "", [])) as answers:
            async for answer in answers:
                if isinstance(answer, Answer):
                    return answer
        raise EngineError("a worker ended without an answer")

    async def run(
        self, header: dict[str, Any], root: str, files: Sequence[File]
    ) -> AsyncGenerator[Answer | Casualty, None]:
        """A job over files, spread over the workers; answers come as they are found.

        Closing the iteration early, or being cancelled in it, stops the workers at their next file. A file that cost a
        worker in this run is told at once and not tried again until it changes.

        Raises:
            JobError, EngineError: as `ask`.
        """
        language = str(header.get("language"))
        switched_off = self._losses.switched_off(language)
        if switched_off is not None:
            raise JobError(switched_off, "SwitchedOff")
        costly = self._losses.costly(language, root)
        wanted = [file for file in files if file[0] not in costly] if costly else files
        shares = await self._shares(root, wanted)
        if self._closed:
            raise EngineError("the run has ended, and its parser processes with it")
        for path in costly.keys() & {path for path, _ in files}:
            yield Casualty(path, f"{costly[path]} before, in this run")
        queue: asyncio.Queue[Answer | Casualty | BaseException | None] = asyncio.Queue()
        self._jobs += 1
        job = Job(self._jobs, {**header, "root": root}, queue.put_nowait)
        for lane, paths in shares:
            work = _work(lane, job, paths, queue, [other for other, _ in shares], partial(self._own, root, lane))
            task = asyncio.create_task(work, name=f"astgrep: job {job.number}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        left = len(shares)
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
            # The workers leave the job at their next file; until then their tasks hold the turn.
            job.abandoned = True
            for lane, _ in shares:
                lane.leave(job)

    async def close(self) -> None:
        """End the workers, and whatever is being searched."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=_CLOSE_SECONDS)
        await asyncio.gather(*(lane.close() for lane in self._lanes))

    def _own(self, root: str, lane: Lane, paths: Sequence[str]) -> None:
        """Remember that a lane has these files, and their trees."""
        owners = self._owners.setdefault(root, {})
        if len(owners) > _OWNED:
            owners.clear()
        owners.update(dict.fromkeys(paths, self._lanes.index(lane)))

    async def _shares(self, root: str, files: Sequence[File]) -> list[tuple[Lane, list[str]]]:
        """Which worker gets which files. A small job starts no worker that does not run yet."""
        if not files:
            return [(self._lanes[0], [])]
        size = sum(size for _, size in files)
        worth = max(size // _WORTH_BYTES, len(files) // _WORTH_FILES)
        width = max(self._width, min(worth, len(self._lanes)))
        if width > self._width:
            self._width = width
            self._owners.clear()
        # In a thread: with many files it takes longer than the harness's loop may be held up.
        shards = await asyncio.to_thread(split, files, width, dict(self._owners.get(root, {})))
        shares = [(self._lanes[index], paths) for index, paths in enumerate(shards) if paths]
        for lane, paths in shares:
            self._own(root, lane, paths)
        return shares


async def _work(
    lane: Lane,
    job: Job,
    paths: Sequence[str],
    queue: asyncio.Queue[Answer | Casualty | BaseException | None],
    lanes: Sequence[Lane],
    own: Callable[[Sequence[str]], None],
) -> None:
    """One worker's share, and then what others have not come to yet; its end, or what ended it, goes into the queue."""
    try:
        more = await lane.do(job, paths)
        while more and job.divisible and not job.abandoned:
            slowest = max(lanes, key=lambda other: other.seconds_left(job))
            given = await slowest.give(job)
            if not given:
                break
            more = await lane.do(job, given, further=True)
            own(lane.grown)
    except Exception as error:
        queue.put_nowait(error)
    except asyncio.CancelledError:
        queue.put_nowait(EngineError("the run has ended, and its parser processes with it"))
        raise
    else:
        queue.put_nowait(None)
