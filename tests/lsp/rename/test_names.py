"""What can be a name, in the languages that are known and in others."""

from __future__ import annotations

import pytest
from toolpost import ToolError
from toolpost_lsp.registry import shipped
from toolpost_lsp.rename import names

EVERYWHERE = ["1bad", "a b", " a", "a\n", "a.b", "a()", "a\x00b", "", "a,b", "\u200b"]
SOME = {
    "python": (["load", "_", "größe", "名前", "match", "__init__"], ["class", "None", "a$b", "a-b", "#a"]),
    "typescript": (["load", "$el", "_", "#field", "of", "größe"], ["class", "await", "a-b", "#", "##a", "a#b"]),
    "go": (["load", "größe"], ["_", "func", "a$b", "a-b"]),
    "rust": (["load", "r#type", "'a"], ["_", "type", "self", "a$b", "r#", "'"]),
    "c": (["load", "class", "new"], ["struct", "a-b"]),
    "cpp": (["load", "auto_"], ["class", "new", "and_eq"]),
    "java": (["load", "$a"], ["class", "null"]),
    "shellscript": (["load", "_a"], ["a-b", "größe", "done"]),
    "css": (["main-color", "--main-color", "-x", ".card", "$size", "@size"], ["-", "--", "a:b"]),
    None: (["load", "$a", "größe"], ["if", "a-b"]),
    "of a third party": (["load"], ["return"]),
}


def refused(language: str | None, name: str) -> bool:
    return names.of(language).refusal(name) is not None


@pytest.mark.requirement("rename:valid-name")
class TestNames:
    @pytest.mark.parametrize("language", SOME)
    def test_a_language_has_its_own_names(self, language: str | None):
        good, bad = SOME[language]
        assert [name for name in good if refused(language, name)] == []
        assert [name for name in (*bad, *EVERYWHERE) if not refused(language, name)] == []

    @pytest.mark.parametrize("language", sorted({each for one in shipped() for each in one.languages.values()}))
    def test_in_every_language_a_server_takes_a_word_is_a_name_and_two_are_not(self, language: str):
        assert not refused(language, "total")
        assert [name for name in EVERYWHERE if not refused(language, name) and name != "a.b"] == []

    @pytest.mark.parametrize(
        ("language", "keyword"), [("python", "class"), ("vue", "class"), ("zig", "fn"), ("lua", "end")]
    )
    def test_the_reason_is_given(self, language: str, keyword: str):
        with pytest.raises(ToolError, match="reserved word"):
            names.check(language, keyword)
        with pytest.raises(ToolError, match="no identifier") as raised:
            names.check(language, "1\n\x00bad")
        assert "\n" not in str(raised.value) and "\x00" not in str(raised.value)

    @pytest.mark.parametrize(
        ("language", "old", "new", "message"),
        [
            ("python", "load", "load", "already"),
            ("typescript", "#a", "b", "begins with #"),
            ("typescript", "a", "#b", "without #"),
            ("css", "--a", ".b", "begins with --"),
        ],
    )
    def test_a_name_takes_the_place_of_one_of_its_kind(self, language: str, old: str, new: str, message: str):
        with pytest.raises(ToolError, match=message):
            names.check_instead(language, old, new)

    def test_another_name_of_the_same_kind_is_taken(self):
        for language, old, new in (("typescript", "#a", "#b"), ("css", "--a", "--b"), ("python", "a", "b")):
            names.check_instead(language, old, new)
