"""Which plugins a host composes: real entry points, two owners of one name, the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from core.distributions import Site
from core.processes.bounded import bounded
from toolpost import Host, PluginError, Tier
from toolpost.discovery import installed
from toolpost.testing import open_run, plugin, tool

THIRD_PARTY = '''
    """A whole plugin, by somebody who knows only toolpost's documentation."""

    from contextlib import asynccontextmanager
    from typing import Annotated

    import attrs
    from toolpost import Call, Result, Tier, Tool, hookimpl


    @attrs.frozen(kw_only=True)
    class Query:
        """Run one SELECT on the run's database."""

        sql: Annotated[str, "One SELECT statement."]


    async def query(params: Query, call: Call) -> Result:
        rows = call.handle.execute(params.sql).fetchall()
        return Result.of(f"{len(rows)} rows", data={"rows": rows})


    @hookimpl
    def toolpost_tools():
        return [Tool(name="sql", params=Query, handler=query, tier=Tier.READ)]


    @hookimpl
    @asynccontextmanager
    async def toolpost_resource(run):
        import sqlite3

        database = sqlite3.connect(run.port(dict)["database"]) if run.port(dict) else None
        yield database
        if database:
            database.close()
'''


def source(*names: str) -> str:
    tools = ", ".join(f'tool("{name}")' for name in names)
    return f"""
        from toolpost import hookimpl
        from toolpost.testing import tool

        @hookimpl
        def toolpost_tools():
            return [{tools}]
    """


@pytest.mark.requirement("core:third-party")
@bounded
async def test_a_package_adds_tools_with_one_entry_point_and_one_module(site: Site, workspace: Path):
    site.install("somebodys-sql", THIRD_PARTY, name="sql")
    site.install("somebodys-other", source("other"), name="other")
    assert len(THIRD_PARTY.strip().splitlines()) < 36
    async with open_run(workspace, ["sql"], ports={dict: {"database": ":memory:"}}) as run:
        surface = run.surface(Tier.READ)
        assert [each.name for each in surface.tools] == ["sql"]
        result = await surface.call("sql", {"sql": "select 1, 2"})
        assert (result.text, result.data) == ("1 rows", {"rows": [(1, 2)]})
    async with open_run(workspace, ["sql"]) as run:
        assert run.surface(Tier.EXEC).tools == ()


@pytest.mark.requirement("core:third-party")
def test_a_host_composes_only_what_it_names_in_that_order(site: Site):
    for name in ("alpha", "beta", "gamma"):
        site.install(f"toolpost-{name}", source(name), name=name)
    assert [each.name for each in Host(["gamma", "alpha"], strict=True).plugins] == ["gamma", "alpha"]
    assert Host().plugins == ()


@pytest.mark.requirement("core:conflict")
def test_everything_installed_comes_in_alphabetic_order(site: Site):
    for name in ("beta", "alpha", "gamma"):
        site.install(f"toolpost-{name}", source(name), name=name)
    names = [each.name for each in Host.installed(without=["gamma"]).plugins]
    assert [name for name in names if name in ("alpha", "beta", "gamma")] == ["alpha", "beta"]


@pytest.mark.requirement("core:conflict")
def test_two_distributions_with_one_plugin_name_are_both_refused_unless_one_is_named_in_full(site: Site):
    site.install("toolpost-one", source("a"), name="twin", version="1.5")
    site.install("toolpost-two", source("b"), name="twin", version="2.0")
    host = Host(["twin"])
    assert host.plugins == ()
    [problem] = host.problems
    assert problem.phase == "conflict"
    assert "toolpost-one 1.5 and toolpost-two 2.0" in problem.error
    assert problem.remedy == "name 'toolpost-one:twin' or 'toolpost-two:twin'"
    [chosen] = Host(["toolpost-two:twin"], strict=True).plugins
    assert (chosen.name, chosen.distribution, [each.name for each in chosen.tools]) == ("twin", "toolpost-two", ["b"])
    both = Host(["toolpost-one:twin", "toolpost-two:twin"])
    assert [each.distribution for each in both.plugins] == ["toolpost-one"]
    assert both.problems[0].phase == "conflict"


@pytest.mark.requirement("core:conflict")
def test_of_two_plugins_with_one_tool_the_later_is_refused_whole(site: Site):
    site.install("toolpost-one", source("shared", "mine"), name="one")
    site.install("toolpost-two", source("other", "shared"), name="two")
    for order, stays, goes in ((["one", "two"], "one", "two"), (["two", "one"], "two", "one")):
        host = Host(order)
        assert [each.name for each in host.plugins] == [stays]
        [problem] = host.problems
        assert (problem.plugin, problem.distribution, problem.phase) == (goes, f"toolpost-{goes}", "conflict")
        assert f"tool 'shared' is declared by plugin '{stays}' (toolpost-{stays}) already" in problem.error
        assert problem.remedy == f"compose one of '{stays}' and '{goes}'"
        assert host.owner("other" if stays == "one" else "mine") is None


def test_a_plugin_that_is_not_installed_is_named_with_what_is(site: Site):
    site.install("toolpost-one", source("a"), name="one")
    host = Host(["lps"])
    assert "no such plugin is installed" in host.problems[0].error
    assert "one" in host.problems[0].remedy


@pytest.mark.requirement("core:isolation")
@pytest.mark.parametrize(
    "broken",
    [
        {"metadata": ""},
        {"metadata": "Metadata-Version: 2.1\n"},
        {"entry_points": "not an ini file"},
        {"entry_points": "[toolpost]\nbroken = no such module!\n"},
        {"entry_points": "[toolpost]\n= x\n"},
        {"entry_points": "[toolpost\nx = y\n"},
    ],
    ids=str,
)
def test_a_distribution_whose_own_files_are_broken_costs_the_others_nothing(site: Site, broken: dict[str, str]):
    site.install("toolpost-broken", name="broken", **broken)
    site.install("toolpost-good", source("good"), name="good")
    assert [each.name for each in Host(["good"], strict=True).plugins] == ["good"]
    assert "good" in [each.name for each in Host.installed().plugins]
    assert "good" in [each.name for each in installed()]


@pytest.mark.requirement("core:gate")
def test_a_required_plugin_that_does_not_load_stops_the_host(site: Site):
    site.install("toolpost-policy", "import nosuch", name="policy")
    with pytest.raises(PluginError, match=r"policy.*nosuch"):
        Host(["policy"], require=["policy"])
    with pytest.raises(PluginError, match="required and not composed"):
        Host([plugin("other", tool("t"))], require=["policy"])


def test_a_module_given_as_an_object_is_named_by_its_module():
    assert [each.name for each in Host([plugin("toolpost_lsp.plugin", tool("a"))]).plugins] == ["toolpost_lsp"]
    assert [each.name for each in Host([plugin("package.family", tool("a"))]).plugins] == ["family"]
    assert [each.name for each in Host([("chosen", plugin("x", tool("a")))]).plugins] == ["chosen"]


def test_one_object_may_be_in_many_hosts_but_once_in_each():
    module = plugin("p", tool("t"))
    assert Host([module]).plugins[0].tools == Host([module]).plugins[0].tools
    twice = Host([module, ("again", module)])
    assert [each.name for each in twice.plugins] == ["p"]
    assert twice.problems[0].plugin == "again"
