"""A language server's record from a wheel that somebody else made: found, started, and no danger to the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from endtoend.commands import PROGRAM
from thirdparty.wheels import Site, wheel

SERVER = """
    from lsp.fake.definition import definition

    server = definition(id="loxd")
"""


def made(folder: Path, name: str, source: str, entry: str) -> Path:
    return wheel(folder, name, source, "toolpost.language_servers", entry)


def ask(site: Site, *words: str) -> str:
    """What a fresh process of the command answers."""
    return site.run(PROGRAM, "call", "lsp", *words, "--plugins", "lsp")


@pytest.mark.requirement("core:third-party")
def test_a_server_of_somebody_else_serves_and_broken_ones_are_told(tmp_path: Path) -> None:
    site = Site(
        tmp_path,
        made(tmp_path, "lox-server", SERVER, "lox = lox_server:server"),
        made(tmp_path, "broken-server", "raise SystemExit('no such machine')", "a = broken_server:server"),
        made(tmp_path, "other-lox", SERVER, "lox = other_lox:server"),
        made(tmp_path, "loose-server", SERVER.replace('"loxd"', '"loose", root_markers="fake.toml"'), "loose = loose_server:server"),
    )  # fmt: skip
    (site.workspace / "fake.toml").touch()
    (site.workspace / "a.fake").write_text("ERROR:one\n")
    assert "error[one] it says one (loxd)" in ask(site, "action=diagnostics", "file=a.fake")
    problems = (
        "problem: toolpost.language_servers entry 'a' of broken-server: SystemExit: no such machine",
        "problem: server 'loxd' of other-lox is not used: lox-server has one of that id",
        "problem: server 'loose' of loose-server is not used: root_markers is not a tuple of texts",
    )
    for told in (ask(site, "action=status"), site.run(PROGRAM, "doctor")):
        assert [each for each in problems if each not in told] == [], told
