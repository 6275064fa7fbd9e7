from __future__ import annotations

from datetime import date, timedelta

import pytest

from accounting.programs.rules.token import (
    SCOPES,
    end_refusal,
    looks_like_token,
    name_refusal,
    new_token,
    scopes_refusal,
)
from jackpot.people.actions.people import VERBS

TODAY = date(2026, 11, 19)


def test_a_token_is_known_by_its_prefix_and_no_two_are_alike() -> None:
    one, other = new_token(), new_token()
    assert one.written.startswith(f"{one.prefix}_")
    assert len({one.written, other.written, one.prefix, other.prefix}) == 4
    assert not any(looks_like_token(each) for each in ("", one.prefix, f" {one.written}", one.written + "x"))


@pytest.mark.parametrize(("days", "refused"), [(-1, "is over"), (0, ""), (365, ""), (366, "at most one year")])
def test_every_token_ends_within_a_year(days: int, refused: str) -> None:
    why = end_refusal(TODAY + timedelta(days=days), TODAY)
    assert refused in why
    assert bool(why) is bool(refused)


def test_a_program_never_has_what_needs_a_person() -> None:
    """Also a verb that is added tomorrow: whatever is not a right to read is refused."""
    for verb in VERBS.keys() - SCOPES.keys():
        assert f"“{verb}”" in scopes_refusal(["see", verb]), verb
    assert {"see", "read_books", "read_trail"} == SCOPES.keys() & VERBS.keys()
    assert scopes_refusal(list(SCOPES)) == ""
    assert scopes_refusal([]) != ""
    assert [bool(name_refusal(each)) for each in ("", "Figures", "x" * 61, "a\nb")] == [True, False, True, True]
