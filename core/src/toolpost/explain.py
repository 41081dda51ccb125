"""Why a tool is not on a surface, which layer removed it, and the remedy (contract core:explain)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from toolpost import discovery
from toolpost.plugin import RESOLVE

if TYPE_CHECKING:
    from toolpost.plugin import Plugin
    from toolpost.surface import Surface

Layer = Literal["install", "load", "conflict", "composition", "configuration", "resource", "mode", "ceiling", "filter"]


@attrs.frozen(kw_only=True)
class Absence:
    """Why a tool is not there."""

    layer: Layer
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.layer}: {self.reason}" + (f"; {self.remedy}" if self.remedy else "")


def absence(surface: Surface, name: str) -> Absence | None:
    """Why *surface* does not hold the tool *name*; None if it does."""
    if surface.has(name):
        return None
    run = surface._run
    owner = run.host.owner(name)
    bound = next((each for each in run.plugins.tools() if each.tool.name == name), None)
    if bound is None:
        missing = run.absence(owner) if owner is not None else None
        return missing or _not_composed(surface, name)
    if bound.tier > surface.ceiling:
        return Absence(
            layer="ceiling",
            reason=f"it is of tier {bound.tier.value}, and this surface ends at {surface.ceiling.value}",
            remedy=f"a surface up to {bound.tier.value}",
        )
    if name in surface.filtered:
        return Absence(layer="filter", reason="the harness's own filter leaves it out", remedy="change the filter")
    if name == RESOLVE and not any(each.tool.stages for each in run.plugins.tools()):
        return Absence(
            layer="composition", reason="no tool of this run stages actions", remedy="compose a plugin that does"
        )
    return Absence(
        layer="mode",
        reason=f"the plugin {owner!r} was opened after this surface was made",
        remedy="make a new surface",
    )


def declared(surface: Surface) -> dict[str, str]:
    """Every tool of every installed or composed plugin that loads, with the plugin that declares it."""
    found = {tool.name: plugin.name for plugin in surface._run.host.plugins for tool in plugin.tools}
    for plugin in _uncomposed(surface):
        for tool in plugin.tools:
            found.setdefault(tool.name, plugin.name)
    return found


def _not_composed(surface: Surface, name: str) -> Absence:
    problems = surface._run.host.problems
    declaring = [plugin for plugin in _uncomposed(surface) if any(tool.name == name for tool in plugin.tools)]
    owners = {plugin.name for plugin in declaring} | {name}
    for problem in problems:
        if problem.plugin in owners:
            layer: Layer = "conflict" if problem.phase == "conflict" else "load"
            return Absence(layer=layer, reason=str(problem), remedy=problem.remedy or "mend or update that plugin")
    if declaring:
        plugin = declaring[0].name
        return Absence(
            layer="composition",
            reason=f"the installed plugin {plugin!r} declares it, and this host does not compose that plugin",
            remedy=f"compose {plugin!r}",
        )
    failed = "; ".join(str(problem) for problem in problems if problem.phase != "find")
    reason = "no installed plugin declares it" + (f" (these did not load: {failed})" if failed else "")
    return Absence(layer="load" if failed else "install", reason=reason, remedy="install the package that has it")


def _uncomposed(surface: Surface) -> tuple[Plugin, ...]:
    """The installed plugins that this host leaves out or refused, loaded now, each in a host of its own."""
    from toolpost.host import Host

    composed = {(plugin.name, plugin.distribution) for plugin in surface._run.host.plugins}
    names = [each.qualified for each in discovery.installed() if (each.name, each.distribution) not in composed]
    return tuple(plugin for name in names for plugin in Host([name]).plugins[:1])
