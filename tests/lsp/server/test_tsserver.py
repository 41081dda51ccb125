"""The command of typescript-language-server: three questions, whose answers count from 1 (facts §0.2)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from toolpost_lsp.protocol.structure import diagnostics
from toolpost_lsp.protocol.types import Severity
from toolpost_lsp.server.tsserver import COMMAND, ask

pytestmark = pytest.mark.requirement("write:three-answers")

QUESTIONS = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"]


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"start": {"line": 2, "offset": 5}, "end": {"line": 2, "offset": 9}, "text": text, **more}


def asked(answers: dict[str, Any]) -> list[dict[str, Any]] | None:
    async def request(method: str, params: Any) -> Any:
        assert method == "workspace/executeCommand" and params["command"] == COMMAND
        question, arguments = params["arguments"]
        assert arguments["file"] == "/p/a.ts"
        return answers.get(question, {"success": True, "body": []})

    return asyncio.run(ask(request, "/p/a.ts"))


def test_the_answers_to_all_three_questions_are_put_together() -> None:
    found = asked({each: {"success": True, "body": [said(each)]} for each in QUESTIONS})
    assert found is not None and [each["message"] for each in found] == QUESTIONS


def test_a_problem_is_put_into_the_terms_of_the_protocol() -> None:
    body = [said("unused", category="suggestion", code=6133, reportsUnnecessary=True), said("bad", category="error")]
    found = asked({QUESTIONS[1]: {"body": body}})
    unused, bad = diagnostics(found).items
    assert (unused.range.start.line, unused.range.start.character, unused.range.end.character) == (1, 4, 8)
    assert (unused.severity, unused.code, unused.source, unused.unnecessary) == (
        Severity.HINT,
        "6133",
        "typescript",
        True,
    )
    assert (bad.severity, bad.unnecessary) == (Severity.ERROR, False)


@pytest.mark.parametrize("answer", [None, [], {}, {"success": False, "body": []}, {"success": True, "body": "none"}])
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_answer_to_one_question_is_no_answer_at_all(question: str, answer: Any) -> None:
    assert asked({question: answer}) is None


def test_a_malformed_problem_does_not_hide_the_others() -> None:
    found = asked({QUESTIONS[0]: {"body": [None, {}, said("one"), {"start": 1, "end": 2, "text": ""}]}})
    assert found is not None and [each["message"] for each in found] == ["one"]
