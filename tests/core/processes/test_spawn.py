"""Starting programs: streams, exits, failures, limits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import sys
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from core.processes.bounded import bounded
from toolpost.processes import DEVNULL, PIPE, RUN_VARIABLE, Process, Processes, SpawnError

# A tag of this session's own: a run ends whatever carries its tag, and other sessions of these tests may run beside it.
TAG = f"a-run-{uuid.uuid4().hex}"
PYTHON = [sys.executable, "-I", "-S", "-c"]


@contextlib.asynccontextmanager
async def a_run(ledger: Path | None = None) -> AsyncIterator[Processes]:
    run = Processes(tag=TAG, ledger=ledger)
    try:
        yield run
    finally:
        await run.close()


def shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


async def output(process: Process) -> bytes:
    assert process.stdout
    text = await process.stdout.read()
    await process.wait()
    return text


def environment_of_a_child() -> bytes:
    """The environment of this process's only child, the outer guard."""
    (pid,) = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children").read_text().split()
    return Path(f"/proc/{pid}/environ").read_bytes()


@contextlib.contextmanager
def a_pipe() -> Iterator[tuple[int, int]]:
    readable, writable = os.pipe()
    try:
        yield readable, writable
    finally:
        os.close(readable)
        os.close(writable)


@pytest.mark.requirement("core:open-starts-nothing")
@bounded
async def test_nothing_is_started_before_the_first_spawn(tmp_path: Path) -> None:
    ledger = tmp_path / "runs" / "a.json"
    async with a_run(ledger) as run:
        assert not run.started
        assert not ledger.parent.exists()
        await (await run.spawn(["true"])).wait()
        assert run.started
        assert stat.S_IMODE(ledger.stat().st_mode) == 0o600
    assert not list(ledger.parent.iterdir())


@bounded
async def test_a_relative_ledger_stays_where_the_harness_meant_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with a_run(Path("runs/a.json")) as run:
        await (await run.spawn(["true"])).wait()
        monkeypatch.chdir("/")
        assert "guard" in (tmp_path / "runs" / "a.json").read_text()
    assert not list((tmp_path / "runs").iterdir())


@bounded
async def test_closing_a_run_that_started_nothing_or_twice_is_harmless() -> None:
    run = Processes(tag=f"idle-{os.getpid()}")
    await run.close()
    await run.close()
    assert not run.started


@bounded
async def test_exit_codes_and_signals_come_through() -> None:
    async with a_run() as run:
        for code in (0, 1, 7, 127, 255):
            assert await (await run.spawn(shell(f"exit {code}"))).wait() == code
        for signum in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE, signal.SIGHUP):
            process = await run.spawn(shell(f"kill -{int(signum)} $$"))
            assert await process.wait() == -signum
            assert process.returncode == -signum


@bounded
async def test_ten_megabytes_go_in_and_come_back() -> None:
    sent = os.urandom(1024) * 10240
    async with a_run() as run:
        process = await run.spawn(["cat"])
        assert process.stdin

        async def feed() -> None:
            assert process.stdin
            process.stdin.write(sent)
            await process.stdin.drain()
            process.stdin.close()

        received, _ = await asyncio.gather(output(process), feed())
        assert received == sent
        assert process.returncode == 0


@bounded
async def test_two_hundred_at_once() -> None:
    async with a_run() as run:

        async def one(number: int) -> None:
            process = await run.spawn(shell(f"read line; echo $line; exit {number % 100}"))
            assert process.stdin
            process.stdin.write(b"%d\n" % number)
            assert await output(process) == b"%d\n" % number
            assert process.returncode == number % 100

        await asyncio.gather(*map(one, range(200)))


@bounded
async def test_closing_a_run_closes_every_pipe_of_its_children() -> None:
    before = set(os.listdir("/proc/self/fd"))
    async with a_run() as run:
        children = await asyncio.gather(*(run.spawn(["cat"], stderr=PIPE) for _ in range(40)))
        assert len(set(os.listdir("/proc/self/fd")) - before) >= 3 * 40
    assert set(os.listdir("/proc/self/fd")) <= before
    assert {child.returncode for child in children} == {-signal.SIGKILL}


@bounded
async def test_the_ring_keeps_the_end_of_standard_error_only() -> None:
    async with a_run() as run:
        script = (
            "import sys; [sys.stderr.write(f'{n:09}\\n') for n in range(100000)]; sys.stderr.write('the end \\xff')"
        )
        process = await run.spawn([*PYTHON, script], stdout=DEVNULL)
        assert await process.wait() == 0
        tail = process.stderr_tail()
        assert process.stderr is None
        assert len(tail.encode()) <= 16 * 1024 + 16
        assert tail.endswith("the end ÿ")
        assert "000099999" in tail
        assert "000000001" not in tail


@bounded
async def test_descriptors_are_used_as_streams_and_stay_open() -> None:
    async with a_run() as run:
        with a_pipe() as (readable, writable):
            process = await run.spawn(shell("echo out; echo err >&2"), stdin=DEVNULL, stdout=writable, stderr=writable)
            await process.wait()
            assert (process.stdin, process.stdout, process.stderr) == (None, None, None)
            assert os.read(readable, 100) == b"out\nerr\n"
            os.write(writable, b"still open")


@bounded
async def test_passed_descriptors_keep_their_numbers_and_no_other_is_there() -> None:
    list_fds = (
        "import os; print(*sorted(int(n) for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n)))"
    )
    async with a_run() as run:
        with a_pipe() as first, a_pipe() as second:
            passed = [*second, *first]  # their numbers cross those under which they travel
            process = await run.spawn([*PYTHON, list_fds], pass_fds=passed)
            assert await output(process) == (" ".join(map(str, sorted([0, 1, 2, *passed]))) + "\n").encode()
            words = [*PYTHON, f"import os; os.write({second[1]}, os.read({first[0]}, 9))"]
            process = await run.spawn(words, pass_fds=passed)
            os.write(first[1], b"through")
            await process.wait()
            assert os.read(second[0], 9) == b"through"


@bounded
async def test_a_child_starts_with_the_signals_of_a_fresh_program() -> None:
    script = "import signal; print([s.name for s in signal.valid_signals() if isinstance(s, signal.Signals) and signal.getsignal(s) == signal.SIG_IGN], signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    async with a_run() as run:
        # The interpreter itself ignores SIGPIPE and SIGXFSZ.
        assert await output(await run.spawn([*PYTHON, script])) == b"['SIGPIPE', 'SIGXFSZ'] set()\n"
        status = (await output(await run.spawn(["grep", "-E", "SigIgn|SigBlk", "/proc/self/status"]))).decode()
        masks = {name: int(mask, 16) for name, mask in (line.split(":\t") for line in status.splitlines())}
        # Signals 32 and 33 are the C library's own: no program can unblock them, and some starters leave one blocked.
        reserved = 1 << 31 | 1 << 32
        assert {name: mask & ~reserved for name, mask in masks.items()} == {"SigBlk": 0, "SigIgn": 0}


@pytest.mark.parametrize(("new_session", "own"), [(True, True), (False, False)])
@bounded
async def test_a_child_has_its_own_group_and_on_request_its_own_session(new_session: bool, own: bool) -> None:
    script = "import os; print(os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid())"
    async with a_run() as run:
        process = await run.spawn([*PYTHON, script], new_session=new_session)
        assert await output(process) == f"True {own}\n".encode()


@bounded
async def test_the_environment_is_the_one_given_with_the_tag() -> None:
    async with a_run() as run:
        process = await run.spawn(["/usr/bin/env"], env={"ONLY": "thïs\nand=that"})
        assert await output(process) == f"ONLY=thïs\nand=that\n{RUN_VARIABLE}={TAG}\n".encode()


@pytest.mark.requirement("core:processes")
@bounded
async def test_without_an_environment_the_harness_s_secrets_stay_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-do-not-pass-on")
    async with a_run() as run:
        process = await run.spawn(["/usr/bin/env"])
        shown = await output(process)
        guard = environment_of_a_child()
    assert b"PATH=" in shown
    assert RUN_VARIABLE.encode() in guard
    assert b"sk-do-not" not in shown + guard


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["no-such-program-at-all"], "'no-such-program-at-all': no such program on its PATH"),
        (["./nowhere/tool"], "nowhere/tool does not exist"),
        (["./plain"], "not executable"),
        (["./plain/below"], "a part of its path is a file"),
        (["./orphan"], "exists, but the interpreter or loader that it names does not"),
        (["./garbage"], "no program for this machine"),
        (["true", "x" * 3_000_000], "too long"),
    ],
)
@bounded
async def test_a_program_that_cannot_be_started_is_explained(tmp_path: Path, argv: list[str], words: str) -> None:
    (tmp_path / "plain").write_text("no program")
    for name, text in {"orphan": "#!/no/such/interpreter\n", "garbage": "\x7fnothing"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    async with a_run() as run:
        with pytest.raises(SpawnError) as caught:
            await run.spawn(argv, cwd=str(tmp_path))
        assert str(caught.value).startswith(f"cannot start {argv[0]!r}: ")
        assert words in str(caught.value)
        assert caught.value.errno
        assert await (await run.spawn(["true"])).wait() == 0, "one failure must not cost the next start"


@pytest.mark.parametrize(("folder", "words"), [("missing", "does not exist"), ("file", "is not a directory")])
@bounded
async def test_a_working_directory_that_is_none_is_named(tmp_path: Path, folder: str, words: str) -> None:
    (tmp_path / "file").touch()
    async with a_run() as run:
        with pytest.raises(SpawnError, match=f"its working directory {tmp_path / folder} {words}"):
            await run.spawn(["true"], cwd=str(tmp_path / folder))


@bounded
async def test_what_no_program_can_be_given_is_refused_at_once() -> None:
    run = Processes(tag=f"refused-{os.getpid()}")
    with pytest.raises(ValueError, match="argv is empty"):
        await run.spawn([])
    with pytest.raises(ValueError, match="NUL"):
        await run.spawn(["echo", "a\0b"])
    assert not run.started


def test_a_tag_that_would_not_fit_a_line_of_the_ledger_is_refused() -> None:
    with pytest.raises(ValueError, match="tag"):
        Processes(tag="two words")


@bounded
async def test_a_closed_descriptor_is_refused_and_costs_nothing_else() -> None:
    closed = 5000  # above what this process ever opens
    async with a_run() as run:
        for streams in ({"stdout": closed}, {"pass_fds": [closed]}, {"pass_fds": [0] * 300}):
            with pytest.raises(SpawnError, match="descriptors could not be passed"):
                await run.spawn(["true"], **streams)
        assert await (await run.spawn(["true"])).wait() == 0


@bounded
async def test_supervisors_that_do_not_start_are_named(tmp_path: Path) -> None:
    run = Processes(tag=f"broken-{os.getpid()}", python=str(tmp_path / "python"))
    with pytest.raises(SpawnError, match=r"its supervisors or their ledger failed first.*python"):
        await run.spawn(["true"])
    run = Processes(tag=f"wrong-{os.getpid()}", python="/bin/false")
    with pytest.raises(SpawnError, match=r"supervisors of the run wrong-\d+ \(/bin/false\) have died"):
        await run.spawn(["true"])
    await run.close()


@bounded
async def test_a_ledger_that_cannot_be_written_prevents_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = Processes(tag=f"unlisted-{os.getpid()}", ledger=tmp_path / "file" / "ledger")
    with pytest.raises(SpawnError, match="ledger"):
        await run.spawn(["true"])
    assert not run.started


@bounded
async def test_a_closed_run_starts_nothing() -> None:
    async with a_run() as run:
        process = await run.spawn(["sleep", "60"])
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(SpawnError, match=f"the run {TAG} is closed"):
        await run.spawn(["true"])


@pytest.mark.requirement("core:processes")
@bounded
async def test_a_run_whose_supervisor_was_killed_says_so(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    async with a_run(ledger) as run:
        process = await run.spawn(["sleep", "60"])
        outer = next(line.split()[1] for line in ledger.read_text().splitlines() if line.startswith("guard"))
        os.kill(int(outer), signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        with pytest.raises(SpawnError, match=f"supervisors of the run {TAG} .* have died"):
            await run.spawn(["true"])


@bounded
async def test_terminate_lets_a_program_end_by_itself() -> None:
    async with a_run() as run:
        process = await run.spawn(shell("trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done"))
        assert process.stdout
        await process.stdout.readline()
        await process.terminate(grace=20)
        assert process.returncode == 5


@bounded
async def test_terminate_kills_what_does_not_end() -> None:
    async with a_run() as run:
        process = await run.spawn(shell("trap '' TERM; echo up; while :; do sleep 0.05; done"))
        assert process.stdout
        await process.stdout.readline()
        await process.terminate(grace=0.1)
        assert process.returncode == -signal.SIGKILL


@bounded
async def test_signals_reach_the_program_until_it_has_ended() -> None:
    async with a_run() as run:
        process = await run.spawn(shell("trap 'echo got; exit 0' INT; echo up; while :; do sleep 0.05; done"))
        assert process.stdout
        await process.stdout.readline()
        assert process.send_signal(signal.SIGINT)
        assert await process.stdout.readline() == b"got\n"
        assert await process.wait() == 0
        assert not process.send_signal(signal.SIGINT)
        await process.kill()
        assert process.returncode == 0


@bounded
async def test_the_deadline_ends_a_program_and_leaves_a_quick_one_alone() -> None:
    async with a_run() as run:
        slow = await run.spawn(["sleep", "60"], deadline=0.1)
        quick = await run.spawn(shell("exit 3"), deadline=20)
        since = time.monotonic()
        assert await slow.wait() == -signal.SIGKILL
        assert time.monotonic() - since < 5
        assert await quick.wait() == 3


@pytest.mark.requirement("core:cancel", "core:processes")
@bounded
async def test_a_cancelled_start_leaves_no_process() -> None:
    readable, held = os.pipe()
    async with a_run() as run:
        await (await run.spawn(["true"])).wait()
        for turns in range(30):  # in every state that a start goes through
            task = asyncio.create_task(run.spawn(["sleep", "60"], pass_fds=[held]))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await (await task).kill()
        os.close(held)
        # At its end: whoever held the other end is dead, though the run is open.
        assert await asyncio.to_thread(os.read, readable, 1) == b""
    os.close(readable)


@bounded
async def test_a_cancelled_wait_leaves_the_process_to_its_run() -> None:
    async with a_run() as run:
        process = await run.spawn(["cat"])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.wait(), 0.01)
        assert process.returncode is None
        assert process.stdin and process.stdout
        process.stdin.write(b"alive\n")
        assert await process.stdout.readline() == b"alive\n"
    assert process.returncode == -signal.SIGKILL


@bounded
async def test_writing_to_a_program_that_has_ended_fails_and_does_not_hang() -> None:
    async with a_run() as run:
        process = await run.spawn(["true"])
        await process.wait()
        assert process.stdin
        with pytest.raises((ConnectionError, BrokenPipeError)):
            for _ in range(100):
                process.stdin.write(b"x" * 65536)
                await process.stdin.drain()


@bounded
async def test_output_that_nobody_reads_does_not_hold_up_the_close() -> None:
    run = Processes(tag=f"unread-{os.getpid()}")
    process = await run.spawn(shell("while :; do echo spam spam spam; done"))
    assert process.stdout
    await process.stdout.read(1)
    since = time.monotonic()
    await run.close()
    assert time.monotonic() - since < 1
    assert process.returncode == -signal.SIGKILL


def test_any_thread_s_event_loop_will_do() -> None:
    """asyncio's own child watchers need the main thread in some versions; nothing of theirs is used."""
    codes: list[int] = []

    async def main() -> None:
        async with asyncio.timeout(20), a_run() as run:
            codes.append(await (await run.spawn(shell("exit 9"))).wait())

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    thread.join(30)
    assert codes == [9]


@pytest.mark.requirement("core:run-bound")
@bounded
async def test_two_runs_share_nothing() -> None:
    async with a_run() as kept:
        process = await kept.spawn(["cat"])
        async with a_run() as other:
            await other.spawn(["cat"])
        assert process.stdin and process.stdout
        process.stdin.write(b"alive\n")
        assert await process.stdout.readline() == b"alive\n"
