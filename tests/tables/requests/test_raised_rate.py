"""A rate that is raised where only parts come from the meter: told in the draft, and by switch nobody signs it."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.configure import TermsWish
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign
from jackpot.terms.models.terms_change import TermsChange
from tables.requests.actions import configure
from tests.builders import a_casino, a_pay_table
from tests.scenes_configure import two_people

pytestmark = pytest.mark.django_db
TRAY = a_pay_table(
    lines=[
        {"code": "royal", "name": "Royal flush", "part": "1"},
        {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "tray"},
    ]
)


def wish(jackpot: Jackpot, **changes: Any) -> TermsWish:
    terms = configure.wished_terms(jackpot, changes)
    return TermsWish(terms, "players ask for it", TermsChange.How.NEXT_RESET)


def drafted(jackpot: Jackpot, **changes: Any) -> TermsChange:
    """With the preview that it really gets."""
    asker, _ = two_people(jackpot.premises)
    change = configure.draft(jackpot=jackpot, wish=wish(jackpot, **changes), by=asker)
    configure.preview(change=change, by=asker, wait=0)
    return change


def test_a_higher_rate_is_told_before_and_in_the_draft_and_two_people_may_sign_it() -> None:
    jackpot = a_casino(pay_table=TRAY, rate="25").jackpot
    found = configure.look_ahead(jackpot, wish(jackpot, rate="30"), wait=0).findings
    (told,) = [each for each in found if each["code"] == "rate_raised"]
    assert told["weight"] == "warning"
    assert "goes up from 25 % to 30 %" in told["why"]
    assert not [
        each for each in configure.look_ahead(jackpot, wish(jackpot, rate="20"), wait=0).findings
        if each["code"] == "rate_raised"
    ]  # fmt: skip
    change = drafted(jackpot, rate="30")
    sign(request_id=change.pk, approver=SecondPerson(two_people(jackpot.premises)[1]))


def test_by_switch_nobody_signs_it_without_the_approved_par_sheet() -> None:
    jackpot = a_casino(pay_table=TRAY, rate="25", policy={"rate_rise": "refused"}).jackpot
    change = drafted(jackpot, rate="30")
    with pytest.raises(Refused, match=r"Keep the rate, or name the approved par sheet\."):
        sign(request_id=change.pk, approver=SecondPerson(two_people(jackpot.premises)[1]))
    named = drafted(jackpot, rate="30", par_sheet="PS-7")
    sign(request_id=named.pk, approver=SecondPerson(two_people(jackpot.premises)[1]))
