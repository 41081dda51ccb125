"""Where a name is still written, by looking: bounded, the language's own files first, others' left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from toolpost import Confinement
from toolpost_lsp.rename.leftovers import Leftovers, leftovers


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Confinement]:
    (tmp_path / "project").mkdir()
    with Confinement(tmp_path / "project") as files:
        yield files


def put(files: Confinement, texts: Mapping[str, str | bytes]) -> None:
    for name, text in texts.items():
        path = Path(files.workspace, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def look(files: Confinement, *names: str, written: Mapping[str, bytes | None] | None = None) -> Leftovers:
    return leftovers(files, names or ("old",), ours=lambda name: name.endswith(".py"), written=written or {})


@pytest.mark.requirement("rename:zero-is-error")
class TestLeftovers:
    def test_whole_words_are_listed_with_their_lines_the_languages_files_first(self, files: Confinement):
        put(files, {"README.md": "the old one\n", "b/c.py": "x\n# old\r\nolder\n", "a.py": "\ufeffold\rold, old\n"})
        found = look(files)
        assert list(found.lines()) == [
            "Still mentioned, in 4 lines of 3 files; look whether these should change too:",
            "  a.py:1  old",
            "  a.py:2  old, old",
            "  b/c.py:2  # old",
            "  README.md:1  the old one",
        ]
        assert found.data()["total"] == 4
        assert found.data()["files"] == {"a.py": 2, "b/c.py": 1, "README.md": 1}

    def test_none_are_said_to_be_none(self, files: Confinement):
        put(files, {"a.py": "older höld oldö\n"})
        assert list(look(files).lines()) == ["No mention of old is left."]

    def test_what_will_be_written_counts_instead_of_the_disk(self, files: Confinement):
        put(files, {"a.py": "old\n", "b.py": "old\n"})
        found = look(files, written={"a.py": b"new\n", "b.py": None, "c.py": b"# old\n"})
        assert found.data()["files"] == {"c.py": 1}

    def test_hidden_vendored_binary_linked_and_huge_files_are_left_out(self, files: Confinement, tmp_path: Path):
        (tmp_path / "outside.py").write_text("old\n")
        put(
            files,
            {
                ".git/a.py": "old\n",
                "node_modules/a.py": "old\n",
                "x.bin": b"\0old\n",
                "huge.py": b"old\n" * 300_000,
                "kept.py": "old\n",
            },
        )
        Path(files.workspace, "link.py").symlink_to(tmp_path / "outside.py")
        assert look(files).data()["files"] == {"kept.py": 1}

    def test_many_are_counted_by_file(self, files: Confinement):
        put(files, {f"{number:02}.py": "old\n" * 3 for number in range(30)})
        lines = list(look(files).lines())
        assert lines[0].startswith("Still mentioned, in 90 lines of 30 files")
        assert len(lines) == 22
        assert lines[-1].startswith("  … and 70 more lines: 06.py 1, 07.py 3,")
        assert lines[-1].endswith("and 14 further files")

    def test_any_of_several_names_counts(self, files: Confinement):
        put(files, {"a.py": "one\ntwo\nthree\n"})
        assert look(files, "one", "two").data()["total"] == 2

    def test_text_of_the_checkout_cannot_break_the_list(self, files: Confinement):
        put(files, {"a.py": "old \x1b[2J " + "x" * 5_000 + "\n"})
        (_, line) = look(files).lines()
        assert "\x1b" not in line and len(line) < 250
