"""What careless programs and tired fingers send: values that no door means, drawn by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

TEXTS: Final[tuple[str, ...]] = (
    "", " ", "\x00", "a\x00b", "%00", "\ud800", "\udfff", "１", "４９.５０", "٤٩", "²", "½", "1e5", "1E400",
    "1e3000000",
    "-1", "−1", "+1", "1_0", "0x10", "98/2", "49,50", "1,000", "NaN", "Infinity", "-Infinity", "1.0000000001", "15.005",
    "9" * 19, "9" * 400, "9" * 5000, "-" + "9" * 30, "2" + "0" * 18, str(2**63), str(2**31), "null", "true", "[]", "{}",
    "A" * 300, "A" * 70_000, "é", "🎰", "A♥️", "\u202eabc", "a\r\nb", "../../etc", "' OR 1=1 --", "<script>",
    "{{ 7*7 }}",
    "2026-13-45", "0000-00-00", "99999-01-01", "24:61", "UTH-01", "GRAND", "royal", "supervisor",
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 10, 2**31, 2**53, 2**63, 2**64, 10**25, -(10**25), 10**4000, 0.5, 1e22, 1e308, [], [1],
    [[]], ["a", [1]], [None], {}, {"a": 1}, {"a": {"b": [{}]}}, {"": ""}, ["x"] * 400,
    {str(each): each for each in range(99)},
)  # fmt: skip
BODIES: Final[tuple[bytes, ...]] = (
    b"", b"null", b"[]", b"1", b'"text"', b"{", b"\xff\xfe", b'{"a":\xc3\x28}', b"{\"a\":NaN}", b"[" * 30_000,
    b"{" * 500,
    b'{"a":' * 400 + b"1" + b"}" * 400, b'{"a":' + b"9" * 60_000 + b"}", b'{"reason":"\\u0000"}',
    b'{"reason":"\\ud800"}',
    b'{"a":1e999999}', b"\x00" * 10, b" " * 70_000,
)  # fmt: skip


class NastyHand:
    """Draws; the same seed draws the same."""

    def __init__(self, seed: str) -> None:
        self.dice = random.Random(seed)

    def text(self) -> str:
        return self.dice.choice(TEXTS)

    def value(self) -> Any:
        return self.dice.choice(TEXTS if self.dice.random() < 0.5 else VALUES)

    def body(self, apt: Mapping[str, Any]) -> bytes:
        """The body that a door expects with one or two of its fields spoilt, missing or strange; or no such thing."""
        if self.dice.random() < 0.12:
            return self.dice.choice(BODIES)
        told = dict(apt)
        for _ in range(self.dice.choice((1, 1, 1, 2))):
            where = self.dice.choice([*told, "strange"]) if told else "strange"
            match self.dice.random():
                case share if share < 0.08:
                    told.pop(where, None)
                case share if share < 0.3:
                    told[where] = self.within(told.get(where))
                case _:
                    told[where] = self.value()
        return json.dumps(told).encode("utf-8", "surrogatepass")

    def within(self, value: Any) -> Any:
        """One place of a list or an object spoilt; a bare value wholly."""
        match value:
            case dict() if value:
                name = self.dice.choice(list(value))
                return {**value, name: self.within(value[name])}
            case list() if value:
                return [self.within(value[0]), *value[1:]]
        return self.value()

    def fields(self, names: list[str]) -> dict[str, Any]:
        """A form: most fields as somebody would fill them, one or two not."""
        told: dict[str, Any] = {name: self.dice.choice(("1", "on", "10", "5.00", "GRAND", "checked")) for name in names}
        for name in self.dice.sample(names, min(2, len(names))):
            told[name] = self.text().encode("utf-8", "replace").decode()
        return told


def apt(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
    """A value that the OpenAPI document would take, field by field."""
    if "$ref" in schema:
        return apt(parts[schema["$ref"].rsplit("/", 1)[1]], parts)
    for way in ("allOf", "oneOf", "anyOf"):
        if schema.get(way):
            return apt(schema[way][0], parts)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: apt(each, parts) for name, each in schema.get("properties", {}).items()}
        case "array":
            return [apt(schema.get("items", {}), parts)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return schema.get("example", "1")


def spoilt(words: Iterator[str] | list[str], hand: NastyHand) -> dict[str, str]:
    """A query with some of its words and one that nobody knows, each with a text that is not meant."""
    known = list(words)
    chosen = hand.dice.sample(known, min(len(known), hand.dice.choice((1, 1, 2)))) or ["strange"]
    return {name: hand.text().encode("utf-8", "replace").decode() for name in chosen}
