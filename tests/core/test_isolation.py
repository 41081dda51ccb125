"""A broken plugin is reported, and costs nobody else anything."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from core.distributions import Site
from core.processes.bounded import bounded
from toolpost import Host, Owned, PluginError, Tier, Unavailable, allow_all, hookimpl
from toolpost.testing import open_run, plugin, tool

GOOD = """
    from toolpost import hookimpl
    from toolpost.testing import tool

    @hookimpl
    def toolpost_tools():
        return [tool("good")]
"""


def broken(**hooks: Any) -> ModuleType:
    return plugin("broken", **hooks)


def raises(error: BaseException) -> Callable[..., Any]:
    def hook() -> Any:
        raise error

    return hook


def no_tools() -> list[Any]:
    return []


def unmarked() -> ModuleType:
    module = broken()
    module.toolpost_tools = no_tools  # type: ignore[attr-defined]
    return module


def marked(**options: Any) -> ModuleType:
    module = broken()
    module.toolpost_tools = hookimpl(**options)(lambda: ())  # type: ignore[attr-defined]
    return module


async def a_coroutine() -> Any: ...


def a_generator() -> Any:
    yield


@pytest.mark.requirement("core:isolation")
@pytest.mark.parametrize(
    ("source", "phase", "says"),
    [
        ("import nosuch", "import", "ModuleNotFoundError: No module named 'nosuch'"),
        ("1 +", "import", "SyntaxError"),
        ("import sys; sys.exit('bye')", "import", "SystemExit: bye"),
        ("raise RuntimeError", "import", "RuntimeError"),
        (
            "from toolpost import hookimpl\n@hookimpl\ndef toolpost_tool(): ...",
            "hooks",
            "toolpost_tool is a hook that this toolpost does not have; it may need a newer toolpost, or is misspelt",
        ),
    ],
)
def test_an_installed_plugin_that_breaks_is_reported_with_its_owner(site: Site, source: str, phase: str, says: str):
    site.install("toolpost-broken", source, name="broken", version="3.2")
    site.install("toolpost-good", GOOD, name="good")
    host = Host(["broken", "good"])
    assert [each.name for each in host.plugins] == ["good"]
    [problem] = host.problems
    assert (problem.plugin, problem.distribution, problem.version) == ("broken", "toolpost-broken", "3.2")
    assert problem.phase == phase
    assert says in problem.error
    with pytest.raises(PluginError) as caught:
        Host(["broken", "good"], strict=True)
    assert caught.value.problem.phase == phase
    assert "'broken' (toolpost-broken 3.2)" in str(caught.value)


@pytest.mark.requirement("core:isolation")
@pytest.mark.parametrize(
    ("module", "phase", "says"),
    [
        (unmarked(), "hooks", "toolpost_tools is not marked: put @toolpost.hookimpl on it"),
        (marked(tryfirst=True), "hooks", "toolpost_tools: tryfirst means nothing here"),
        (marked(trylast=True), "hooks", "trylast means nothing here"),
        (marked(wrapper=True), "hooks", "wrapper means nothing here"),
        (marked(specname="toolpost_gate"), "hooks", "specname means nothing here"),
        (broken(tools=a_coroutine), "hooks", "toolpost_tools is a coroutine function"),
        (broken(resource=a_coroutine), "hooks", "toolpost_resource is a coroutine function"),
        (broken(resource=a_generator), "hooks", "toolpost_resource is a bare generator"),
        (broken(tools=lambda nosuch: []), "hooks", "nosuch"),
        (broken(tools=raises(ZeroDivisionError("oh"))), "tools", "ZeroDivisionError: oh"),
        (broken(tools=raises(SystemExit("bye"))), "tools", "SystemExit: bye"),
        (broken(tools=lambda: None), "tools", "toolpost_tools gave None; give an iterable of toolpost.Tool"),
        (broken(tools=lambda: ["x"]), "tools", "toolpost_tools gave 'x'; give toolpost.Tool objects"),
        (broken(tools=lambda: [tool("a"), tool("a")]), "tools", "tool 'a' is declared twice"),
        (broken(tools=lambda: [tool("Bad-Name")]), "tools", "lower-case letter"),
        (broken(tools=lambda: [tool("a", params=dict)]), "tools", "params must be an attrs class"),
        (broken(config=lambda: dict), "config", "give an attrs class"),
        (
            broken(config=lambda: attrs.make_class("C", ["x"])),
            "config",
            "C.x: every configuration field needs a default",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plugin_whose_hooks_are_wrong_is_left_out_by_name(module: ModuleType, phase: str, says: str):
    host = Host([module, plugin("good", tool("good"))])
    assert [each.name for each in host.plugins] == ["good"]
    [problem] = host.problems
    assert (problem.plugin, problem.phase) == ("broken", phase)
    assert says in problem.error
    assert "object at 0x" not in problem.error


def test_a_hook_of_a_newer_toolpost_may_be_marked_as_optional():
    module = plugin("p", tool("t"))
    module.toolpost_future = hookimpl(optionalhook=True)(lambda: None)  # type: ignore[attr-defined]
    assert Host([module], strict=True).problems == []


def test_hooks_may_be_the_methods_of_an_object():
    class Counting:
        @hookimpl
        def toolpost_tools(self) -> Any:
            yield tool("one")
            yield tool("two")

    assert [each.name for each in Host([("counting", Counting())], strict=True).plugins[0].tools] == ["one", "two"]


def test_a_heavy_attribute_of_a_module_is_not_touched():
    module = plugin("p", tool("t"))
    touched = []
    module.__getattr__ = lambda name: touched.append(name)  # type: ignore[method-assign]
    module.__dir__ = lambda: [*vars(module), "heavy"]  # type: ignore[method-assign,assignment]
    Host([module], strict=True)
    assert "heavy" not in touched


# ---- in a run ---------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def fails_to_enter() -> Any:
    raise OSError("no socket")
    yield


@contextmanager
def a_sync_manager() -> Any:
    yield 1


@asynccontextmanager
async def exits_while_entering() -> Any:
    sys.exit("bye")
    yield


@pytest.mark.requirement("core:isolation")
@pytest.mark.parametrize(
    ("resource", "says"),
    [
        (raises(ZeroDivisionError("oh")), "ZeroDivisionError: oh"),
        (raises(SystemExit("bye")), "SystemExit: bye"),
        (fails_to_enter, "OSError: no socket"),
        (exits_while_entering, "SystemExit: bye"),
        (a_sync_manager, "gave a _GeneratorContextManager; decorate it with @contextlib.asynccontextmanager"),
        (functools.partial(a_coroutine), "gave a coroutine; decorate it with @contextlib.asynccontextmanager"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_resource_that_fails_takes_only_its_own_tools_away(workspace: Path, resource: Any, says: str):
    module = plugin("broken", tool("bad"))

    def toolpost_resource() -> Any:
        return resource()

    module.toolpost_resource = hookimpl(toolpost_resource)  # type: ignore[attr-defined]

    @bounded
    async def test() -> None:
        async with open_run(workspace, [module, plugin("good", tool("good"))], strict=False) as run:
            surface = run.surface(Tier.EXEC)
            assert [each.name for each in surface.tools] == ["good"]
            [problem] = run.problems
            assert (problem.plugin, problem.phase) == ("broken", "resource")
            assert says in problem.error
            absent = surface.explain("bad")
            assert absent is not None
            assert absent.layer == "resource"
            assert says in absent.reason
        with pytest.raises(PluginError, match="broken"):
            async with open_run(workspace, [module]):
                pass

    test()


@pytest.mark.requirement("core:isolation")
def test_every_other_hook_that_raises_is_told_once_and_costs_nothing(workspace: Path):
    hooks = {
        "tier": raises(ValueError("t")),
        "called": raises(ValueError("c")),
        "pending": raises(SystemExit("p")),
        "around_write": raises(SystemExit("w")),
    }

    @bounded
    async def test() -> None:
        (workspace / "a").write_text("x")
        async with open_run(workspace, [broken(**hooks), "files"], approver=allow_all) as run:
            surface = run.surface(Tier.WRITE)
            for _ in range(2):
                result = await surface.call("write", {"path": "b", "content": "y"})
                assert not result.is_error
                assert "broken: not available" in result.text
        assert {(problem.plugin, problem.phase) for problem in run.problems} == {
            ("broken", "called"),
            ("broken", "write"),
        }

    test()


@pytest.mark.requirement("core:isolation")
def test_a_handle_that_fails_hangs_or_exits_when_it_closes_stops_nobody_elses(workspace: Path):
    closed: list[str] = []

    def closing(name: str, fail: Callable[[], Any]) -> ModuleType:
        @asynccontextmanager
        async def resource() -> Any:
            yield name
            closed.append(name)
            fail()

        return plugin(name, tool(name), resource=resource)

    def nothing() -> None: ...

    @bounded
    async def test() -> None:
        modules = [
            closing("first", nothing),
            closing("fails", raises(OSError("stuck"))),
            closing("exits", raises(SystemExit("bye"))),
            closing("last", nothing),
        ]
        async with open_run(workspace, modules) as run:
            pass
        assert closed == ["last", "exits", "fails", "first"]
        assert [str(problem.error) for problem in run.problems] == ["SystemExit: bye", "OSError: stuck"]
        assert {problem.phase for problem in run.problems} == {"close"}

    test()


@pytest.mark.requirement("core:isolation")
def test_an_error_in_the_body_of_a_run_is_not_masked_by_a_failing_close(workspace: Path):
    @asynccontextmanager
    async def resource() -> Any:
        yield 1
        raise OSError("stuck")

    @bounded
    async def test() -> None:
        with pytest.raises(KeyError, match="mine"):
            async with open_run(workspace, [plugin("p", tool("t"), resource=resource)]):
                raise KeyError("mine")

    test()


@pytest.mark.requirement("core:live-handle")
def test_a_manager_may_find_out_that_there_is_nothing_and_is_left_before_the_run_goes_on(workspace: Path):
    left: list[bool] = []

    @asynccontextmanager
    async def resource() -> Any:
        try:
            yield Unavailable("no socket", "start the server")
        finally:
            left.append(True)

    class Client:
        async def __aenter__(self) -> str:
            raise AssertionError("a handle that happens to be a context manager is not entered")

        async def __aexit__(self, *_: object) -> None: ...

    class Server:
        entered = False

        async def __aenter__(self) -> str:
            self.entered = True
            return "served"

        async def __aexit__(self, *_: object) -> None:
            self.entered = False

    server, client = Server(), Client()

    @bounded
    async def test() -> None:
        modules = [
            plugin("absent", tool("absent"), resource=resource),
            plugin("owned", tool("owned"), resource=lambda: Owned(server)),
            plugin("bare", tool("bare"), resource=lambda: client),
        ]
        async with open_run(workspace, modules) as run:
            assert left == [True]
            assert server.entered
            assert run.bindings["owned"].handle == "served"
            assert run.bindings["bare"].handle is client
            absent = run.surface(Tier.READ).explain("absent")
            assert absent is not None
            assert (absent.reason, absent.remedy) == ("no socket", "start the server")
        assert not server.entered

    test()
