"""HTML."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_NOT_ELEMENTS = frozenset({"text", "text …", "erroneous_end_tag"})

_HTML = Profile(
    rungs=(
        Rung("element", "", "\n", refuses=_NOT_ELEMENTS),
        Rung("element", "<z>", "</z>\n", refuses=_NOT_ELEMENTS),  # a tag that is closed elsewhere, or never
        Rung("attribute", "<a ", "></a>\n", refuses=frozenset({"attribute_name"})),
        Rung("text", "", "\n"),
        Rung("value", "<a b=", "></a>\n"),
        Rung("name", "<a ", "></a>\n"),
        Rung("tag name", "<", "></a>\n"),
    ),
    spellings=("NAME", "<NAME/>"),
    mixed=True,  # what is beside text
    line_comment=None,
    block_comment=("<!--", "-->"),
    containers=frozenset({"document"}),
    strings=frozenset({"attribute_value", "quoted_attribute_value", "raw_text"}),
    parentheses=None,
    paired=True,
    clauses=frozenset({"start_tag", "end_tag"}),
    caseless=("tag_name", "attribute_name"),
)

PROFILES = {"html": _HTML}
