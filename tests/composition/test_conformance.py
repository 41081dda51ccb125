"""The plugins of this repository pass the suite that third parties run."""

from __future__ import annotations

from typing import ClassVar

from toolpost.testing import PluginConformance


class TestFiles(PluginConformance):
    plugin = "files"
    files: ClassVar = {"a.txt": "one\ntwo\n", "b.txt": "b\n"}
    samples: ClassVar = {
        "read": {"path": "a.txt"},
        "write": {"path": "c.txt", "content": "new\n"},
        "edit": {"path": "a.txt", "old": "two", "new": "two"[::-1], "replace_all": True},
        "apply_patch": {"patch": "*** Begin Patch\n*** Update File: b.txt\n@@\n-b\n+B\n*** End Patch\n"},
    }


class TestAstGrep(PluginConformance):
    plugin = "astgrep"
    files: ClassVar = {"a.py": "f(1)\n", "b.py": "g(2)\n"}
    samples: ClassVar = {
        "ast_grep": {"pattern": "f($X)", "language": "python"},
        "ast_edit": {"pattern": "f($X)", "rewrite": "h($X)", "language": "python"},
    }
