from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from tables.rounds.rules.further import read_further
from tables.rounds.rules.round import request_digest

CODES = st.from_regex(r"[A-Z0-9][A-Z0-9-]{0,19}", fullmatch=True).filter(str.isascii)
SEATS = st.sets(st.sampled_from("123456789")).map(lambda seats: "".join(sorted(seats)))


@given(CODES, st.integers(1, 2**62), SEATS, st.dictionaries(CODES, SEATS, max_size=8))
def test_a_strangers_json_spells_a_request_as_the_table_did(
    table: str, number: int, seats: str, further: dict[str, str]
) -> None:  # fmt: skip
    played = [[code, there] for code, there in sorted(further.items()) if there]
    spelled = json.dumps(["coin_in", table, number, seats, *played], separators=(",", ":"))
    asked = request_digest(table, number, seats, read_further(further, {}))
    assert asked == hashlib.sha256(spelled.encode()).digest()
