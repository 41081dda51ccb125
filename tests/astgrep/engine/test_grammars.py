"""Where grammars come from, and what they are called. In processes of their own: what is installed is read once."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from toolpost_astgrep import grammars
from toolpost_astgrep.languages import ENDINGS


def distribution(folder: Path, name: str, version: str, modules: dict[str, str], entry_points: str = "") -> None:
    """Lay out an installed distribution in a folder."""
    information = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (information / "entry_points.txt").write_text(entry_points)
    for path, text in modules.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text))


ROOT = """
def root(language):
    from tree_sitter import Parser
    return Parser(language).parse(b"").root_node.type
"""


def python(code: str, path: Path) -> str:
    """Run code in which that folder comes first on the path; what it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", ROOT + textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.requirement("ast:same-grammar")
class TestNames:
    @pytest.mark.parametrize(
        "language",
        [
            "bash",
            "c",
            "c-sharp",
            "cpp",
            "css",
            "dart",
            "elixir",
            "go",
            "haskell",
            "html",
            "java",
            "javascript",
            "json",
            "kotlin",
            "lua",
            "ocaml",
            "php",
            "python",
            "ruby",
            "rust",
            "scala",
            "sql",
            "swift",
            "toml",
            "tsx",
            "typescript",
            "yaml",
            "zig",
        ],
    )
    def test_the_contract_s_languages_are_there(self, language):
        assert grammars.load(grammars.canonical(language)) is not None

    @pytest.mark.parametrize(
        ("name", "language"),
        [("py", "python"), (" TS ", "typescript"), ("C++", "cpp"), ("c#", "csharp"), ("golang", "go")],
    )
    def test_other_names(self, name, language):
        assert grammars.canonical(name) == language

    @pytest.mark.parametrize(
        ("path", "language"),
        [
            ("a/b.py", "python"),
            ("B.PYI", "python"),
            ("x.d.ts", "typescript"),
            ("x.tsx", "tsx"),
            ("lib/main.dart", "dart"),
            ("deep/Makefile", "make"),
            ("CMakeLists.txt", "cmake"),
            ("README", None),
            ("x.unknown", None),
            ("folder.py/", None),
        ],
    )
    def test_of_a_file(self, path, language):
        assert grammars.of_path(path) == language

    def test_no_ending_means_two_languages(self):
        endings = [ending for each in ENDINGS.values() for ending in each]
        assert len(endings) == len(set(endings))

    def test_an_unknown_one_lists_those_there_are(self):
        with pytest.raises(grammars.UnknownLanguage, match="unknown language 'klingon'. There are: bash, c, .*zig"):
            grammars.canonical("klingon")

    def test_one_that_hangs_is_switched_off(self):
        with pytest.raises(grammars.UnknownLanguage, match="never returns"):
            grammars.canonical("cobol")


@pytest.mark.requirement("ast:same-grammar")
class TestProviders:
    def test_an_entry_point_comes_first(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_language
            from toolpost_astgrep.grammars import ExtraGrammar
            lox = ExtraGrammar(name="lox", load=lambda: get_language("lua"), endings=(".lox",))
            python = ExtraGrammar(name="python", load=lambda: get_language("ruby"))
        """
        entry_points = "[toolpost.grammars]\nlox = lox_grammar:lox\npython = lox_grammar:python\n"
        distribution(tmp_path, "lox-grammar", "1.0", {"lox_grammar.py": module}, entry_points)
        code = """
            from toolpost_astgrep import grammars
            print(grammars.canonical("lox"), grammars.of_path("a.lox"))
            print(root(grammars.load("lox")), root(grammars.load("python")))
        """
        assert python(code, tmp_path) == "lox lox\nchunk program"

    def test_a_single_wheel_comes_before_the_pack(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_binding
            def language():
                return get_binding("ruby")
        """
        distribution(tmp_path, "tree-sitter-lua", "9.0", {"tree_sitter_lua/__init__.py": module})
        assert python("from toolpost_astgrep import grammars; print(root(grammars.load('lua')))", tmp_path) == "program"

    def test_a_pack_without_grammars_is_never_let_to_the_network(self, tmp_path: Path):
        module = """
            def downloaded_languages():
                return ["lua"]
            def get_language(name):
                assert name == "lua", "went to the network"
                from tree_sitter_yaml import language
                from tree_sitter import Language
                return Language(language())
        """
        distribution(tmp_path, "tree-sitter-language-pack", "1.25.0", {"tree_sitter_language_pack/__init__.py": module})
        code = """
            from toolpost_astgrep import grammars
            print(root(grammars.load("lua")))
            try:
                grammars.load("dart")
            except grammars.GrammarMissing as error:
                print(error)
        """
        loaded, error = python(code, tmp_path).splitlines()
        assert loaded == "stream"
        assert error == (
            "tree-sitter-language-pack 1.25.0 ships no grammars and 'dart' is not downloaded; "
            "install 'tree-sitter-language-pack<1', or the package of that grammar alone"
        )
