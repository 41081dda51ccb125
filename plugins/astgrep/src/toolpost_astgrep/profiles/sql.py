"""SQL."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung

_RESERVED = frozenset(
    {
        "select", "from", "where", "join", "left", "right", "inner", "outer", "full", "cross", "on", "group", "having",
        "order", "limit", "offset", "union", "with", "set", "values", "insert", "update", "delete", "create", "alter",
        "drop", "add", "when", "then", "else", "case", "and", "or", "not", "in", "is",
    }
)  # fmt: skip

_SQL = Profile(
    rungs=(
        Rung("statement", "SELECT 1 FROM t WHERE EXISTS (", ");\n"),  # a query means one wherever it stands
        Rung("statement", "", ";\n"),
        Rung("expression", "SELECT 1 FROM t WHERE (", ");\n"),
        Rung("class member", "CREATE TABLE t (", ");\n"),
        Rung("file", "", "\n"),
        Rung("clause", "SELECT 1 ", ";\n"),
        Rung("clause", "SELECT 1 FROM t ", ";\n"),
        Rung("when", "SELECT CASE ", " END;\n"),
        Rung("assignment", "UPDATE t SET ", ";\n"),
        Rung("argument", "SELECT f(", ");\n"),
        Rung("column", "SELECT ", " FROM t;\n"),
        Rung("relation", "SELECT 1 FROM ", ";\n"),
        Rung("order", "SELECT 1 FROM t ORDER BY ", ";\n"),
        Rung("row", "INSERT INTO t VALUES ", ";\n"),
        Rung("with", "WITH ", " SELECT 1;\n"),
        Rung("alteration", "ALTER TABLE t ", ";\n"),
        Rung("type", "CREATE TABLE t (c ", ");\n"),
    ),
    spellings=("NAME",),
    line_comment="--",
    unclear=(b"/*",),  # block comments nest
    containers=frozenset({"program", "select_expression", "constraints"}),
    strings=frozenset({"literal"}),
    clauses=frozenset({"join", "where", "group_by", "having", "order_by", "limit", "returning"}),
    caseless=("keyword_", "identifier"),
    closing=frozenset({"where", "from", "returning"}),
    reserved=_RESERVED,
    stand_ins={
        "": ("NAME = 0", "(NAME)"),
        "(": ("NAME int", "SELECT NAME"),
        "()": ("NAME int",),
        "as": ("SELECT NAME",),
        "column": ("NAME int",),
        "limit": ("'NAME'",),
        "offset": ("'NAME'",),
        "set": ("NAME = 0",),
        "values": ("(NAME)",),
    },
)

PROFILES = {"sql": _SQL}
