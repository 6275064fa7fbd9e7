from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.seal import NO_SEAL_BEFORE, microseconds, seal, sealed_line

OPENING: dict[str, Any] = {
    "before": NO_SEAL_BEFORE,
    "jackpot_code": "GRAND",
    "seq": 1,
    "kind": "opening",
    "key": "opening",
    "occurred_at": datetime(2026, 11, 18, 14, 0, 0, 1, tzinfo=UTC),
    "gaming_day": date(2026, 11, 18),
    "table_code": "",
    "round_number": None,
    "win_id": None,
    "corrects": None,
    "version_digest": "ab" * 32,
    "movement": (0, 10_000 * 10**8, 0, 0, -10_000 * 10**8, 0, 0, 0),
    "after": (0, 10_000 * 10**8, 0, 0, -10_000 * 10**8, 0, 0, 0),
    "request": bytes(range(32)),
}


def test_the_line_holds_every_field_between_bars() -> None:
    assert sealed_line(**OPENING) == (
        "v1|" + "00" * 32 + "|GRAND|1|opening|opening|1795010400000001|2026-11-18|||||" + "ab" * 32 + "|"
        "0.00000000,10000.00000000,0.00000000,0.00000000,-10000.00000000,0.00000000,0.00000000,0.00000000|"
        "0.00000000,10000.00000000,0.00000000,0.00000000,-10000.00000000,0.00000000,0.00000000,0.00000000|"
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    )


def test_the_seal_is_sha_256_of_the_line() -> None:
    line = sealed_line(**OPENING)
    assert seal(line) == hashlib.sha256(line.encode()).digest()


CHANGES: dict[str, Any] = {
    "before": bytes([1] * 32),
    "jackpot_code": "MINI",
    "seq": 2,
    "kind": "take_over",
    "key": "opened",
    "occurred_at": OPENING["occurred_at"] + timedelta(microseconds=1),
    "gaming_day": date(2026, 11, 19),
    "table_code": "UTH-01",
    "round_number": 0,
    "win_id": 0,
    "corrects": 0,
    "version_digest": "ac" * 32,
    "movement": (1, *OPENING["movement"][1:]),
    "after": (*OPENING["after"][:7], 1),
    "request": bytes(32),
}


@pytest.mark.parametrize("field", list(OPENING))
def test_no_field_can_change_without_breaking_the_seal(field: str) -> None:
    assert seal(sealed_line(**OPENING)) != seal(sealed_line(**{**OPENING, field: CHANGES[field]}))


@given(
    st.integers(0, 230 * 365 * 86_400 * 10**6),
    st.integers(-14 * 60, 14 * 60),
)
def test_microseconds_are_exact_in_every_zone(count: int, offset: int) -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=count)
    elsewhere = moment.astimezone(timezone(timedelta(minutes=offset)))
    assert microseconds(elsewhere) == count


def test_a_line_that_is_not_ascii_cannot_be_sealed() -> None:
    with pytest.raises(UnicodeEncodeError):
        seal("v1|é")


DESCRIPTION = Path(__file__).parents[3] / "docs" / "books.md"
DIGEST = "4f1c" * 16
SEED = 10_000 * 10**8
CHIPS = (-375_000_000, 350_000_000, 25_000_000, 0, 0, 0, 0, 0)
AT = datetime(2026, 11, 18, 14, 0, 0, 1, tzinfo=UTC)
DAY = date(2026, 11, 18)
REQUEST = hashlib.sha256(b'["coin_in","UTH-01",1,"12567"]').digest()
VOID = hashlib.sha256(b'["void","UTH-01",1,"misdeal"]').digest()
BEFORE = (0, SEED, 0, 0, -SEED, 0, 0, 0)
AFTER = (-375_000_000, SEED + 350_000_000, 25_000_000, 0, -SEED, 0, 0, 0)
LATER = [AT + timedelta(seconds=seconds) for seconds in (0, 90, 150)]
FIELDS = (
    "seq", "kind", "key", "occurred_at", "gaming_day", "table_code", "round_number", "win_id", "corrects",
    "version_digest", "movement", "after", "request",
)  # fmt: skip
VECTORS: list[tuple[Any, ...]] = [
    (1, "opening", "opening", LATER[0], DAY, "", None, None, None, DIGEST, BEFORE, BEFORE, bytes(32)),
    (2, "coin_in", "UTH-01/1/1", LATER[1], DAY, "UTH-01", 1, None, None, DIGEST, CHIPS, AFTER, REQUEST),
    (3, "void", "UTH-01/1/void", LATER[2], DAY, "UTH-01", 1, None, 2, DIGEST, [-u for u in CHIPS], BEFORE, VOID),
]


def test_the_vectors_in_the_description_are_what_we_seal() -> None:
    before = NO_SEAL_BEFORE
    described = DESCRIPTION.read_text(encoding="utf-8")
    for vector in VECTORS:
        line = sealed_line(before=before, jackpot_code="GRAND", **dict(zip(FIELDS, vector, strict=True)))
        before = seal(line)
        assert f"```\n{line}\n{before.hex()}\n```" in described
