"""Other terms wait until whoever the house has to tell of them was told, where its switch says so."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.house_rules import declare_notice
from jackpot.notices.actions.finishing import finish_notice
from jackpot.notices.models import Notice
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign, withdraw
from jackpot.terms.models.terms_change import TermsChange
from jackpot.trail.models import Trail
from tables.hits.actions import key
from tables.rounds.queries.prove import prove
from tables.signs.queries import standings
from tests.builders import a_person, a_role
from tests.hands import with_cards
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import by_others
from tests.scenes_configure import AT_ONCE, approved, drafted, in_force, two_people
from tests.tables.hits.test_hit import Floor, amounts, fixed_by_key, key_floor, ref_b
from tests.tables.requests.test_configure import royal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def the_books_prove() -> Any:
    yield
    verdict = prove()
    assert verdict.holds, verdict.plain()


def asks(*, switch: bool = True, to: tuple[str, ...] = ("casino accounting",)) -> None:
    house = Property.objects.get()
    Property.objects.update(terms_wait_for_notice=switch)
    a_role("accountant", "close_day", "read_books", "configure")
    for name in to:
        declare_notice(
            premises=house, rule=NoticeRule(date(2026, 1, 1), NoticeAbout.TERMS, name, "accountant", 24), by="tests"
        )


def told(to: str = "casino accounting", number: int = 1) -> None:
    ann = a_person(f"ann{number}", roles=["accountant"])
    finish_notice(notice_id=Notice.objects.get(to=to).pk, by=ann, note="by letter 12")


def other_terms(floor: Floor, **more: Any) -> TermsChange:
    return approved(floor.casino.jackpot, **{"rate": "60", "seed": "12000.00", **more})


def test_a_reset_before_the_notice_leaves_the_terms_and_the_one_after_it_changes_them() -> None:
    floor = ref_b(2)
    asks()
    change = other_terms(floor)
    assert (change.state, change.not_told, change.waits_for) == ("signed", True, "its notice, then for the next reset")
    royal(floor)
    assert (in_force(floor.casino.jackpot), floor.stands()[0]) == (1, "10617.30")  # 10,000 of the old terms and reserve
    told()
    change.refresh_from_db()
    assert (change.state, change.waits_for) == ("signed", "the next reset")
    royal(floor)
    assert (in_force(floor.casino.jackpot), floor.stands()[0]) == (2, "12000.05")


def test_without_the_switch_or_without_a_rule_nobody_is_waited_for() -> None:
    floor = ref_b(2)
    asks(switch=False)
    other_terms(floor)
    royal(floor)
    assert in_force(floor.casino.jackpot) == 2


def test_a_house_with_the_switch_and_no_rule_waits_for_nobody() -> None:
    floor = ref_b(2)
    asks(to=())
    assert not other_terms(floor).not_told


def test_all_who_are_named_must_have_been_told() -> None:
    floor = ref_b(2)
    asks(to=("casino accounting", "the regulator"))
    other_terms(floor)
    told()
    royal(floor)
    assert in_force(floor.casino.jackpot) == 1
    told("the regulator", 2)
    royal(floor)
    assert in_force(floor.casino.jackpot) == 2


def test_what_should_count_at_once_counts_with_the_notice() -> None:
    floor = ref_b(2)
    asks()
    by_others("suspend", floor.casino.jackpot)
    change = other_terms(floor, how=AT_ONCE)
    assert (in_force(floor.casino.jackpot), change.waits_for) == (1, "its notice")
    told()
    assert in_force(floor.casino.jackpot) == 2
    assert Trail.objects.filter(act="version_in_force").exists()


def test_what_should_count_at_once_waits_for_the_reset_when_the_jackpot_plays_again() -> None:
    floor = ref_b(2)
    asks()
    by_others("suspend", floor.casino.jackpot)
    change = other_terms(floor, how=AT_ONCE)
    by_others("resume", floor.casino.jackpot)
    told()
    change.refresh_from_db()
    assert (change.state, change.waits_for, in_force(floor.casino.jackpot)) == ("signed", "the next reset", 1)
    royal(floor)
    assert in_force(floor.casino.jackpot) == 2


def test_nobody_is_told_between_j_pot_and_run_while_the_reset_is_fixed() -> None:
    floor = key_floor()
    asks()
    other_terms(floor)
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    fixed_by_key(floor)
    with pytest.raises(Refused, match="Turn its key to RUN first"):
        told()
    assert Notice.objects.get().done_at is None


def test_a_sign_promises_the_new_seed_only_when_the_reset_would_post_it() -> None:
    floor = ref_b(2)
    asks()
    change = drafted(floor.casino.jackpot, seed="12000.00")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    grand = floor.casino.jackpot.pk
    before = standings([grand])[grand].promised
    sign(request_id=change.pk, approver=SecondPerson(two_people()[1]))
    assert standings([grand])[grand].promised == before
    told()
    assert str(standings([grand])[grand].promised - before) == "2000.00"
    assert amounts(floor.card()) == [(1, "20000.70")]
    assert floor.stands()[0] == "12617.30"


def test_terms_that_were_withdrawn_wait_for_nobody() -> None:
    floor = ref_b(2)
    asks()
    change = other_terms(floor)
    withdraw(request_id=change.pk, reason="a mistake", by=two_people()[0])
    told()
    royal(floor)
    assert in_force(floor.casino.jackpot) == 1


def test_page_and_api_say_for_whom_they_wait() -> None:
    floor = ref_b(2)
    asks()
    change = drafted(floor.casino.jackpot, rate="60")
    client = signed_in("configure", "read_books", username="looker")
    page = client.get(f"/office/requests/{change.pk}/").content.decode()
    assert "Once signed it waits until casino accounting was told." in page
    sign(request_id=change.pk, approver=SecondPerson(two_people()[1]))
    page = client.get(f"/office/requests/{change.pk}/").content.decode()
    assert "waits for its notice, then for the next reset" in page
    assert "Casino accounting is told by" in page
    row = client.get("/api/v1/jackpots/GRAND/changes/1/").json()
    assert row["waits_for"] == "notice"
    told()
    assert client.get("/api/v1/jackpots/GRAND/changes/1/").json()["waits_for"] == "next_reset"
    assert Jackpot.objects.get().version_id == change.stands_on_id
