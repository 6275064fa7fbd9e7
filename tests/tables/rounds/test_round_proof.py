from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tables.rounds.rules.proof import asked
from tables.rounds.rules.round import request_digest


@given(
    st.from_regex(r"[A-Z0-9][A-Z0-9-]{0,19}", fullmatch=True).filter(str.isascii),
    st.integers(1, 2**62),
    st.sets(st.sampled_from("123456789")).map(lambda seats: "".join(sorted(seats))),
)
def test_the_proof_spells_a_request_as_the_table_did(table: str, number: int, seats: str) -> None:
    assert asked(table, number, seats) == request_digest(table, number, seats)
