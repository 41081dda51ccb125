"""An order to start a program, as bytes: fields that end in NUL, which no argument, variable or path can hold."""

from __future__ import annotations

import os


class Order:
    """What a keeper needs to know to start its child. The descriptors travel beside it, in the order of `targets`."""

    __slots__ = ("argv", "cwd", "deadline", "env", "new_session", "targets")

    def __init__(
        self,
        argv: list[bytes],
        env: dict[bytes, bytes],
        cwd: bytes,
        targets: list[int],
        new_session: bool,
        deadline: float | None,
    ) -> None:
        """Describe the child.

        Args:
            argv: the program and its arguments.
            env: its whole environment.
            cwd: an absolute folder.
            targets: the child's numbers of the descriptors that come with the order.
            new_session: open a session of its own; else only a process group.
            deadline: seconds until the child and all below it are killed; None for never.
        """
        self.argv = argv
        self.env = env
        self.cwd = cwd
        self.targets = targets
        self.new_session = new_session
        self.deadline = deadline

    def encode(self) -> bytes:
        """Write the order down.

        Raises:
            ValueError: an argument, a variable or the folder holds a NUL byte.
        """
        head = [
            self.cwd,
            b"session" if self.new_session else b"group",
            b"" if self.deadline is None else repr(float(self.deadline)).encode(),
            b" ".join(b"%d" % target for target in self.targets),
            b"%d" % len(self.argv),
        ]
        fields = [*head, *self.argv, *(name + b"=" + value for name, value in self.env.items())]
        for field in fields:
            if b"\0" in field:
                raise ValueError(f"an argument, variable or folder holds a NUL byte: {os.fsdecode(field)!r}")
        return b"".join(field + b"\0" for field in fields)

    @classmethod
    def decode(cls, data: bytes) -> Order:
        """Read what `encode` wrote."""
        cwd, group, deadline, targets, count, *rest = data.split(b"\0")[:-1]
        variables = (variable.partition(b"=") for variable in rest[int(count) :])
        return cls(
            argv=rest[: int(count)],
            env={name: value for name, _, value in variables},
            cwd=cwd,
            targets=[int(target) for target in targets.split()],
            new_session=group == b"session",
            deadline=float(deadline) if deadline else None,
        )
