"""What a tool is: checked when it is made, not when it is called."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import attrs
import pytest
from toolpost import Call, Image, Note, Result, Text, Tier, Tool
from toolpost.testing import tool


@attrs.frozen(kw_only=True)
class Say:
    """Say something."""

    word: Annotated[str, "What."]


async def say(params: Say, call: Call[Any]) -> str:
    return params.word


def made(**more: Any) -> Tool[Any, Any]:
    return Tool(**({"name": "say", "params": Say, "handler": say, "tier": Tier.READ} | more))


@pytest.mark.requirement("core:tier-declared")
def test_a_tool_without_a_tier_cannot_be_made():
    with pytest.raises(TypeError, match="tier"):
        Tool(name="say", params=Say, handler=say)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"tool 'say': tier must be a toolpost\.Tier, not 'read'"):
        made(tier="read")


@pytest.mark.requirement("core:tier-declared")
def test_tiers_are_ordered_by_what_the_model_gains():
    assert Tier.READ < Tier.WRITE < Tier.EXEC
    assert sorted([Tier.EXEC, Tier.READ, Tier.WRITE]) == [Tier.READ, Tier.WRITE, Tier.EXEC]
    assert max(Tier.READ, Tier.EXEC) is Tier.EXEC
    assert Tier("write") is Tier.WRITE


@pytest.mark.parametrize("name", ["", "Say", "1say", "say-it", "say.it", "s" * 65, "säy", None])
def test_a_name_that_some_provider_refuses_is_refused(name: Any):
    with pytest.raises(ValueError, match="lower-case letter"):
        made(name=name)


def test_a_handler_must_be_async():
    with pytest.raises(TypeError, match=r"tool 'say': its handler must be an async function"):
        made(handler=lambda params, call: "x")
    made(handler=functools.partial(say))


def test_a_description_is_the_docstring_or_given_and_never_missing():
    assert made().description == "Say something."
    assert made(description="Otherwise.").description == "Otherwise."

    @attrs.frozen(kw_only=True)
    class Silent:
        word: Annotated[str, "What."]

    with pytest.raises(ValueError, match=r"tool 'say': describe it.*Silent"):
        made(params=Silent)


def test_parameters_that_cannot_be_described_fail_with_the_tools_name():
    @attrs.frozen(kw_only=True)
    class Odd:
        """Odd."""

        data: Annotated[bytes, "What."]

    with pytest.raises(TypeError, match=r"tool 'say': parameter 'data' of Odd: there is no JSON Schema"):
        made(params=Odd)
    with pytest.raises(TypeError, match="params must be an attrs class"):
        made(params=dict)


@pytest.mark.requirement("pending:custom")
def test_a_read_tool_cannot_declare_that_it_stages():
    with pytest.raises(ValueError, match="write or exec"):
        made(stages=True)
    made(stages=True, tier=Tier.WRITE)


def test_the_schema_and_the_structuring_come_with_the_tool():
    assert made().schema["properties"]["word"] == {"type": "string", "description": "What."}
    assert made().structure({"word": "x"}) == Say(word="x")


def test_the_text_of_a_result_is_all_its_text_and_the_notes_behind_it():
    result = Result(
        content=(Text(text="one"), Image(data=b"png"), Text(text="two")), notes=(Note(source="a", text="three"),)
    )
    assert result.text == "one\ntwo\nthree"
    assert result.images == (Image(data=b"png"),)
    assert not result.is_error
    assert Result.error("no").is_error


def test_a_tool_for_a_test_takes_nothing():
    assert tool("t").schema["properties"] == {}
