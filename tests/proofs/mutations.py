"""Source text, spoilt: cut, doubled, swapped, mixed, and pushed to where parsers come to grief. The same seed, the same text."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

LARGEST = 40_000
"""Bytes of an input: enough for a parser that takes quadratic time to show it."""
_BRACKETS = (
    (b"(", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b"<", b">"),
    (b"(a ", b")"),
    (b"<a>", b"</a>"),
    (b"{a:", b"}"),
    (b"if x {", b"}"),
)
_WORDS = (b"a ", b"(", b"\"", b"'", b"`", b"/*", b"<!--", b"${", b"\\", b"\n  ", b"\n\t", b"- ", b"!", b"a.", b"<", b"*", b"#", b"=",
          b"\n", b"if ", b"end ", b"a,", b"1", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"\xff", b":", b";", b"|", b"-> ")  # fmt: skip


def mutated(texts: Sequence[bytes], seed: str) -> bytes:
    """One input, made from one or two of *texts*; without NUL, which makes a file binary."""
    rng = random.Random(seed)
    data = rng.choice(texts)
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_WAYS)(rng, data, rng.choice(texts))[:LARGEST]
    return data.replace(b"\0", b" ")


def _slice(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.randint(0, 1 + len(data) // 2))


def _cut(rng: random.Random, data: bytes, _: bytes) -> bytes:
    start, end = _slice(rng, data)
    return data[:start] + data[end:]


def _broken_off(rng: random.Random, data: bytes, _: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def _doubled(rng: random.Random, data: bytes, _: bytes) -> bytes:
    start, end = _slice(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]


def _swapped(rng: random.Random, data: bytes, _: bytes) -> bytes:
    first, second = sorted((_slice(rng, data), _slice(rng, data)))
    if second[0] < first[1]:
        return data[::-1]
    return (
        data[: first[0]] + data[slice(*second)] + data[first[1] : second[0]] + data[slice(*first)] + data[second[1] :]
    )


def _mixed(rng: random.Random, data: bytes, other: bytes) -> bytes:
    at, (start, end) = rng.randint(0, len(data)), _slice(rng, other)
    return data[:at] + other[start:end] + data[at:]


def _noise(rng: random.Random, data: bytes, _: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.randint(1, 40)) + data[at:]


def _flipped(rng: random.Random, data: bytes, _: bytes) -> bytes:
    spoilt = bytearray(data)
    for _ in range(len(spoilt) // 20 + 1 if spoilt else 0):
        spoilt[rng.randrange(len(spoilt))] = rng.choice(b"(){}[]<>\"'`#/\\*:;,.=-+ \n\tax1")
    return bytes(spoilt)


def _deep(rng: random.Random, data: bytes, _: bytes) -> bytes:
    at, depth, (opening, closing) = rng.randint(0, len(data)), rng.choice((20, 300, 3000)), rng.choice(_BRACKETS)
    return data[:at] + opening * depth + b"x" + closing * (depth if rng.random() < 0.7 else 0) + data[at:]


def _long(rng: random.Random, data: bytes, _: bytes) -> bytes:
    at, word = rng.randint(0, len(data)), rng.choice(_WORDS)
    return data[:at] + word * rng.choice((10, 1000, 8000)) + data[at:]


def _one_line(rng: random.Random, data: bytes, _: bytes) -> bytes:
    return data.replace(b"\n", rng.choice((b" ", b"", b"\r\n", b"\r", b"\n\n\t")))


_WAYS: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    _cut, _broken_off, _doubled, _swapped, _mixed, _noise, _flipped, _deep, _long, _one_line,
)  # fmt: skip
