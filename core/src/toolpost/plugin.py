"""One loaded plugin: its hooks verified, its tools declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import pluggy

from toolpost import hookspecs
from toolpost.tools import Tool

RESOLVE = "resolve"
"""The plugin, and its tool, that finishes pending actions; it comes along when some tool stages them."""

_MEANINGLESS = ("wrapper", "hookwrapper", "tryfirst", "trylast", "specname")


@attrs.frozen
class Hook:
    """One plugin's implementation of one hook; called with every argument of the specification, it takes its own."""

    function: Callable[..., Any]
    argnames: tuple[str, ...]

    def __call__(self, **arguments: Any) -> Any:
        return self.function(*[arguments[name] for name in self.argnames])


@attrs.frozen(kw_only=True)
class Plugin:
    """A plugin that loaded: who it is, which hooks it implements, which tools it declares."""

    name: str
    hooks: Mapping[str, Hook]
    tools: tuple[Tool[Any, Any], ...] = ()
    config: type | None = None
    distribution: str = ""
    version: str = ""


class Manager(pluggy.PluginManager):
    """pluggy's registry, which refuses by name what would silently do nothing here."""

    def __init__(self) -> None:
        super().__init__("toolpost")
        self.add_hookspecs(hookspecs)

    def parse_hookimpl_opts(self, plugin: object, name: str) -> Any:
        if not name.startswith("toolpost_"):
            return None
        function = inspect.getattr_static(plugin, name, None)
        options = super().parse_hookimpl_opts(plugin, name)
        if options is None:
            if callable(function):
                raise TypeError(f"{name} is not marked: put @toolpost.hookimpl on it")
            return None
        for option in _MEANINGLESS:
            if options.get(option):
                raise TypeError(f"{name}: {option} means nothing here, since each plugin is called by itself")
        if inspect.iscoroutinefunction(function) and name != "toolpost_gate":
            raise TypeError(f"{name} is a coroutine function; hooks are synchronous and return objects")
        if inspect.isasyncgenfunction(function) or (inspect.isgeneratorfunction(function) and name != "toolpost_tools"):
            raise TypeError(f"{name} is a bare generator; decorate it with @contextlib.asynccontextmanager")
        return options

    def hooks_of(self, plugin: object, name: str) -> dict[str, Hook]:
        """Register *plugin*, verify its hooks, and give them by name.

        Raises:
            TypeError: a hook that is unknown, malformed, or takes an argument that its specification lacks.
        """
        try:
            self.register(plugin, name)
            self.check_pending()
        except pluggy.PluginValidationError as error:
            self._forget(name)
            raise TypeError(_reworded(error, name)) from None
        except BaseException:
            self._forget(name)
            raise
        found = {}
        for caller in self.get_hookcallers(plugin) or ():
            for implementation in caller.get_hookimpls():
                if implementation.plugin_name == name:
                    found[caller.name] = Hook(implementation.function, tuple(implementation.argnames))
        return found

    def _forget(self, name: str) -> None:
        # pluggy before 1.7 leaves a plugin registered whose verification failed.
        if self.has_plugin(name):
            self.unregister(name=name)


def declared_tools(hooks: Mapping[str, Hook]) -> tuple[Tool[Any, Any], ...]:
    """What `toolpost_tools` gave, checked.

    Raises:
        TypeError, ValueError: not an iterable of Tools, or one name twice.
    """
    if "toolpost_tools" not in hooks:
        return ()
    given = hooks["toolpost_tools"]()
    if not isinstance(given, Iterable):
        raise TypeError(f"toolpost_tools gave {given!r}; give an iterable of toolpost.Tool")
    tools = tuple(given)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise TypeError(f"toolpost_tools gave {tool!r}; give toolpost.Tool objects")
    names = [tool.name for tool in tools]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"tool {name!r} is declared twice by this plugin")
    return tools


def declared_config(hooks: Mapping[str, Hook]) -> type | None:
    """The attrs class that `toolpost_config` gave, checked.

    Raises:
        TypeError: not an attrs class whose fields all have defaults.
    """
    if "toolpost_config" not in hooks:
        return None
    kind = hooks["toolpost_config"]()
    if not (isinstance(kind, type) and attrs.has(kind)):
        raise TypeError(f"toolpost_config gave {kind!r}; give an attrs class")
    for field in attrs.fields(kind):
        if field.init and field.default is attrs.NOTHING:
            raise TypeError(f"{kind.__name__}.{field.name}: every configuration field needs a default")
    return kind


def _reworded(error: pluggy.PluginValidationError, name: str) -> str:
    """pluggy names the module object; an author wants the hook, and what to do."""
    text = str(error)
    if text.startswith("unknown hook"):
        hook = text.split("'")[1]
        return f"{hook} is a hook that this toolpost does not have; it may need a newer toolpost, or is misspelt"
    return f"plugin {name!r}: " + " ".join(
        line.strip() for line in text.splitlines() if line.strip() and "object at 0x" not in line
    )
