"""Other terms on real books: V10 and what the rule sheet says around it."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.adjusting.actions.back_out import back_out
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Version
from jackpot.money import Money
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign, withdraw
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.hits.actions import key
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import EndRequest
from tables.signs.queries import standings
from tests.builders import a_pay_table
from tests.hands import with_cards
from tests.scenes_configure import approved, drafted, in_force, two_people
from tests.tables.hits.test_hit import Floor, amounts, fixed_by_key, key_floor, ref_b

pytestmark = pytest.mark.django_db

TWENTY = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "SF", "part": "1/5"},
]


@pytest.fixture(autouse=True)
def the_books_prove() -> Any:
    """Whatever a test did with the terms, every entry still adds up under the version it names."""
    yield
    verdict = prove()
    assert verdict.holds, verdict.plain()


def royal(floor: Floor, table: int = 0, seat: int = 1, hand: str = "royal") -> dict[str, Any]:
    """A coin-in, a hit, an executive's card."""
    floor.coin_in(str(seat), table)
    floor.mark(seat, hand, table)
    floor.confirm(table)
    answer = floor.card(table=table)
    floor.say(EndRequest(floor.rounds[table]), table)
    return answer


def undone(win_number: int) -> Win:
    people = dict(zip(("requested_by", "approved_by"), two_people(), strict=True))
    win = Win.objects.get(number=win_number)
    return back_out(win_id=win.pk, reason="misdeal", evidence="camera 7", differences_seen=True, **people)


def versions_named(floor: Floor) -> list[int]:
    rows = Entry.objects.filter(jackpot=floor.casino.jackpot).order_by("seq").select_related("version")
    return [entry.version.number for entry in rows]


def meter(floor: Floor) -> str:
    return floor.stands()[0]


class TestV10:
    def test_a_rate_asked_for_while_live_counts_from_the_reset_on(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, rate="60", seed="12000.00")
        floor.coin_ins(100)
        assert (meter(floor), in_force(floor.casino.jackpot)) == ("20070.00", 1)
        assert amounts(royal(floor)) == [(1, "20070.70")]
        assert in_force(floor.casino.jackpot) == 2
        # the new seed and the reserve as it stood at the mark: 617.25 + 101 × 0.05
        assert floor.stands() == ("12622.30", "0.00")
        floor.coin_ins(100)
        assert floor.stands() == ("12682.30", "5.00")

    def test_the_award_is_the_first_entry_that_names_the_new_terms(self) -> None:
        floor = ref_b(2)
        change = approved(floor.casino.jackpot, rate="60")
        royal(floor)
        award = Entry.objects.get(kind="award")
        change.refresh_from_db()
        assert (change.state, change.activated_seq) == ("in_force", award.seq)
        named = versions_named(floor)
        assert (set(named[: award.seq - 1]), set(named[award.seq - 1 :])) == ({1}, {2})

    def test_a_part_of_the_meter_activates_nothing(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, rate="60")
        royal(floor, hand="five")
        assert in_force(floor.casino.jackpot) == 1

    def test_the_new_limit_applies_to_the_reseed(self) -> None:
        floor = ref_b(2, limit="25000.00")
        approved(floor.casino.jackpot, seed="20500.00", limit="21000.00")
        royal(floor)
        floor.casino.jackpot.refresh_from_db()
        assert meter(floor) == "21000.00"
        assert str(Money(floor.casino.jackpot.balances.overflow)) == "117.30"

    def test_a_hit_is_judged_by_the_terms_of_its_rounds_coin_in(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, seed="12000.00", pay_table=a_pay_table(lines=TWENTY).plain())
        floor.coin_in("4", 1)  # under version 1, which pays a straight flush a tenth
        royal(floor)
        floor.mark(4, "straight_flush", 1)
        floor.confirm(1)
        assert amounts(floor.card(table=1)) == [(4, "1261.74")]  # a tenth of 12,617.35, by version 1
        floor.say(EndRequest(floor.rounds[1]), 1)
        floor.coin_in("4", 1)
        floor.mark(4, "straight_flush", 1)
        floor.confirm(1)
        assert amounts(floor.card(table=1)) == [(4, "2271.26")]  # a fifth of 11,356.31, by version 2

    def test_a_hand_that_only_the_old_pay_table_has_can_still_be_marked_in_its_round(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, pay_table=a_pay_table(lines=TWENTY).plain())
        floor.coin_in("4", 1)
        royal(floor)
        assert floor.mark(4, "five", 1)["marks"][0]["hand"] == "five"

    def test_lower_rows_of_the_same_round_count_from_the_new_seed(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, seed="12000.00")
        floor.coin_in("26")
        floor.mark(6, "royal")
        floor.mark(2, "straight_flush")
        floor.confirm()
        assert amounts(floor.card()) == [(6, "20001.40"), (2, "1261.74")]

    def test_two_resets_in_one_round_activate_once(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, seed="12000.00")
        floor.coin_in("26")
        floor.mark(6, "royal")
        floor.mark(2, "royal")
        floor.confirm()
        assert amounts(floor.card()) == [(6, "20001.40"), (2, "12617.35")]
        assert floor.stands() == ("12000.00", "0.00")

    def test_a_hit_of_old_terms_that_resets_later_posts_the_seed_in_force(self) -> None:
        floor = ref_b(2)
        floor.coin_in("4", 1)
        approved(floor.casino.jackpot, seed="12000.00")
        royal(floor)
        floor.mark(4, "royal", 1)
        floor.confirm(1)
        floor.card(table=1)
        assert meter(floor) == "12000.00"

    def test_between_j_pot_and_run_the_reset_is_fixed(self) -> None:
        floor = key_floor()
        jackpot = floor.casino.jackpot
        waits = approved(jackpot, seed="12000.00")
        late = drafted(jackpot, seed="13000.00")
        floor.coin_in("1")
        floor.mark(1, "royal")
        key.turn(table_code="UTH-01", key_number="17", position="JPH")
        with_cards(table_code="UTH-01", round_number=1)
        fixed_by_key(floor)
        for act in (
            lambda: sign(request_id=late.pk, approver=SecondPerson(two_people()[1])),
            lambda: withdraw(request_id=waits.pk, reason="no", by=two_people()[0]),
        ):
            with pytest.raises(Refused, match="Turn its key to RUN first"):
                act()
        key.turn(table_code="UTH-01", key_number="17", position="RUN")
        assert meter(floor) == "12617.25"

    def test_a_recount_after_the_reset_is_a_coin_in_by_the_new_terms(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, rate="60")
        number = floor.coin_in("4", 1)
        royal(floor)
        before = Money.of(meter(floor))
        recount_round(table_code="UTH-02", round_number=number, seats="45", spots="", by="Test Supervisor")
        assert str(Money.of(meter(floor)) - before) == "0.50"  # −0.70 + 2 × 0.60

    def test_a_round_counted_under_old_terms_is_voided_exactly(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, rate="60")
        number = floor.coin_in("45", 1)
        royal(floor)
        before = Money.of(meter(floor))
        void_round(table_code="UTH-02", round_number=number, reason="shuffler malfunction", by="Test Supervisor")
        assert str(Money.of(meter(floor)) - before) == "-1.40"


class TestBackOut:
    def test_the_older_version_is_in_force_again_and_the_newer_waits(self) -> None:
        floor = ref_b(2)
        change = approved(floor.casino.jackpot, rate="60", seed="12000.00")
        royal(floor)
        floor.coin_ins(10)
        undone(1)
        change.refresh_from_db()
        assert (in_force(floor.casino.jackpot), change.state, change.activated_seq) == (1, "signed", None)
        assert meter(floor) == "20006.70"  # 20,000.70 and ten coin-ins that were made at 60 %
        floor.coin_ins(10)
        assert meter(floor) == "20013.70"

    def test_the_next_reset_activates_it_anew(self) -> None:
        floor = ref_b(2)
        approved(floor.casino.jackpot, seed="12000.00")
        royal(floor)
        undone(1)
        royal(floor)
        assert (in_force(floor.casino.jackpot), meter(floor)) == (2, "12617.35")

    def test_the_old_limit_judges_what_comes_back(self) -> None:
        floor = ref_b(2, limit="30000.00")
        approved(floor.casino.jackpot, limit="20500.00", seed="20400.00")
        royal(floor)
        undone(1)
        assert meter(floor) == "20000.70"

    def test_a_version_that_came_later_stays_in_force(self) -> None:
        floor = ref_b(2)
        jackpot = floor.casino.jackpot
        first = approved(jackpot, seed="12000.00")
        royal(floor)
        second = approved(jackpot, seed="13000.00")
        royal(floor)
        undone(1)
        first.refresh_from_db()
        assert (in_force(jackpot), first.state) == (3, "replaced")
        undone(2)
        second.refresh_from_db()
        assert (in_force(jackpot), second.state) == (1, "signed")

    def test_a_newer_version_that_waits_goes_on_waiting(self) -> None:
        floor = ref_b(2)
        jackpot = floor.casino.jackpot
        first = approved(jackpot, seed="12000.00")
        royal(floor)
        second = approved(jackpot, seed="13000.00")
        undone(1)
        first.refresh_from_db()
        second.refresh_from_db()
        assert (in_force(jackpot), first.state, second.state) == (1, "replaced", "signed")


class TestOneWaits:
    def test_a_second_approved_one_replaces_the_first_which_stays_in_the_history(self) -> None:
        floor = ref_b(2)
        first = approved(floor.casino.jackpot, seed="12000.00")
        approved(floor.casino.jackpot, seed="13000.00")
        first.refresh_from_db()
        assert first.state == "replaced"
        royal(floor)
        assert (in_force(floor.casino.jackpot), meter(floor)) == (3, "13617.30")
        assert Version.objects.filter(jackpot=floor.casino.jackpot).count() == 3

    def test_what_waits_can_be_withdrawn_by_one_person(self) -> None:
        floor = ref_b(2)
        waits = approved(floor.casino.jackpot, seed="12000.00")
        withdraw(request_id=waits.pk, reason="the regulator asked to wait", by=two_people()[1])
        royal(floor)
        assert (in_force(floor.casino.jackpot), meter(floor)) == (1, "10617.30")


def test_what_a_sign_promises_while_verifying_follows_the_seed_that_waits() -> None:
    floor = ref_b()
    change = drafted(floor.casino.jackpot, seed="12000.00")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    grand = floor.casino.jackpot.pk
    before = standings([grand])[grand].promised
    sign(request_id=change.pk, approver=SecondPerson(two_people()[1]))
    assert str(standings([grand])[grand].promised - before) == "2000.00"


def test_the_trail_tells_the_whole_way() -> None:
    floor = ref_b()
    approved(floor.casino.jackpot, seed="12000.00")
    royal(floor)
    acts = list(Trail.objects.filter(subject="GRAND").order_by("id").values_list("act", flat=True))
    assert acts[-4:] == ["draft_version", "preview_version", "approve_version", "version_in_force"]
