"""What the sweep touches, and what it leaves alone. That it ends what is left is shown in test_guards.py."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from core.processes.bounded import bounded
from toolpost.processes import RUN_VARIABLE, Processes, sweep

DEAD_HARNESS = "harness 1 1"  # the first process is a living one, but it did not start then


@contextlib.contextmanager
def a_sleeper(tag: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program of nobody's, which carries a run's tag."""
    with subprocess.Popen(["sleep", "60"], env={"PATH": os.defpath, RUN_VARIABLE: tag}) as sleeper:
        try:
            yield sleeper
        finally:
            sleeper.kill()


def start_time(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def place() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"place {boot} {Path('/proc/self/ns/pid').readlink()}"


def write_ledger(folder: Path, *rows: str) -> Path:
    path = folder / "run.json"
    path.write_text("\n".join(["toolpost-ledger 1", *rows]) + "\n")
    return path


@pytest.mark.requirement("core:processes")
def test_a_dead_run_s_tagged_and_known_processes_are_killed_and_its_ledger_deleted(tmp_path: Path) -> None:
    with a_sleeper("dead-run") as tagged, a_sleeper("another") as known, a_sleeper("bystander") as bystander:
        path = write_ledger(
            tmp_path, "tag dead-run", place(), DEAD_HARNESS, f"known {known.pid} {start_time(known.pid)}"
        )
        (swept,) = sweep(tmp_path)
        assert swept.tag == "dead-run"
        assert set(swept.killed) == {tagged.pid, known.pid}
        assert swept.left == ()
        assert tagged.wait(10) == known.wait(10) == -9
        assert bystander.poll() is None
        assert not path.exists()


@pytest.mark.requirement("core:processes")
def test_a_pid_that_was_given_out_again_is_left_alone(tmp_path: Path) -> None:
    with a_sleeper("somebody-else") as other:
        write_ledger(tmp_path, "tag dead-run", place(), DEAD_HARNESS, f"known {other.pid} {start_time(other.pid) - 1}")
        (swept,) = sweep(tmp_path)
        assert swept.killed == ()
        assert other.poll() is None


def test_the_sweeper_and_its_ancestors_are_spared_whatever_they_carry(tmp_path: Path) -> None:
    write_ledger(tmp_path, "tag dead-run", place(), DEAD_HARNESS)
    script = f"""
import subprocess, sys
from pathlib import Path
from toolpost.processes import sweep
print([swept.killed for swept in sweep(Path({str(tmp_path)!r}))])
"""
    shell = ["/bin/sh", "-c", '"$@"; echo still here', "sh", sys.executable, "-c", script]
    run = subprocess.run(
        shell, env={**os.environ, RUN_VARIABLE: "dead-run"}, capture_output=True, text=True, timeout=30
    )
    assert run.stdout == "[()]\nstill here\n"


@pytest.mark.requirement("core:processes")
@bounded
async def test_a_living_harness_s_run_is_never_touched(tmp_path: Path) -> None:
    ledger = tmp_path / "live.json"
    run = Processes(tag=f"live-{os.getpid()}", ledger=ledger)
    process = await run.spawn(["cat"])
    assert sweep(tmp_path) == ()
    assert ledger.exists()
    assert process.stdin and process.stdout
    process.stdin.write(b"alive\n")
    assert await process.stdout.readline() == b"alive\n"
    await run.close()


def test_another_container_s_ledger_is_left_and_one_from_before_the_boot_is_deleted(tmp_path: Path) -> None:
    boot = place().split()[1]
    with a_sleeper("dead-run") as tagged:
        path = write_ledger(tmp_path, "tag dead-run", f"place {boot} pid:[1]", DEAD_HARNESS)
        assert sweep(tmp_path) == ()
        assert path.exists()
        write_ledger(tmp_path, "tag dead-run", place().replace(boot, "an-earlier-boot"), DEAD_HARNESS)
        assert sweep(tmp_path) == ()
        assert not path.exists()
        assert tagged.poll() is None


def test_what_is_no_ledger_is_left_alone_and_a_missing_folder_is_empty(tmp_path: Path) -> None:
    assert sweep(tmp_path / "missing") == ()
    (tmp_path / "notes.txt").write_text("tag dead-run\n")
    (tmp_path / "empty").touch()
    (tmp_path / "cut").write_text("toolpost-ledger 1\ntag dead")
    (tmp_path / "odd").write_bytes(b"toolpost-ledger 1\ntag \xff\nharness x y\n")
    (tmp_path / "folder").mkdir()
    assert sweep(tmp_path) == ()
    assert len(list(tmp_path.iterdir())) == 5
