"""The disk refuses at any step: everything is put back, or everything is done."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from proofs.scene import Scene
from toolpost.workspace import Disk, StaleError, UnfinishedError, needs_recovery

pytestmark = pytest.mark.requirement("core:atomic")

_STEPS = [name for name, member in vars(Disk).items() if callable(member) and not name.startswith("_")]


@pytest.fixture(autouse=True)
def no_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of flushes would show nothing here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


class Failing(Disk):
    """Raises at the n-th step, before it or after it was done, once or at all further steps too."""

    def __init__(self, step: int, error: BaseException, *, after: bool = False, for_good: bool = False) -> None:
        self._step, self._error, self._after, self._for_good = step, error, after, for_good
        self.count = 0

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._failing(found) if name in _STEPS else found

    def _failing(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def done(*arguments: Any) -> Any:
            self.count += 1
            fails = self.count == self._step or (self._for_good and self.count > self._step)
            if fails and not self._after:
                raise self._error
            result = step(*arguments)
            if fails:
                raise self._error
            return result

        return done


def refusal(code: int) -> OSError:
    return OSError(code, os.strerror(code))


@pytest.mark.parametrize(
    ("error", "after"),
    [
        pytest.param(refusal(errno.ENOSPC), False, id="disk full"),
        pytest.param(refusal(errno.EACCES), False, id="permission lost"),
        pytest.param(refusal(errno.EROFS), False, id="read-only"),
        pytest.param(refusal(errno.ENOENT), False, id="vanished"),
        pytest.param(refusal(errno.EIO), False, id="input/output error"),
        pytest.param(refusal(errno.EIO), True, id="input/output error, though it was done"),
        pytest.param(KeyboardInterrupt(), False, id="interrupted"),
        pytest.param(KeyboardInterrupt(), True, id="interrupted, though it was done"),
    ],
)
def test_a_failure_at_any_step_leaves_all_old_or_all_new(tmp_path: Path, error: BaseException, after: bool) -> None:
    taken_back = 0
    for step in range(1, 1000):
        scene = Scene(tmp_path / str(step))
        disk = Failing(step, error, after=after)
        try:
            scene.apply(disk)
        except (OSError, StaleError):
            assert scene.look() == scene.before, f"step {step}"
            taken_back += 1
        except KeyboardInterrupt:  # it may come after the change was made
            scene.recover()
            assert scene.look() == scene.before or "moved" not in scene.look(), f"step {step}"
            taken_back += 1
        else:
            assert "moved" not in scene.look(), f"step {step}"
            if disk.count < step:
                break
        scene.recover()
        assert scene.litter() == []
        assert not [path for path in scene.look() if ".toolpost" in path], f"step {step}"
        assert not needs_recovery(scene.state)
    assert taken_back > 30


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_disk_that_stays_broken_is_recovered_when_it_works_again(tmp_path: Path, after: bool) -> None:
    """Not even taking back works then; the journal waits."""
    waited = 0
    for step in range(1, 1000):
        scene = Scene(tmp_path / str(step))
        disk = Failing(step, refusal(errno.EIO), after=after, for_good=True)
        try:
            scene.apply(disk)
        except UnfinishedError:
            waited += needs_recovery(scene.state)
            scene.recover()
            assert scene.look() == scene.before or "moved" not in scene.look(), f"step {step}"
        except OSError:
            assert scene.look() == scene.before, f"step {step}: it does not say that files may be changed"
            scene.recover()
        else:
            scene.recover()
            assert "moved" not in scene.look()
            if disk.count < step:
                break
        assert scene.litter() == []
        assert not [path for path in scene.look() if ".toolpost" in path], f"step {step}"
        assert not needs_recovery(scene.state)
    assert waited > 20


def test_who_interrupts_is_not_told_of_the_disk(tmp_path: Path) -> None:
    class Interrupted(Failing):
        def exchange(self, directory: int, temporary: str, name: str) -> None:
            self._step = self.count
            raise KeyboardInterrupt

    scene = Scene(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        scene.apply(Interrupted(1000, refusal(errno.EIO), for_good=True))
    assert needs_recovery(scene.state)
    scene.recover()
    assert scene.look() == scene.before


def test_the_next_change_recovers_first(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    disk = Failing(25, refusal(errno.EIO), for_good=True)
    with pytest.raises(UnfinishedError, match="nput/output error.*the next change or run in this workspace takes them"):
        scene.apply(disk)
    assert needs_recovery(scene.state)
    scene.apply()
    assert "moved" not in scene.look()
    assert scene.litter() == []


def test_a_failure_names_the_file_and_not_what_stands_in_for_it(tmp_path: Path) -> None:
    class Full(Disk):
        def create(self, directory: int, name: str, *rest: Any) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    with pytest.raises(OSError, match=r"No space left on device: 'edited'"):
        Scene(tmp_path).apply(Full())
