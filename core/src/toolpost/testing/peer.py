"""A scripted peer for protocols framed by `Content-Length`: what language servers and debug adapters do once a year.

A real process on the other side of real pipes, so that a client under test meets it as it meets the real one:

    peer = ScriptedPeer.write(tmp_path, [
        {"expect": {"method": "initialize"}, "reply": {"result": {"capabilities": {}}}},
        {"send": {"method": "window/logMessage", "params": {"message": "hello"}}},
        {"expect": {"method": "textDocument/hover"}, "hang": True},
    ])
    process = await run.processes.spawn(peer.argv)
    …
    assert [message["method"] for message in peer.received()] == ["initialize", "textDocument/hover"]
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

_STEPS = frozenset({"expect", "reply", "send", "raw", "sleep", "exit", "hang", "stderr", "close"})
# LSP answers by `id`; DAP numbers each message with `seq` and answers by `request_seq`.
_ANSWER = {"id": "id", "seq": "request_seq"}


@attrs.frozen(kw_only=True)
class ScriptedPeer:
    """A peer's script and what it heard.

    A step is an object; its members are done in this order:

    * `expect`: read the next message; each member given must be in it, nested objects likewise.
    * `sleep`: seconds to wait.
    * `stderr`: a text to write there.
    * `reply`: a message that answers the expected one, its number filled in.
    * `send`: a message, or a list of them, sent as they are.
    * `raw`: text sent without any frame: for what a broken peer sends.
    * `close`: stop writing; `hang`: never go on; `exit`: end with that code.
    """

    script: Path
    log: Path

    @classmethod
    def write(cls, folder: Path, steps: Sequence[Mapping[str, Any]]) -> ScriptedPeer:
        """Put a script into *folder*.

        Raises:
            ValueError: a step with a member that there is not.
        """
        for number, step in enumerate(steps):
            unknown = set(step) - _STEPS
            if unknown:
                raise ValueError(f"step {number}: there is no {min(unknown)!r}; there are {', '.join(sorted(_STEPS))}")
        peer = cls(script=folder / "peer.json", log=folder / "peer.log")
        peer.script.write_text(json.dumps(list(steps)))
        return peer

    @property
    def argv(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-I", "-m", "toolpost.testing.peer", str(self.script), str(self.log)]

    def received(self) -> list[dict[str, Any]]:
        """Every message that it read, whether it expected it or not."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


def main(script: str, log: str) -> int:
    """Play a script on standard input and output."""
    for number, step in enumerate(json.loads(Path(script).read_text())):
        heard: dict[str, Any] = {}
        if "expect" in step:
            message = _read(log)
            if message is None:
                return 3
            heard = message
            if not _holds(step["expect"], heard):
                print(f"step {number} expects {step['expect']}, not {heard}", file=sys.stderr, flush=True)
                return 4
        time.sleep(step.get("sleep", 0))
        if "stderr" in step:
            print(step["stderr"], file=sys.stderr, flush=True)
        if "reply" in step:
            numbers = {answer: heard[number] for number, answer in _ANSWER.items() if number in heard}
            _send({**numbers, **step["reply"]})
        sent = step.get("send", [])
        for each in sent if isinstance(sent, list) else [sent]:
            _send(each)
        if "raw" in step:
            os.write(1, step["raw"].encode())
        if step.get("close"):
            os.close(1)
        while step.get("hang"):
            time.sleep(60)
        if "exit" in step:
            return int(step["exit"])
    while _read(log) is not None:  # the script is over: hear the rest
        pass
    return 0


def _read(log: str) -> dict[str, Any] | None:
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        if line in (b"\r\n", b"\n"):
            break
        name, _, value = line.decode().partition(":")
        if name.strip().lower() == "content-length":
            length = int(value)
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length))
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps(message) + "\n")
    return message


def _send(message: Mapping[str, Any]) -> None:
    from toolpost.processes.framing import encode

    data = encode(json.dumps(message).encode())
    while data:
        data = data[os.write(1, data) :]


def _holds(expected: Any, got: Any) -> bool:
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(name in got and _holds(each, got[name]) for name, each in expected.items())
    return bool(expected == got)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
