"""Which files a search looks at (ast:walk)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from astgrep.harness import tree
from toolpost_astgrep.files.walk import LARGEST, Listing, list_files


def listed(folder: Path, start: str = ".", language: str | None = "python", globs: tuple[str, ...] = ()) -> Listing:
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return list_files(root, start, language, globs)
    finally:
        os.close(root)


def paths(folder: Path, start: str = ".", **options: object) -> list[str]:
    return [path for path, _ in listed(folder, start, **options).files]  # type: ignore[arg-type]


RULES = {
    ".gitignore": "build/\n*.gen.py\n!keep.gen.py\n/top.py\ndocs/**/x.py\n",
    "a.py": "",
    "top.py": "",
    "sub/top.py": "",
    "build/b.py": "",
    "sub/build/b.py": "",
    "c.gen.py": "",
    "keep.gen.py": "",
    "docs/x.py": "",
    "docs/d/e/x.py": "",
    "docs/d/y.py": "",
    "sub/.gitignore": "!c.gen.py\nlocal.py\n",
    "sub/c.gen.py": "",
    "sub/local.py": "",
    "sub/deep/local.py": "",
    "other/local.py": "",
    "with space/ä.py": "",
}


@pytest.mark.requirement("ast:walk")
class TestIgnoring:
    def test_the_same_files_as_git_in_a_checkout(self, tmp_path: Path):
        tree(tmp_path, RULES)
        git = ["git", "-C", str(tmp_path), "-c", "core.quotepath=off"]
        subprocess.run([*git, "init", "-q"], check=True)
        told = subprocess.run(
            [*git, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True
        )
        assert paths(tmp_path) == sorted(path for path in told.stdout.splitlines() if path.endswith(".py"))

    def test_the_same_outside_a_checkout(self, tmp_path: Path):
        tree(tmp_path, RULES)
        assert paths(tmp_path) == [
            "a.py",
            "docs/d/y.py",
            "keep.gen.py",
            "other/local.py",
            "sub/c.gen.py",
            "sub/top.py",
            "with space/ä.py",
        ]

    def test_a_named_folder_is_searched_even_if_ignored(self, tmp_path: Path):
        tree(tmp_path, RULES)
        assert paths(tmp_path, "build") == ["build/b.py"]
        assert paths(tmp_path, "sub") == ["sub/c.gen.py", "sub/top.py"]

    def test_rules_above_a_named_folder_count_in_it(self, tmp_path: Path):
        tree(tmp_path, {".gitignore": "*.gen.py\n", "sub/a.gen.py": "", "sub/b.py": ""})
        assert paths(tmp_path, "sub") == ["sub/b.py"]

    def test_a_named_folder_that_ignores_itself_is_searched(self, tmp_path: Path):
        # As a virtual environment does: its own ignore file says `*`.
        tree(tmp_path, {"env/.gitignore": "*\n", "env/lib/a.py": "", "b.py": ""})
        assert paths(tmp_path) == ["b.py"]
        assert paths(tmp_path, "env") == ["env/lib/a.py"]

    def test_rules_above_the_root_count_inside_a_checkout(self, tmp_path: Path):
        tree(
            tmp_path,
            {
                ".gitignore": "gen/\n/repo/packages/one/top.py\n",
                "repo/.git/HEAD": "",
                "repo/.gitignore": "vendor/\n/packages/one/skip.py\n",
                "repo/packages/one/vendor/a.py": "",
                "repo/packages/one/skip.py": "",
                "repo/packages/one/top.py": "",
                "repo/packages/one/gen/b.py": "",
            },
        )
        # Not those above the checkout.
        assert paths(tmp_path / "repo/packages/one") == ["gen/b.py", "top.py"]
        # And not where they would ignore the root itself.
        assert paths(tmp_path / "repo/packages/one/vendor") == ["a.py"]

    def test_what_a_checkout_excludes_for_itself(self, tmp_path: Path):
        tree(tmp_path, {".git/info/exclude": "mine.py\n", "mine.py": "", "ours.py": ""})
        assert paths(tmp_path) == ["ours.py"]

    def test_globs_are_relative_to_the_folder_or_the_root(self, tmp_path: Path):
        tree(tmp_path, {"src/a/x.py": "", "src/b/x.py": "", "a/x.py": ""})
        assert paths(tmp_path, "src", globs=("a/**",)) == ["src/a/x.py"]
        assert paths(tmp_path, "src", globs=("src/a/**",)) == ["src/a/x.py"]
        assert paths(tmp_path, globs=("!src",)) == ["a/x.py"]

    def test_hidden_files_and_folders_are_left_out(self, tmp_path: Path):
        tree(tmp_path, {".hidden.py": "", ".venv/a.py": "", "b.py": ""})
        assert paths(tmp_path) == ["b.py"]


@pytest.mark.requirement("ast:walk", "core:confined")
class TestWhatIsNotSearched:
    def test_links_are_not_followed(self, tmp_path: Path):
        tree(tmp_path, {"w/a.py": "", "out/b.py": ""})
        (tmp_path / "w/link.py").symlink_to("../out/b.py")
        (tmp_path / "w/dir").symlink_to("../out")
        (tmp_path / "w/loop").symlink_to(".")
        (tmp_path / "w/.gitignore").symlink_to("/etc/passwd")
        assert paths(tmp_path / "w") == ["a.py"]

    def test_over_large_files_are_counted(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "", "big.py": b"#" * (LARGEST + 1)})
        found = listed(tmp_path)
        assert [path for path, _ in found.files] == ["a.py"]
        assert found.too_large == ["big.py"]

    def test_pipes_and_sockets_are_no_files(self, tmp_path: Path):
        os.mkfifo(tmp_path / "pipe.py")
        assert paths(tmp_path) == []

    def test_an_unreadable_folder_is_counted(self, tmp_path: Path):
        tree(tmp_path, {"a.py": "", "locked/b.py": ""})
        (tmp_path / "locked").chmod(0)
        tmp_path.chmod(0o755)
        for parent in list(tmp_path.parents)[:3]:
            parent.chmod(parent.stat().st_mode | 0o055)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:  # as another user, since root may read anything
            try:
                os.setgid(65534)
                os.setuid(65534)
                found = listed(tmp_path)
                os.write(write, f"{found.files} {found.unreadable}".encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as answer:
            told = answer.read()
        os.waitpid(child, 0)
        (tmp_path / "locked").chmod(0o755)
        assert told == "[('a.py', 0)] ['locked']"


@pytest.mark.requirement("ast:walk")
def test_a_tree_deeper_than_pythons_stack(tmp_path: Path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    for _ in range(400):
        os.mkdir("d", dir_fd=descriptor)
        below = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(os.open("a.py", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    assert paths(tmp_path) == ["d/" * 400 + "a.py"]


def test_languages_are_counted_where_none_is_asked_for(tmp_path: Path):
    tree(tmp_path, {"a.py": "", "b.py": "", "c.dart": "", "d.unknown": "", "Makefile": ""})
    assert listed(tmp_path, language=None).languages == {"python": 2, "dart": 1, "make": 1}
