"""The conformance suite: what every plugin must hold, as tests that its author inherits (facts/framework.md §2i).

    from toolpost.testing import PluginConformance

    class TestNotes(PluginConformance):
        plugin = "notes"
        samples = {"find_note": {"text": "milk"}}

        def ports(self):
            return {Notebook: Notebook(["milk and eggs"])}

Each contract is one test, numbered, and opens runs of its own: nothing is shared between them.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from toolpost import Host, Run, Surface, Tier, Tool, allow_all, discovery
from toolpost.testing.plugins import plugin as made

_SECONDS = 60.0
_HEAVY = (
    "jupyter_client",
    "tree_sitter",
    "numpy",
    "pandas",
    "pydantic",
    "mcp",
    "httpx",
    "requests",
    "aiohttp",
    "IPython",
)


class PluginConformance:
    """Inherit from it in a test module, and say what your plugin is and how it is called.

    Attributes:
        plugin: its entry-point name, or its module.
        samples: a call that succeeds, for each of its tools.
        files: what the workspace holds before such a call.
        companions: further plugins that the samples need.
        heavy: modules that importing the plugin must not load, beside the usual ones.
    """

    plugin: ClassVar[str | ModuleType]
    samples: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    files: ClassVar[Mapping[str, str | bytes]] = {}
    companions: ClassVar[tuple[Any, ...]] = ()
    heavy: ClassVar[tuple[str, ...]] = ()

    def ports(self) -> Mapping[type, Any]:
        """What a harness connects so that the plugin's resource is alive; fresh for each run."""
        return {}

    def config(self) -> Mapping[str, Any]:
        """The harness's configuration."""
        return {}

    # ---- the contracts ----

    def test_c01_importing_it_is_cheap(self) -> None:
        """Heavy parts are imported by the resource or the first call, not with the plugin's module."""
        heavy = (*_HEAVY, *self.heavy)
        code = f"import sys, {self._module()}; print(*[name for name in {heavy!r} if name in sys.modules])"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=_SECONDS
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == [], (
            "importing the plugin loads these; import them in its resource or its first call"
        )

    def test_c02_its_hooks_verify(self) -> None:
        host = self._host()
        assert host.problems == []

    def test_c03_a_bare_run_opens(self, tmp_path: Path) -> None:
        """Without ports the plugin is alive or says why not; it never fails."""

        async def work(run: Run, surface: Surface) -> None:
            alive = self._name() in run.bindings
            assert alive or run.absence(self._name()) is not None
            assert run.problems == []
            if not alive:
                for tool in self._tools(run.host):
                    assert (await surface.call(tool.name, {})).failure == "unknown"

        self._run(tmp_path, work, ports={})

    def test_c04_with_its_ports_its_tools_are_there_and_work(self, tmp_path: Path) -> None:
        async def work(run: Run, surface: Surface) -> None:
            names = {tool.name for tool in self._tools(run.host)}
            assert names, "the plugin declares no tool"
            assert names <= {tool.name for tool in surface.tools}, surface.explain(min(names))
            assert names == set(self.samples), "samples must hold one good call for each tool"
            for name, arguments in self.samples.items():
                result = await surface.call(name, arguments)
                assert not result.is_error, f"{name} {dict(arguments)}: {result.text}"

        self._run(tmp_path, work)

    def test_c05_its_schemas_are_flat_closed_and_described(self) -> None:
        for tool in self._tools(self._host()):
            schema = tool.schema
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert not {"anyOf", "oneOf", "allOf", "$ref"} & set(schema), tool.name
            assert all(field.get("description", "").strip() for field in schema["properties"].values()), tool.name
            assert set(schema.get("required", ())) <= set(schema["properties"])

    def test_c06_what_its_schemas_allow_is_what_structures(self) -> None:
        hypothesis = pytest.importorskip("hypothesis", reason="hypothesis makes the arguments; install it to check C06")
        settings = hypothesis.settings(max_examples=150, deadline=None, database=None)
        for tool in self._tools(self._host()):
            settings(_agreement(tool))()

    def test_c07_bad_arguments_are_refused_by_name(self, tmp_path: Path) -> None:
        async def work(run: Run, surface: Surface) -> None:  # noqa: ARG001
            for name, arguments in self.samples.items():
                unknown = await surface.call(name, {**arguments, "zz_unknown": 1})
                assert unknown.failure == "arguments"
                assert "zz_unknown" in unknown.text
                assert (await surface.call(name, "[1]")).failure == "arguments"
                bound = surface.get(name)
                assert bound is not None
                for field in bound.tool.schema.get("required", ()):
                    missing = await surface.call(name, {key: value for key, value in arguments.items() if key != field})
                    assert missing.failure == "arguments", f"{name} without {field}"
                    assert field in missing.text

        self._run(tmp_path, work)

    def test_c08_a_surface_holds_no_tool_above_its_ceiling(self, tmp_path: Path) -> None:
        async def work(run: Run, surface: Surface) -> None:
            for ceiling in Tier:
                narrow = run.surface(ceiling)
                for tool in self._tools(run.host):
                    bound = surface.get(tool.name)
                    assert bound is not None
                    assert narrow.has(tool.name) == (bound.tier <= ceiling)
                    if not narrow.has(tool.name):
                        hidden = await narrow.call(tool.name, self.samples.get(tool.name, {}))
                        never = await narrow.call("zz_never_heard_of", {})
                        assert hidden.failure == never.failure == "unknown"

        self._run(tmp_path, work)

    def test_c09_without_an_approver_nothing_above_read_runs(self, tmp_path: Path) -> None:
        async def work(run: Run, surface: Surface) -> None:  # noqa: ARG001
            before = _bytes_below(tmp_path)
            for name, arguments in self.samples.items():
                bound = surface.get(name)
                if bound is not None and bound.tier > Tier.READ:
                    assert (await surface.call(name, arguments)).failure == "refused", name
            assert _bytes_below(tmp_path) == before

        self._run(tmp_path, work, approver=None)

    def test_c10_closing_leaves_nothing_behind(self, tmp_path: Path) -> None:
        """No task, thread, process or descriptor outlives the run, after success, errors and the harness's own exception."""
        self._run(tmp_path / "warm", self._use)  # what is made once in a process is no leftover
        before = _Leftovers.now()

        async def fails(run: Run, surface: Surface) -> None:
            await self._use(run, surface)
            raise _OwnError

        self._run(tmp_path / "good", self._use)
        with pytest.raises(_OwnError):
            self._run(tmp_path / "bad", fails)
        assert _Leftovers.now().beyond(before) == []

    def test_c11_two_runs_share_nothing(self, tmp_path: Path) -> None:
        async def main() -> None:
            async with asyncio.timeout(_SECONDS):
                host = self._host()
                async with self._opened(host, tmp_path / "one") as one, self._opened(host, tmp_path / "two") as two:
                    first, second = (run.bindings[self._name()].handle for run in (one, two))
                    assert first is None or first is not second, "two runs have one handle"
                    await asyncio.gather(self._use(one, one.surface(Tier.EXEC)), self._use(two, two.surface(Tier.EXEC)))
                    await one.close()
                    await self._use(two, two.surface(Tier.EXEC))

        asyncio.run(main())

    def test_c12_calls_at_once_all_answer(self, tmp_path: Path) -> None:
        """Exclusive tools queue, the others overlap; nobody waits for ever."""

        async def work(run: Run, surface: Surface) -> None:  # noqa: ARG001
            for name, arguments in self.samples.items():
                bound = surface.get(name)
                if bound is not None and bound.tier is Tier.READ:
                    answers = await asyncio.gather(*(surface.call(name, arguments) for _ in range(5)))
                    assert not any(answer.failure in ("crash", "busy") for answer in answers), name

        self._run(tmp_path, work)

    def test_c13_a_cancelled_call_leaves_the_run_usable(self, tmp_path: Path) -> None:
        for name, arguments in self.samples.items():

            async def work(run: Run, surface: Surface, name: str = name, arguments: Any = arguments) -> None:  # noqa: ARG001
                for turns in (0, 1, 3, 10):
                    call = asyncio.create_task(surface.call(name, arguments))
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    call.cancel()
                    await asyncio.wait([call])
                    if not call.cancelled() and call.exception() is None:
                        break  # it was done before
                usable = await surface.call(name, arguments)
                assert usable.failure in (None, "tool"), f"{name} after a cancelled call: {usable.text}"

            self._run(tmp_path / name, work)

    def test_c14_what_is_staged_is_not_written_when_the_run_closes(self, tmp_path: Path) -> None:
        for tool in self._tools(self._host()):
            if not tool.stages:
                continue
            folder = tmp_path / tool.name
            staged = False

            async def work(run: Run, surface: Surface, name: str = tool.name) -> None:
                nonlocal staged
                await surface.call(name, self.samples[name])
                staged = run.pending.has_pending

            before = self._prepared(folder)
            self._run(folder, work)
            if staged:
                assert _bytes_below(folder) == before, f"{tool.name} wrote although nobody accepted"

    def test_c15_a_failing_write_wrapper_fails_no_write(self, tmp_path: Path) -> None:
        @asynccontextmanager
        async def breaks(when: str) -> Any:
            if when == "before":
                raise RuntimeError("broken before the write")
            yield
            raise RuntimeError("broken after the write")

        wrappers = [
            (f"broken_{when}", made(when, around_write=lambda when=when: breaks(when))) for when in ("before", "after")
        ]

        async def work(run: Run, surface: Surface) -> None:  # noqa: ARG001
            for name, arguments in self.samples.items():
                result = await surface.call(name, arguments)
                assert not result.is_error, f"{name}: {result.text}"

        self._run(tmp_path, work, more=wrappers)

    def test_c16_read_tools_leave_the_workspace_alone(self, tmp_path: Path) -> None:
        async def work(run: Run, surface: Surface) -> None:  # noqa: ARG001
            before = _bytes_below(tmp_path)
            for name, arguments in self.samples.items():
                bound = surface.get(name)
                if bound is not None and bound.tier is Tier.READ:
                    await surface.call(name, arguments)
                    assert _bytes_below(tmp_path) == before, f"{name} is of tier read and changed the workspace"

        self._run(tmp_path, work)

    # ---- inside ----

    def _host(self, more: list[tuple[str, Any]] | None = None) -> Host:
        return Host([self.plugin, *self.companions, *(more or [])], strict=True)

    def _name(self) -> str:
        return self._host().plugins[0].name

    def _module(self) -> str:
        if isinstance(self.plugin, ModuleType):
            return self.plugin.__name__
        found = [each for each in discovery.installed() if self.plugin in (each.name, each.qualified)]
        assert found, f"no plugin {self.plugin!r} is installed"
        return found[0].value.partition(":")[0]

    def _tools(self, host: Host) -> tuple[Tool[Any, Any], ...]:
        return host.plugins[0].tools

    async def _use(self, run: Run, surface: Surface) -> None:  # noqa: ARG002
        for name, arguments in self.samples.items():
            await surface.call(name, arguments)

    def _prepared(self, folder: Path) -> dict[str, bytes]:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return _bytes_below(folder)

    def _opened(
        self, host: Host, folder: Path, ports: Mapping[type, Any] | None = None, approver: Any = allow_all
    ) -> Run:
        self._prepared(folder)
        return host.open(
            folder, ports=self.ports() if ports is None else ports, config=self.config(), approver=approver
        )

    def _run(
        self,
        folder: Path,
        work: Callable[[Run, Surface], Awaitable[None]],
        *,
        ports: Mapping[type, Any] | None = None,
        approver: Any = allow_all,
        more: list[tuple[str, Any]] | None = None,
    ) -> None:
        async def main() -> None:
            async with asyncio.timeout(_SECONDS), self._opened(self._host(more), folder, ports, approver) as run:
                await work(run, run.surface(Tier.EXEC))
            left = asyncio.all_tasks() - {asyncio.current_task()}
            assert left == set(), f"tasks outlive the run: {left}"

        asyncio.run(main())


class _OwnError(Exception):
    """A harness's own exception inside its run."""


class _Leftovers:
    """What a process holds: threads, children, open descriptors."""

    def __init__(self, threads: set[str], children: set[int], descriptors: list[str]) -> None:
        self._threads, self._children, self._descriptors = threads, children, descriptors

    @classmethod
    def now(cls) -> _Leftovers:
        threads = {thread.name for thread in threading.enumerate() if not thread.name.startswith("asyncio_")}
        return cls(threads, _children(), _descriptors())

    def beyond(self, before: _Leftovers) -> list[str]:
        """What is here that was not there before."""
        more = [f"thread {name}" for name in self._threads - before._threads]
        more += [f"process {pid}" for pid in self._children - before._children]
        rest = list(before._descriptors)
        for target in self._descriptors:
            if target in rest:
                rest.remove(target)
            else:
                more.append(f"descriptor of {target}")
        return more


def _children() -> set[int]:
    found = set()
    for thread in Path("/proc/self/task").glob("*/children"):
        found |= {int(pid) for pid in thread.read_text().split()}
    return found


def _descriptors() -> list[str]:
    found = []
    for entry in os.scandir("/proc/self/fd"):
        try:
            target = os.readlink(entry.path)
        except OSError:
            continue
        # Pipes and sockets carry numbers; of them only the count is told.
        found.append(target.split("[")[0])
    return sorted(found)


def _bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _agreement(tool: Tool[Any, Any]) -> Callable[[], None]:
    """A property: the schema and the structuring of a tool agree on any arguments."""
    from hypothesis import given

    from toolpost.testing.schemas import arguments_for, is_valid, without_nulls

    schema = dict(tool.schema)

    @given(arguments_for(schema))
    def agrees(arguments: Any) -> None:
        # A null for a field that may be left out means that it was left out.
        assert is_valid(without_nulls(arguments, schema), schema) == _structures(tool, arguments), arguments

    return agrees


def _structures(tool: Tool[Any, Any], arguments: Any) -> bool:
    try:
        tool.structure(arguments)
    except ValueError:
        return False
    return True
