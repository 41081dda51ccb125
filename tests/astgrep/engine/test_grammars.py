"""Where grammars come from, and what they are called. In processes of their own: what is installed is read once."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import typing
from pathlib import Path

import pytest
import tree_sitter_language_pack
from toolpost_astgrep import grammars
from toolpost_astgrep.grammars.languages import ENDINGS, FILE_NAMES


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


def python(code: str, path: Path, *, helper: str = ROOT) -> str:
    """Run code in which that folder comes first on the path; what it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *filter(None, sys.path)])}
    done = subprocess.run(
        [sys.executable, "-c", helper + textwrap.dedent(code)],
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
        with pytest.raises(
            grammars.UnknownLanguage,
            match="unknown language 'klingon'. There are: actionscript, ada, .*zig; for a file that is named, also: .*comment, .*udev",
        ):
            grammars.canonical("klingon")

    def test_one_that_hangs_is_switched_off(self):
        with pytest.raises(grammars.UnknownLanguage, match="never returns"):
            grammars.canonical("cobol")
        assert "cobol" not in grammars.known()

    def test_every_grammar_of_the_pack_has_a_name_of_its_own(self):
        listed = set(typing.get_args(tree_sitter_language_pack.SupportedLanguage))
        assert grammars.known() == listed - {"cobol"}
        assert {grammars.canonical(name) for name in grammars.known()} == grammars.known()

    def test_every_language_with_files_of_its_own_has_a_grammar(self):
        assert {*ENDINGS, *FILE_NAMES.values()} <= grammars.known()

    def test_their_names_are_found_without_loading_one(self, tmp_path: Path):
        code = """
            from toolpost_astgrep import grammars
            import sys
            print(len(grammars.known()) > 100, [name for name in sys.modules if name.startswith("tree_sitter_")])
        """
        assert python(code, tmp_path, helper="") == "True []"


@pytest.mark.requirement("ast:same-grammar")
class TestProviders:
    def test_an_entry_point_comes_before_the_pack(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_language
            from toolpost_astgrep.grammars import ExtraGrammar
            from toolpost_astgrep.profiles import Profile, Rung
            table = Profile(rungs=(Rung("chunk", "", ""),))
            lox = ExtraGrammar(name="lox", load=lambda: get_language("lua"), endings=(".lox",))
            cobol = ExtraGrammar(name="cobol", load=lambda: get_language("ruby"), endings=(".cob",), profile=table)
        """
        entry_points = "[toolpost.grammars]\nlox = lox_grammar:lox\ncobol = lox_grammar:cobol\n"
        distribution(tmp_path, "lox-grammar", "1.0", {"lox_grammar.py": module}, entry_points)
        code = """
            from toolpost_astgrep import grammars
            from toolpost_astgrep.profiles import GENERIC, profile_of
            print(grammars.canonical("lox"), grammars.of_path("a.lox"), grammars.endings("lox"))
            print(root(grammars.load("lox")), root(grammars.load(grammars.canonical("cobol"))))
            print(profile_of("lox") is GENERIC, profile_of("cobol").rungs[0].context)
        """
        assert python(code, tmp_path).splitlines() == ["lox lox ('.lox',)", "chunk program", "True chunk"]

    def test_what_is_in_another_s_way_is_told_and_not_used(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_language
            from toolpost_astgrep.grammars import ExtraGrammar
            def made(name, *endings):
                return ExtraGrammar(name=name, load=lambda: get_language("lua"), endings=endings)
            many = [made("python", ".pyx"), made("py"), made("lox", ".lox", ".rs"), made("logs", ".lox")]
            lox = made("lox", ".lox2")
            broken = lambda: made("Lox")
        """
        entry_points = "[toolpost.grammars]\na = lox_grammar:many\nb = lox_grammar:lox\nc = lox_grammar:broken\n"
        distribution(tmp_path, "lox-grammar", "1.0", {"lox_grammar.py": module}, entry_points)
        code = """
            from toolpost_astgrep import grammars
            from toolpost_astgrep.grammars import extra as extra_grammars
            print(root(grammars.load("python")), *map(grammars.of_path, ["a.pyx", "a.lox", "a.lox2", "a.rs"]))
            print(*extra_grammars.extras().problems, sep="\\n")
        """
        used, *problems, broken = python(code, tmp_path).splitlines()
        assert used == "module None lox None rust"
        assert problems == [
            "grammar 'python' of lox-grammar is not used: toolpost-astgrep has that name",
            "grammar 'py' of lox-grammar is not used: toolpost-astgrep has that name",
            "grammar 'lox' of lox-grammar does not get .rs files: they are rust",
            "grammar 'logs' of lox-grammar does not get .lox files: they are lox",
            "grammar 'lox' of lox-grammar is not used: lox-grammar has that name",
        ]
        assert broken == (
            "toolpost.grammars entry 'c' of lox-grammar: ValueError: "
            "a language is named by small letters, digits, _ and -, not 'Lox'"
        )

    @pytest.mark.parametrize("ending", ["lox", ".Lox", ".tar.gz", "a/.lox", ""])
    def test_an_ending_that_would_never_match_is_refused(self, ending: str):
        with pytest.raises(ValueError, match="an ending is one dot"):
            grammars.ExtraGrammar(name="lox", load=dict, endings=[ending])

    @pytest.mark.parametrize("load", ["1 / 0", "None", "__import__('no_such_module')"])
    def test_one_that_cannot_be_loaded_says_whose_it_is(self, tmp_path: Path, load: str):
        module = f"""
            from toolpost_astgrep.grammars import ExtraGrammar
            lox = ExtraGrammar(name="lox", load=lambda: {load})
        """
        entry_points = "[toolpost.grammars]\nlox = lox_grammar:lox\n"
        distribution(tmp_path, "lox-grammar", "1.0", {"lox_grammar.py": module}, entry_points)
        code = """
            from toolpost_astgrep import grammars
            try:
                grammars.load("lox")
            except grammars.GrammarMissing as error:
                print(error)
        """
        assert python(code, tmp_path).startswith("the grammar of 'lox', which lox-grammar brings, cannot be loaded: ")

    def test_a_single_wheel_comes_before_the_pack(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_binding
            def language():
                return get_binding("ruby")
        """
        distribution(tmp_path, "tree-sitter-lua", "9.0", {"tree_sitter_lua/__init__.py": module})
        assert python("from toolpost_astgrep import grammars; print(root(grammars.load('lua')))", tmp_path) == "program"

    def test_a_single_wheel_brings_a_language_that_the_pack_has_not(self, tmp_path: Path):
        module = """
            from tree_sitter_language_pack import get_binding
            def language():
                return get_binding("ruby")
        """
        distribution(tmp_path, "tree-sitter-lox", "9.0", {"tree_sitter_lox/__init__.py": module})
        code = "from toolpost_astgrep import grammars; print(root(grammars.load(grammars.canonical('lox'))))"
        assert python(code, tmp_path) == "program"

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
            print("lua" in grammars.known(), "dart" in grammars.known())
            try:
                grammars.load(grammars.canonical("dart"))
            except grammars.GrammarMissing as error:
                print(error)
        """
        loaded, known, error = python(code, tmp_path).splitlines()
        assert (loaded, known) == ("stream", "True False")
        assert error == (
            "tree-sitter-language-pack 1.25.0 ships no grammars and 'dart' is not downloaded; "
            "install 'tree-sitter-language-pack<1', or the package of that grammar alone"
        )
