"""A change of many files is killed at every system call in turn, and at random times; then recovery makes it whole.

    python tests/proofs/apply_kills.py [--random 1000] [--share 1]

What must be 0: trees that are neither all old nor all new, and files of a person that were overwritten. Only kills
count that found the change under way: the journal there, and something on the disk that was not there before.
"""

from __future__ import annotations

import argparse
import errno
import itertools
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[1]))

from core.workspace.snapshots import Entry
from proofs.scene import PEOPLE, Person, Scene
from proofs.stops import APPLIED, FAILED, STALE, Stops, die, in_child
from toolpost.workspace import Disk, needs_recovery

_PATIENCE = 30.0  # seconds; only a failure takes as long


@attrs.define(kw_only=True)
class Tally:
    """What came of a number of kills.

    Attributes:
        tried: children that were to be killed, or to be meddled with.
        landed: of these, those that found the change under way.
        mixed: trees that were neither old nor new afterwards, or held something that nobody wanted there.
        overwritten: a person's change that was lost.
        kept: a person's change that recovery named.
    """

    tried: int = 0
    landed: int = 0
    mixed: int = 0
    overwritten: int = 0
    kept: int = 0
    details: list[str] = attrs.field(factory=list)


def _after(many: int = 0) -> dict[str, Entry]:
    with tempfile.TemporaryDirectory() as top:
        scene = Scene(Path(top), many)
        scene.apply()
        return scene.look()


def _judge(tally: Tally, scene: Scene, after: dict[str, Entry], note: str, person: Person | None = None) -> None:
    """Whether the tree is old or new, and a person's file the person's own."""
    now = scene.look()
    mine = person.names if person else ()
    ours, old, new = (
        {path: each for path, each in tree.items() if path not in mine and each.content is not None}
        for tree in (now, scene.before, after)
    )
    if ours not in (old, new) or scene.litter() or needs_recovery(scene.state):
        tally.mixed += 1
        differ = sorted(path for path in {*ours, *new, *old} if ours.get(path) != old.get(path))
        tally.details.append(f"{note}: mixed: not old {differ}, litter {scene.litter()}")
    if person and not person.is_intact():
        tally.overwritten += 1
        tally.details.append(f"{note}: {person} was overwritten")


# ---- the proofs -------------------------------------------------------------------------------------------------


def _scenes(many: int = 0) -> Iterator[Scene]:
    with tempfile.TemporaryDirectory() as top:
        for number in itertools.count():
            yield Scene(Path(top, str(number)), many)


def _stopped(scene: Scene, work: Callable[[], object], stop: int, action: Callable[[], None], links: bool) -> int:
    def child() -> None:
        Stops(stop, action, without_exchange=links).install()
        work()

    return in_child(child)


def at_every_call(*, links: bool = False) -> Tally:
    """Killed before each system call in turn; *links*: on a file system without renameat2."""
    tally, after = Tally(), _after()
    for stop, scene in enumerate(_scenes(), 1):
        code = _stopped(scene, scene.apply, stop, die, links)
        if code != -signal.SIGKILL:
            assert code == APPLIED, code
            break
        tally.tried += 1
        tally.landed += scene.under_way()
        scene.recover()
        _judge(tally, scene, after, f"killed at call {stop}")
    return tally


def refused(code: int) -> Tally:
    """No kill: each system call in turn fails once. Whoever is told of a failure finds all old, else all new."""
    tally, after = Tally(), _after()
    for stop, scene in enumerate(_scenes(), 1):
        came = scene.workspace.parent / "came"

        def fail(came: Path = came) -> None:
            came.touch()
            raise OSError(code, os.strerror(code))

        ended = _stopped(scene, scene.apply, stop, fail, False)
        if not came.exists():
            break
        tally.tried += 1
        tally.landed += ended == FAILED
        told = after if ended == APPLIED else scene.before
        if _contents(scene.look()) != _contents(told):
            tally.mixed += 1
            tally.details.append(f"call {stop} failed: ended with {ended}, and the tree is something else")
        scene.recover()
        _judge(tally, scene, told, f"call {stop} failed")
    return tally


def _contents(tree: dict[str, Entry]) -> dict[str, Entry]:
    """The files; once a change has happened, what is left beside them may wait for recovery."""
    return {path: each for path, each in tree.items() if each.content is not None and not path.startswith(".toolpost-")}


def twice(share: float = 1.0, *, links: bool = False, seed: int = 0) -> Tally:
    """Killed at each call, and recovery is killed at each of its calls too, or at a share of all these; then recovery."""
    tally, after, dice = Tally(), _after(), random.Random(seed)
    scenes = _scenes()
    for stop in itertools.count(1):
        first = 1 if share == 1 else dice.randint(1, round(1 / share))
        for second in itertools.count(first, round(1 / share)):
            scene = next(scenes)
            code = _stopped(scene, scene.apply, stop, die, links)
            if code == APPLIED:
                return tally
            landed = scene.under_way()
            again = _stopped(scene, scene.recover, second, die, links)
            if again != -signal.SIGKILL:
                assert again == APPLIED, again
                break
            tally.tried += 1
            tally.landed += landed
            scene.recover()
            _judge(tally, scene, after, f"killed at call {stop}, and recovery at {second}")
    return tally


def person_after_kill(share: float = 1.0, *, seed: int = 0) -> Tally:
    """Killed at each call; a person changes a file; then recovery, which must leave that file alone."""
    tally, after, dice = Tally(), _after(), random.Random(seed)
    scenes = _scenes()
    for stop in itertools.count(1):
        chosen = [each for each in PEOPLE if dice.random() < share] or [dice.choice(PEOPLE)]
        for path, how in chosen:
            scene = next(scenes)
            if _stopped(scene, scene.apply, stop, die, False) != -signal.SIGKILL:
                return tally
            tally.tried += 1
            tally.landed += scene.under_way()
            person = Person(scene.workspace, path, how)
            person.act()
            tally.kept += path in scene.recover()
            _judge(tally, scene, after, f"killed at call {stop}, then {how} {path}", person)
    return tally


def person_meanwhile(share: float = 1.0, *, seed: int = 0) -> Tally:
    """A person changes a file just before a call; the change goes on, and must not overwrite that."""
    tally, after, dice = Tally(), _after(), random.Random(seed)
    scenes = _scenes()
    people = [each for each in PEOPLE if each[0] != "hard"]  # Disk.overwrite says why
    for stop in itertools.count(1):
        chosen = [each for each in people if dice.random() < share] or [dice.choice(people)]
        for path, how in chosen:
            scene = next(scenes)
            person = Person(scene.workspace, path, how)
            came = scene.workspace.parent / "came"

            def act(person: Person = person, came: Path = came) -> None:
                person.act()
                came.touch()

            code = _stopped(scene, scene.apply, stop, act, False)
            if not came.exists():
                return tally
            tally.tried += 1
            tally.landed += 1
            if code not in (APPLIED, STALE):
                tally.mixed += 1
                tally.details.append(f"{how} {path} before call {stop}: ended with {code}")
            _judge(tally, scene, after, f"{how} {path} before call {stop}", person)
    return tally


class _Telling(Disk):
    """Says when staging begins."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def make_folder(self, directory: int, name: str) -> None:
        os.write(self._descriptor, b"x")
        super().make_folder(directory, name)


def at_random_times(landed: int, *, many: int = 40, seed: int | None = None) -> Tally:
    """Killed from outside at random times, with real flushes and threads, until *landed* of them found it under way."""
    tally, after, dice = Tally(), _after(many), random.Random(seed)
    longest = 0.05
    for scene in _scenes(many):
        reads, writes = os.pipe()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                scene.apply(_Telling(writes))
                code = 0
            finally:
                os._exit(code)
        os.close(writes)
        begun = select.select([reads], [], [], _PATIENCE)[0] and os.read(reads, 1)
        assert begun, "the change did not begin"
        since = time.monotonic()
        wait = dice.uniform(0, longest)
        select.select([reads], [], [], wait)  # the end of the child closes the pipe
        os.kill(pid, signal.SIGKILL)
        finished = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        os.close(reads)
        longest = time.monotonic() - since if finished else max(longest, wait) * 1.01
        tally.tried += 1
        tally.landed += scene.under_way()
        scene.recover()
        _judge(tally, scene, after, f"killed after {wait * 1000:.1f} ms")
        if tally.landed >= landed or tally.tried >= 20 * landed + 100:
            return tally
    raise AssertionError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=1000, help="kills at random times that found it under way")
    parser.add_argument("--share", type=float, default=1.0, help="of the combinations of two kills, or kill and person")
    options = parser.parse_args()
    share: float = options.share
    proofs: dict[str, Callable[[], Tally]] = {
        "at every call": at_every_call,
        "at every call, no renameat2": lambda: at_every_call(links=True),
        "and recovery at every call": lambda: twice(share),
        "and recovery, no renameat2": lambda: twice(share, links=True),
        "then a person's change": lambda: person_after_kill(share),
        "a person's change before any call": lambda: person_meanwhile(share),
        "no kill; the disk is full at a call": lambda: refused(errno.ENOSPC),
        "at random times": lambda: at_random_times(options.random),
    }
    print(f"{'killed':<38}{'tried':>7}{'landed':>8}{'mixed':>7}{'overwritten':>13}{'named kept':>12}")
    for name, proof in proofs.items():
        tally = proof()
        row = f"{tally.tried:>7}{tally.landed:>8}{tally.mixed:>7}{tally.overwritten:>13}{tally.kept:>12}"
        print(f"{name:<38}{row}", *tally.details[:20], sep="\n    " if tally.details else "", flush=True)


if __name__ == "__main__":
    main()
