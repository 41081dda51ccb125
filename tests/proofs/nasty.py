"""A program that does everything it can to outlive whoever started it: `nasty.py MARKER SECONDS`.

It ignores the signals that ask, holds on to its standard output, and leaves behind, all with MARKER as an argument:

* a daemon (two forks, a session of its own, another program by exec with an empty environment),
* the same with its environment kept, and a child in the same session,
* a runner, which forks itself on and on, so that its pid is never the one that was listed,
* a breeder, which forks a new sleeper every few milliseconds, up to a bound that a failing test can afford.

It prints `ready` when all of them run. They keep the descriptors that were passed to it, so a pipe among them is at its
end when the last one is dead. Each ends by itself after SECONDS, so that a test that fails leaves no one.
"""

from __future__ import annotations

import os
import signal
import sys
import time

KINDS = ("daemon", "tagged", "child", "runner", "breeder")
SLEEPERS = 40


def main(marker: str, seconds: str) -> None:
    readable, writable = os.pipe()
    os.set_inheritable(writable, True)
    for kind in KINDS:
        if os.fork() == 0:
            if kind != "child":
                os.setsid()
                if os.fork():
                    os._exit(0)
            environment = {} if kind == "daemon" else dict(os.environ)
            words = [sys.executable, "-I", "-S", __file__, marker, seconds, kind, str(writable)]
            os.execve(sys.executable, words, environment)
    os.close(writable)
    seen = b""
    while len(seen) < len(KINDS):
        seen += os.read(readable, 16)
    print("ready", flush=True)
    rest(time.monotonic() + float(seconds))


def linger(until: float, kind: str, announce: int) -> None:
    os.write(announce, b".")
    os.close(announce)
    if kind == "runner":
        run(until)
    if kind == "breeder":
        breed(until)
    rest(until)


def rest(until: float) -> None:
    time.sleep(max(until - time.monotonic(), 0))


def run(until: float) -> None:
    while time.monotonic() < until:
        if os.fork():
            os._exit(0)
        os.setsid()


def breed(until: float) -> None:
    for _ in range(SLEEPERS):
        if os.fork() == 0:
            os.setsid()
            return
        time.sleep(0.005)


if __name__ == "__main__":
    for deaf in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(deaf, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if len(sys.argv) == 3:
        main(*sys.argv[1:])
    else:
        linger(time.monotonic() + float(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
