"""Other terms under real threads on real PostgreSQL: one version waits, and the batch obeys a new one at once."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign
from jackpot.terms.models.terms_change import TermsChange
from tables.rounds.rules.round import EndRequest
from tests.builders import a_person
from tests.patience import PATIENCE, until
from tests.races.test_books import at_once
from tests.races.test_floor_changes_races import somebody_waits, undecided
from tests.races.test_win_races import holds, side_by_side, tried
from tests.scenes_configure import AT_ONCE, drafted, two_people
from tests.tables.hits.test_hit import Floor, ref_b
from tests.tables.requests.test_terms_told import asks, other_terms, told

pytestmark = pytest.mark.race


def test_two_people_sign_in_the_same_instant_and_one_version_is_made(fresh_database: str) -> None:
    floor = ref_b()
    signers = [two_people()[1], a_person("third", may=("configure", "override"))]
    for number in range(10):
        change = drafted(floor.casino.jackpot, seed=f"1{number}500.00")
        heard = side_by_side(
            *(partial(tried, sign, request_id=change.pk, approver=SecondPerson(each)) for each in signers)
        )
        assert sorted(isinstance(each, Refused) for each in heard) == [False, True]
    assert Version.objects.count() == 11
    assert TermsChange.objects.filter(state="signed").count() == 1
    assert holds(floor)


def test_two_changes_signed_in_the_same_instant_leave_one_that_waits(fresh_database: str) -> None:
    floor = ref_b()
    signer = two_people()[1]
    changes = [drafted(floor.casino.jackpot, rate=rate) for rate in ("50", "60")]
    side_by_side(*(partial(tried, sign, request_id=each.pk, approver=SecondPerson(signer)) for each in changes))
    assert sorted(TermsChange.objects.values_list("state", flat=True)) == ["replaced", "signed"]
    assert sorted(Version.objects.values_list("number", flat=True)) == [1, 2, 3]
    assert holds(floor)


def test_two_who_finish_the_last_two_notices_at_once_let_the_terms_go_on(fresh_database: str) -> None:
    """Each asked before the other's note was committed whether one was left, and the terms waited for ever."""
    floor = ref_b(2)
    asks(to=("casino accounting", "the regulator"))
    change = other_terms(floor)
    met: list[BaseException] = []
    other = threading.Thread(target=lambda: met.extend(at_once(lambda _: told("the regulator", 2), 1)))
    with undecided(told):
        other.start()
        until(lambda: somebody_waits() or not other.is_alive(), "the second one is at the jackpot, or through")
    other.join(PATIENCE)
    assert met == []
    change.refresh_from_db()
    assert (change.not_told, change.waits_for) == (False, "the next reset")
    assert holds(floor)


def test_a_version_signed_in_the_instant_of_the_award_is_whole_or_waits(fresh_database: str) -> None:
    floor = ref_b(2)
    signer = two_people()[1]
    for number in range(8):
        change = drafted(floor.casino.jackpot, seed=f"1{number}500.00", rate=str(50 + number))
        floor.coin_in("1")
        floor.mark(1, "royal")
        floor.confirm()
        side_by_side(floor.card, partial(tried, sign, request_id=change.pk, approver=SecondPerson(signer)))
        change.refresh_from_db()
        assert change.state in {"signed", "in_force", "previewed"}  # the last: it stood on terms just replaced
        end(floor, 0)
        assert holds(floor)


def test_coin_ins_that_wait_for_the_lock_obey_the_version_that_came_meanwhile(fresh_database: str) -> None:
    floor = ref_b(2, limit="20001.00")
    floor.casino.premises.raise_limit_at_once = True
    floor.casino.premises.save()
    for limit in range(20_020, 20_200, 20):
        change = drafted(floor.casino.jackpot, AT_ONCE, limit=f"{limit}.00")
        side_by_side(
            partial(play, floor, 0, 6), partial(play, floor, 1, 6),
            partial(sign, request_id=change.pk, approver=SecondPerson(two_people()[1])),
        )  # fmt: skip
    rows = Entry.objects.order_by("seq").values_list("kind", "version__number")
    named = [number for _, number in rows]
    assert named == sorted(named)
    assert [number for kind, number in rows if kind == "configure"] == list(range(2, 11))
    assert holds(floor)


def play(floor: Floor, table: int, rounds: int) -> None:
    for _ in range(rounds):
        floor.coin_in("1234567", table)
        end(floor, table)


def end(floor: Floor, table: int) -> None:
    floor.say(EndRequest(floor.rounds[table]), table)
