"""The outer guard: ends the whole run when the harness dies, hangs up, or the inner guard dies."""

from __future__ import annotations

import os
import select
import signal
import socket

from . import family, inner, ledger


def main(arguments: list[str]) -> None:
    """Guard one run; the whole life of the program.

    Args:
        arguments: the harness's pid, the lifeline (a socket whose other end only the harness holds), the inner guard's
            socket for orders, the run's tag, and the ledger's path, empty for none.
    """
    harness, lifeline, orders = (int(word) for word in arguments[:3])
    tag, path = arguments[3:]
    os.set_inheritable(lifeline, False)
    os.set_inheritable(orders, False)
    family.adopt("toolpost-outer")
    os.chdir("/")  # hold no folder of the harness's
    me = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(lifeline)
        inner.main(me, harness, socket.socket(fileno=orders), tag, path)
    os.close(orders)
    try:
        _watch(harness, lifeline, child)
    finally:
        family.end_all()
        ledger.remove(path)
        os._exit(0)


def _watch(harness: int, lifeline: int, child: int) -> None:
    """Return when this run has to end."""
    watched = select.poll()
    watched.register(lifeline, select.POLLIN)
    wake = family.wake_fd()
    watched.register(wake, select.POLLIN)
    # The lifeline alone is not enough: a fork of the harness (multiprocessing) holds a copy of its end.
    family.watch(watched, harness)
    while True:
        for fd, _ in watched.poll():
            if fd != wake or signal.SIGTERM in os.read(wake, 512):
                return
        if child in family.reap()[0]:
            return
