"""This plugin's section of the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs
from attrs.validators import ge, gt, le
from toolpost import lowerable

Mode = Literal["off", "errors", "warnings", "end_of_turn"]


@attrs.frozen(kw_only=True)
class LspConfig:
    """This plugin's section of the configuration.

    Attributes:
        diagnostics: what a write tells of what it newly broke: nothing, errors, warnings too, or all of it at the end of a
            turn (write:modes).
        wait: seconds that a write waits for what warm servers say of it.
        servers: how many servers run at once; the one that was used least recently makes room.
        idle: seconds after which an unused server is ended.
        disabled: ids of servers, and of project checkers, that are not used.
        prefer: ids of servers, and of project checkers, that are taken before others of their language, in this order.
        commands: the command of a server, by its id, instead of the one that is known.
    """

    diagnostics: Mode = "warnings"
    wait: float = lowerable("less", default=1.5, validator=[gt(0), le(5)])
    servers: int = lowerable("less", default=4, validator=ge(1))
    idle: float = lowerable("less", default=600.0, validator=gt(0))
    disabled: list[str] = attrs.field(factory=list)
    prefer: list[str] = attrs.field(factory=list)
    commands: Mapping[str, list[str]] = attrs.field(factory=dict)
