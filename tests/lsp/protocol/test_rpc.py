"""JSON-RPC with a server, and with what servers do that they should not."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from typing import Any

import pytest
from core.processes.bounded import bounded
from hypothesis import given, settings
from hypothesis import strategies as st
from lsp.protocol.far_end import connected
from toolpost.processes import encode
from toolpost.testing import FakeClock
from toolpost_lsp.protocol import rpc
from toolpost_lsp.protocol.errors import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    ConnectionLost,
    ResponseError,
)


class TestAsking:
    @bounded
    async def test_answers_find_their_requests_in_any_order(self) -> None:
        async with connected() as (connection, far_end):
            asked = [asyncio.ensure_future(connection.request(f"ask/{name}", {"is": name})) for name in "abc"]
            heard = [await far_end.hear() for _ in asked]
            assert [(each["method"], each["params"]) for each in heard] == [(f"ask/{n}", {"is": n}) for n in "abc"]
            assert len({each["id"] for each in heard}) == 3
            for each in reversed(heard):
                far_end.answer(each, each["method"])
            assert await asyncio.gather(*asked) == ["ask/a", "ask/b", "ask/c"]

    @bounded
    async def test_no_params_are_left_out(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("shutdown"))
            heard = await far_end.hear()
            assert "params" not in heard
            far_end.answer(heard, None)
            assert await asked is None

    @bounded
    async def test_an_error_is_raised_as_it_was_sent(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            error = {"code": -32802, "message": "later", "data": {"retriggerRequest": True}}
            far_end.say({"id": (await far_end.hear())["id"], "error": error})
            with pytest.raises(ResponseError, match="later") as raised:
                await asked
            assert (raised.value.code, raised.value.data) == (-32802, {"retriggerRequest": True})

    @pytest.mark.parametrize("error", ["oops", {"code": "x"}, {}, [], {"message": {"a": 1}}, 5])
    @bounded
    async def test_a_malformed_error_is_still_one(self, error: Any) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            far_end.say({"id": (await far_end.hear())["id"], "error": error})
            with pytest.raises(ResponseError) as raised:
                await asked
            assert raised.value.code == INTERNAL_ERROR

    @bounded
    async def test_a_result_beside_a_null_error_is_the_answer(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            far_end.say({"id": (await far_end.hear())["id"], "result": 3, "error": None})
            assert await asked == 3

    @bounded
    async def test_what_is_said_and_asked_arrives_in_order(self) -> None:
        async with connected() as (connection, far_end):
            asked = []
            for number in range(50):
                connection.notify("tell", {"n": number})
                asked.append(asyncio.ensure_future(connection.request("ask", {"n": number})))
                await asyncio.sleep(0)
            heard = [await far_end.hear() for _ in range(100)]
            assert [(each["method"], each["params"]["n"]) for each in heard] == [
                (method, number) for number in range(50) for method in ("tell", "ask")
            ]
            for each in heard:
                if "id" in each:
                    far_end.answer(each, None)
            await asyncio.gather(*asked)

    @bounded
    async def test_what_is_no_json_is_refused_before_it_is_sent(self) -> None:
        async with connected() as (connection, far_end):
            with pytest.raises(TypeError):
                await connection.request("ask", {"n": object()})
            connection.notify("tell", "half a pair: \ud83d")
            assert (await far_end.hear())["params"] == "half a pair: \ud83d"


class TestGivingUp:
    @pytest.mark.requirement("lsp:crash")
    @bounded
    async def test_a_request_that_takes_too_long_is_cancelled_and_its_late_answer_dropped(self) -> None:
        clock = FakeClock()
        async with connected(clock=clock) as (connection, far_end):
            slow = asyncio.ensure_future(connection.request("slow", timeout=10))
            first = await far_end.hear()
            await clock.advance(9.9)
            assert not slow.done()
            await clock.advance(0.2)
            with pytest.raises(TimeoutError, match=r"slow was not answered within 10 s"):
                await slow
            cancel = await far_end.hear()
            assert (cancel["method"], cancel["params"]) == ("$/cancelRequest", {"id": first["id"]})

            after = asyncio.ensure_future(connection.request("after", timeout=10))
            second = await far_end.hear()
            far_end.say(
                {"id": first["id"], "error": {"code": REQUEST_CANCELLED, "message": "cancelled"}},
                {"id": second["id"], "result": "in time"},
            )
            assert await after == "in time"

    @bounded
    async def test_the_machines_own_clock_counts_too(self) -> None:
        async with connected() as (connection, far_end):
            with pytest.raises(TimeoutError):
                await connection.request("slow", timeout=0.01)
            assert [(await far_end.hear())["method"] for _ in range(2)] == ["slow", "$/cancelRequest"]

    @bounded
    async def test_a_cancelled_request_is_cancelled_there_too(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("slow"))
            heard = await far_end.hear()
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            assert (await far_end.hear())["params"] == {"id": heard["id"]}

    @bounded
    async def test_one_that_is_cancelled_as_its_error_comes_leaves_no_complaint(self, caplog: Any) -> None:
        asked: list[asyncio.Future[Any]] = []
        async with connected(on_notification=lambda method, params: asked[0].cancel()) as (connection, far_end):
            asked.append(asyncio.ensure_future(connection.request("ask")))
            heard = await far_end.hear()
            far_end.say({"id": heard["id"], "error": {"code": 1, "message": "no"}}, {"method": "cancel it"})
            with pytest.raises(asyncio.CancelledError):
                await asked[0]
            asked.clear()
        gc.collect()
        assert not caplog.records


class TestBeingAsked:
    @bounded
    async def test_a_servers_request_is_answered_while_ours_waits(self) -> None:
        async def on_request(method: str, params: Any) -> Any:
            return [method, params]

        async with connected(on_request=on_request) as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            ours = await far_end.hear()
            for number in (1, "1", "a string", ours["id"]):  # its numbers are its own
                far_end.say({"id": number, "method": "workspace/configuration", "params": {"n": 1}})
                assert await far_end.hear() == {
                    "jsonrpc": "2.0",
                    "id": number,
                    "result": ["workspace/configuration", {"n": 1}],
                }
            assert not asked.done()
            far_end.answer(ours, "done")
            assert await asked == "done"

    @bounded
    async def test_a_handlers_errors_are_answered(self, caplog: Any) -> None:
        async def on_request(method: str, params: Any) -> Any:
            if method == "known":
                raise ResponseError(METHOD_NOT_FOUND, "not here", {"why": 1})
            if method == "no json":
                return object()
            raise RuntimeError("a secret path")

        async with connected(on_request=on_request) as (_, far_end):
            far_end.say({"id": 1, "method": "known"}, {"id": 2, "method": "no json"}, {"id": 3, "method": "other"})
            errors = [(await far_end.hear())["error"] for _ in range(3)]
        assert errors[0] == {"code": METHOD_NOT_FOUND, "message": "not here", "data": {"why": 1}}
        assert errors[1] == errors[2] == {"code": INTERNAL_ERROR, "message": "internal error"}
        assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2

    @bounded
    async def test_a_server_may_cancel_its_request(self) -> None:
        async def on_request(method: str, params: Any) -> Any:
            await asyncio.get_running_loop().create_future()

        async with connected(on_request=on_request) as (_, far_end):
            far_end.say({"id": "x", "method": "ask"}, {"method": "$/cancelRequest", "params": {"id": "x"}})
            heard = await far_end.hear()
            assert (heard["id"], heard["error"]["code"]) == ("x", REQUEST_CANCELLED)
            far_end.say({"method": "$/cancelRequest", "params": {"id": "unknown"}}, {"method": "$/cancelRequest"})

    @bounded
    async def test_a_request_is_begun_before_the_next_message_is_looked_at(self) -> None:
        seen: list[str] = []
        done = asyncio.Event()

        async def on_request(method: str, params: Any) -> Any:
            seen.append(method)

        def on_notification(method: str, params: Any) -> None:
            seen.append(method)
            if method == "last":
                done.set()

        async with connected(on_request=on_request, on_notification=on_notification) as (_, far_end):
            far_end.say(
                {"method": "first"},
                {"id": 1, "method": "window/workDoneProgress/create"},
                {"method": "$/progress"},
                {"id": 2, "method": "client/registerCapability"},
                {"method": "last"},
            )
            await done.wait()
        assert seen == ["first", "window/workDoneProgress/create", "$/progress", "client/registerCapability", "last"]

    @bounded
    async def test_a_notification_that_fails_costs_no_other(self, caplog: Any) -> None:
        seen: list[Any] = []
        done = asyncio.Event()

        def on_notification(method: str, params: Any) -> None:
            if method == "bad":
                raise KeyError("x")
            seen.append(params)
            done.set()

        async with connected(on_notification=on_notification) as (_, far_end):
            far_end.say({"method": "bad"}, {"method": "good", "params": 2})
            await done.wait()
        assert seen == [2]
        assert "a handler failed on bad" in caplog.text

    @bounded
    async def test_a_flood_is_taken_whole_and_in_order(self) -> None:
        count, seen = 20_000, []
        done = asyncio.Event()

        def on_notification(method: str, params: Any) -> None:
            seen.append(params)
            if params == count - 1:
                done.set()

        async with connected(on_notification=on_notification) as (_, far_end):
            far_end.say(*({"method": "window/logMessage", "params": number} for number in range(count)))
            await done.wait()
        assert seen == list(range(count))

    @bounded
    async def test_a_flood_of_requests_that_nothing_ends_is_bounded(self) -> None:
        async def on_request(method: str, params: Any) -> Any:
            if method == "hang":
                await asyncio.get_running_loop().create_future()

        async with connected(on_request=on_request) as (_, far_end):
            far_end.say(*({"id": number, "method": "hang"} for number in range(rpc.MOST_SERVED + 3)))
            refused = [await far_end.hear() for _ in range(3)]
        assert [each["id"] for each in refused] == [rpc.MOST_SERVED + number for number in range(3)]
        assert {each["error"]["code"] for each in refused} == {REQUEST_FAILED}


class TestWhatServersPrint:
    @pytest.mark.parametrize(
        "noise",
        [
            b"Starting the server...\n",
            b"listening\r\n\r\n",
            b"\xff\xfe\x00",
            b"debug: true\r\nmore: words\r\n\r\n",
            b"n" * 200_000,
        ],
    )
    @bounded
    async def test_a_banner_before_or_between_messages_is_passed_over(self, noise: bytes) -> None:
        async with connected() as (connection, far_end):
            for number in range(3):
                asked = asyncio.ensure_future(connection.request("ask"))
                far_end.raw(noise)
                far_end.answer(await far_end.hear(), number)
                assert await asked == number
            assert connection.noise

    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"\xff", b"null", b"17", b'"text"', b"[" * 100_000, b"[null, 3]", b"9" * 5000],
    )
    @bounded
    async def test_a_message_that_is_none_is_counted_and_costs_no_other(self, body: bytes) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            heard = await far_end.hear()
            far_end.raw(encode(body) + encode(json.dumps({"id": heard["id"], "result": 1}).encode()))
            assert await asked == 1
            assert connection.faults >= 1

    @pytest.mark.parametrize(
        "answer",
        [
            {"result": 0},
            {"id": None, "error": {"code": -32700, "message": "I could not read that"}},
            {"id": 999, "result": 0},
            {"id": [1], "result": 0},
            {"id": {"a": 1}, "result": 0},
            {"id": "", "result": 0},
            {"id": "²", "result": 0},
            {"method": 5},
            {},
        ],
    )
    @bounded
    async def test_answers_to_nothing_are_passed_over(self, answer: Any) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            heard = await far_end.hear()
            far_end.say(answer)
            far_end.answer(heard, 1)
            assert await asked == 1

    @bounded
    async def test_an_id_may_come_back_as_a_string_or_twice(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            number = (await far_end.hear())["id"]
            far_end.say({"id": str(number), "result": "first"}, {"id": number, "result": "second"})
            assert await asked == "first"
            asked = asyncio.ensure_future(connection.request("ask"))
            far_end.answer(await far_end.hear(), "next")
            assert await asked == "next"

    @bounded
    async def test_a_batch_is_its_messages_in_order(self) -> None:
        seen: list[Any] = []

        def on_notification(method: str, params: Any) -> None:
            seen.append(params)

        async with connected(on_notification=on_notification) as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            number = (await far_end.hear())["id"]
            tell = [{"method": "tell", "params": each} for each in range(4)]
            far_end.say([tell[0], [tell[1], [tell[2]]], tell[3], {"id": number, "result": "last"}])
            assert await asked == "last"
        assert seen == [0, 1, 2, 3]


IDS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats()
    | st.text(max_size=2)
    | st.lists(st.integers(), max_size=1)
)
VALUES = st.recursive(
    IDS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
)
MESSAGES = st.recursive(
    VALUES
    | st.fixed_dictionaries(
        {},
        optional={
            "id": IDS.filter(lambda number: number not in (1, "1")),
            "method": st.sampled_from(["tell", "$/cancelRequest", "$/progress"]) | VALUES,
            "params": VALUES | st.fixed_dictionaries({"id": IDS}),
            "result": VALUES,
            "error": VALUES | st.fixed_dictionaries({"code": VALUES, "message": VALUES}),
        },
    ),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(MESSAGES | st.binary(max_size=20), max_size=8))
def test_whatever_else_a_server_sends_an_answer_arrives(sent: list[Any]) -> None:
    @bounded
    async def work() -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            heard = await far_end.hear()
            for each in sent:
                if isinstance(each, bytes):
                    far_end.raw(each)
                else:
                    far_end.say(each)
            far_end.answer(heard, "here")
            assert await asked == "here"

    work()


@pytest.mark.requirement("lsp:crash")
class TestEnding:
    @bounded
    async def test_death_in_the_middle_of_an_answer_fails_all_that_wait_with_the_reason(self) -> None:
        async with connected() as (connection, far_end):
            asked = [asyncio.ensure_future(connection.request("ask")) for _ in range(3)]
            for _ in asked:
                await far_end.hear()
            far_end.raw(b'Content-Length: 100\r\n\r\n{"id": 1,')
            far_end.die()
            for each in asked:
                with pytest.raises(ConnectionLost, match="ended after 9 of 100 bytes of a message"):
                    await each
            assert await connection.wait_closed() == connection.closed
            with pytest.raises(ConnectionLost, match="ended after 9 of 100"):
                await connection.request("ask")
            with pytest.raises(ConnectionLost, match="ended after 9 of 100"):
                await connection.flush()
            connection.notify("tell")  # nobody hears it, nobody minds

    @bounded
    async def test_an_answer_just_before_death_is_still_one(self) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            far_end.answer(await far_end.hear(), "last words")
            far_end.die()
            assert await asked == "last words"
            assert await connection.wait_closed() == "the server closed its output"

    @bounded
    async def test_a_program_that_prints_its_usage_and_ends_is_quoted(self) -> None:
        async with connected() as (connection, far_end):
            far_end.raw(b"usage: server [--stdio]\n\x1b[31mno such option\n")
            far_end.die()
            assert (
                await connection.wait_closed()
                == "the server closed its output; it printed: usage: server [--stdio] [31mno such option"
            )

    @pytest.mark.parametrize("header", [b"Content-Length: many\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n"])
    @bounded
    async def test_a_stream_that_cannot_be_followed_any_more_is_given_up(self, header: bytes) -> None:
        async with connected() as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            await far_end.hear()
            far_end.raw(header)
            with pytest.raises(ConnectionLost, match="the server's output broke"):
                await asked

    @bounded
    async def test_close_fails_what_waits_ends_handlers_and_may_be_repeated(self) -> None:
        ended = asyncio.Event()

        async def on_request(method: str, params: Any) -> Any:
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                ended.set()

        async with connected(on_request=on_request) as (connection, far_end):
            asked = asyncio.ensure_future(connection.request("ask"))
            await far_end.hear()
            far_end.say({"id": 1, "method": "hang"}, {"id": 2, "method": "hang"})
            waiting = asyncio.ensure_future(connection.wait_closed())
            asking = asyncio.ensure_future(connection.request("more"))
            await far_end.hear()
            await asyncio.gather(connection.close(), connection.close())
            for each in (asked, asking):
                with pytest.raises(ConnectionLost, match="this side closed the connection"):
                    await each
            assert await waiting == "this side closed the connection"
            await connection.close()
            with pytest.raises(ConnectionLost):
                await connection.request("ask")
        assert ended.is_set()

    @bounded
    async def test_what_was_said_before_close_is_heard(self) -> None:
        async with connected() as (connection, far_end):
            connection.notify("tell", "x" * 5_000_000)  # more than the pipe takes at once
            connection.notify("exit")
            closing = asyncio.ensure_future(connection.close())
            assert [(await far_end.hear())["method"] for _ in range(2)] == ["tell", "exit"]
            await closing

    @bounded
    async def test_a_handler_may_close_the_connection(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(rpc, "_GRACE", 60)  # it does not wait for itself

        async def on_request(method: str, params: Any) -> Any:
            await connection.close()
            closed.set()

        closed = asyncio.Event()
        async with connected(on_request=on_request) as (connection, far_end):
            far_end.say({"id": 1, "method": "close yourself"})
            await closed.wait()
            assert await far_end.reader.read() == b""

    @bounded
    async def test_a_server_that_does_not_read_holds_nothing_up_for_ever(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(rpc, "MOST_UNREAD", 1_000_000)
        monkeypatch.setattr(rpc, "_GRACE", 0.05)
        async with connected() as (connection, _):
            connection.notify("tell", "x" * 700_000)
            flushing = asyncio.ensure_future(connection.flush())
            asked = asyncio.ensure_future(connection.request("ask", "x" * 700_000))
            for each in (flushing, asked):
                with pytest.raises(ConnectionLost, match="left 1000000 bytes unread"):
                    await each

    @bounded
    async def test_close_does_not_wait_for_a_server_that_does_not_read(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(rpc, "_GRACE", 0.05)
        async with connected() as (connection, _):
            connection.notify("tell", "x" * 5_000_000)
            await connection.close()
