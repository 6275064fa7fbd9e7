"""Approvals as values: when one stands, which word counts, and what is missing of one that is typed."""

from __future__ import annotations

from datetime import date

import pytest

from jackpot.approvals.rules import (
    ApprovalSays,
    ApprovedThing,
    KnownApproval,
    NeededApproval,
    known_of,
    lacking,
    read_approval,
    refuse_withdrawing_nothing,
)
from jackpot.refusals import Refused

UTH = NeededApproval(ApprovedThing.GAME, "uth")
GRAND = NeededApproval(ApprovedThing.JACKPOT, "GRAND")
MONDAY, TUESDAY, FRIDAY = date(2026, 11, 16), date(2026, 11, 17), date(2026, 11, 20)
GIVEN = KnownApproval(UTH, ApprovalSays.GIVEN, TUESDAY)
TYPED = {
    "thing": "game", "name": "uth", "word": "given", "by": "Bureau", "reference": "GL-7", "begins": "17 Nov 2026",
    "until": "20 Nov 2026",
}  # fmt: skip


@pytest.mark.parametrize(("known", "day", "missing"), [
    ([], TUESDAY, [UTH]), ([GIVEN], MONDAY, [UTH]), ([GIVEN], TUESDAY, []),
    ([KnownApproval(UTH, ApprovalSays.GIVEN, MONDAY, TUESDAY)], TUESDAY, []),
    ([KnownApproval(UTH, ApprovalSays.GIVEN, MONDAY, TUESDAY)], FRIDAY, [UTH]),
    ([GIVEN, KnownApproval(UTH, ApprovalSays.WITHDRAWN, FRIDAY)], TUESDAY, []),
    ([GIVEN, KnownApproval(UTH, ApprovalSays.WITHDRAWN, FRIDAY)], FRIDAY, [UTH]),
    ([KnownApproval(UTH, ApprovalSays.WITHDRAWN, MONDAY), GIVEN], FRIDAY, []),
    ([KnownApproval(GRAND, ApprovalSays.GIVEN, MONDAY)], FRIDAY, [UTH]),
])  # fmt: skip
def test_the_newest_word_that_has_begun_counts(
    known: list[KnownApproval], day: date, missing: list[NeededApproval]
) -> None:
    assert lacking([UTH], known, day) == missing


def test_what_is_typed_is_kept_as_days_and_reads_back() -> None:
    kept = read_approval(TYPED, MONDAY, month_first=True)
    assert (kept["begins"], kept["until"]) == ("2026-11-17", "2026-11-20")
    picked = {**TYPED, "begins": "2026-11-17", "until": "2026-11-20"}  # as a browser sends a day
    assert read_approval(picked, MONDAY, month_first=True) == kept
    assert known_of(kept) == KnownApproval(UTH, ApprovalSays.GIVEN, TUESDAY, FRIDAY)
    assert known_of(read_approval({**TYPED, "until": ""}, MONDAY, month_first=True)).until is None


@pytest.mark.parametrize(("differs", "why"), [
    ({"thing": "weather"}, "Choose what is approved"), ({"word": "maybe"}, "Choose what is approved"),
    ({"name": ""}, "Name it as the house does"), ({"by": " "}, "Write who gives it"),
    ({"reference": ""}, "Write its reference"), ({"begins": "soon"}, "The day on which it begins"),
    ({"until": "never ever"}, "The day on which it ends"), ({"until": "16 Nov 2026"}, "before it begins"),
])  # fmt: skip
def test_what_is_missing_is_said(differs: dict[str, str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_approval({**TYPED, **differs}, MONDAY, month_first=True)


def test_a_thing_is_called_by_its_name() -> None:
    assert str(NeededApproval(ApprovedThing.AGREEMENT, "uth")) == "the agreement with the owner of uth"


@pytest.mark.parametrize(("known", "about", "why"), [
    ([GIVEN], NeededApproval(ApprovedThing.GAME, "UTH"),
     "There is no approval of the game UTH to withdraw. The house has those of uth."),
    ([GIVEN], NeededApproval(ApprovedThing.AGREEMENT, "uth"),
     "There is no approval of the agreement with the owner of uth to withdraw. The house has none of that kind."),
    ([KnownApproval(UTH, ApprovalSays.WITHDRAWN, MONDAY)], UTH,
     "There is no approval of the game uth to withdraw. The house has none of that kind."),
])  # fmt: skip
def test_a_withdrawal_that_withdraws_nothing_is_refused(
    known: list[KnownApproval], about: NeededApproval, why: str
) -> None:
    with pytest.raises(Refused) as refused:
        refuse_withdrawing_nothing(KnownApproval(about, ApprovalSays.WITHDRAWN, FRIDAY), known)
    assert refused.value.why == why


def test_what_stands_is_withdrawn_and_what_is_given_needs_nothing_before() -> None:
    refuse_withdrawing_nothing(KnownApproval(UTH, ApprovalSays.WITHDRAWN, FRIDAY), [GIVEN])
    refuse_withdrawing_nothing(GIVEN, [])
