"""Other terms on real books: V10 and what the rule sheet says around it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from jackpot.actions import configure as asking
from jackpot.actions.configure import Wish
from jackpot.actions.refusals import Refused
from jackpot.actions.win.back_out import back_out
from jackpot.models import Change, Entry, JackpotState, Trail, Version, Win
from jackpot.money import Money
from tables.actions import configure, key
from tables.actions.floor import TableFacts, alter_table
from tables.actions.prove import prove
from tables.actions.undo import recount_round, void_round
from tables.rules.round import AskEnd
from tests.builders import a_jackpot, a_pay_table, a_person, a_property, a_sign, a_table
from tests.scenes_configure import AT_ONCE, approved, drafted, in_force, two_people
from tests.tables.actions.test_hit import Floor, amounts, key_floor, ref_b

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
    floor.say(AskEnd(floor.rounds[table]), table)
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
        assert (change.state, change.activated_seq) == ("activated", award.seq)
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
        floor.say(AskEnd(floor.rounds[1]), 1)
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
        key.j_pot(table_code="UTH-01")
        for act in (
            lambda: configure.approve(change=late, by=two_people()[1]),
            lambda: configure.withdraw(change=waits, why="no", by=two_people()[0]),
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
        assert (in_force(floor.casino.jackpot), change.state, change.activated_seq) == (1, "waiting", None)
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
        assert (in_force(jackpot), second.state) == (1, "waiting")

    def test_a_newer_version_that_waits_goes_on_waiting(self) -> None:
        floor = ref_b(2)
        jackpot = floor.casino.jackpot
        first = approved(jackpot, seed="12000.00")
        royal(floor)
        second = approved(jackpot, seed="13000.00")
        undone(1)
        first.refresh_from_db()
        second.refresh_from_db()
        assert (in_force(jackpot), first.state, second.state) == (1, "replaced", "waiting")


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
        configure.withdraw(change=waits, why="the regulator asked to wait", by=two_people()[1])
        royal(floor)
        assert (in_force(floor.casino.jackpot), meter(floor)) == (1, "10617.30")


class TestTwoPeople:
    def test_nobody_signs_what_they_asked_for(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        with pytest.raises(Refused, match="a second, different person"):
            configure.approve(change=change, by=two_people()[0])

    def test_the_database_refuses_it_too(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        with pytest.raises(IntegrityError, match="change_of_two_people"), transaction.atomic():
            Change.objects.filter(pk=change.pk).update(state="waiting", decided_by=change.asked_by)

    def test_what_was_asked_for_never_changes(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        for altered in ({"terms": "{}"}, {"findings": ["other"]}, {"reason": "other"}):
            with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
                Change.objects.filter(pk=change.pk).update(**altered)
        with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
            change.delete()

    def test_it_takes_the_verb(self) -> None:
        jackpot = ref_b().casino.jackpot
        change = drafted(jackpot, rate="60")
        with pytest.raises(Refused, match="people who may configure"):
            configure.approve(change=change, by=a_person("auditor", may=("read_books",)))

    def test_a_refusal_keeps_its_reason_and_ends_it(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        asker, signer = two_people()
        with pytest.raises(Refused, match="withdraw it"):
            asking.refuse(change_id=change.pk, why="no", by=asker)
        asking.refuse(change_id=change.pk, why="too low", by=signer)
        with pytest.raises(Refused, match="is refused"):
            configure.approve(change=change, by=signer)

    def test_without_a_preview_nobody_signs(self) -> None:
        jackpot = ref_b().casino.jackpot
        asker, signer = two_people()
        wish = Wish(configure.wished_terms(jackpot, {"rate": "60"}), "why not")
        change = configure.draft(jackpot=jackpot, wish=wish, by=asker)
        with pytest.raises(Refused, match="no preview yet"):
            configure.approve(change=change, by=signer)

    @pytest.mark.parametrize(
        ("code", "accepted_by"), [("house_loses", "executive"), ("seed_zero", ""), ("rates_over_100", "")]
    )
    def test_a_refusing_finding_blocks_and_some_are_an_executives_to_take(self, code: str, accepted_by: str) -> None:
        jackpot = ref_b().casino.jackpot
        asker, executive = two_people()
        wish = Wish(configure.wished_terms(jackpot, {"rate": "60"}), "why not")
        change = configure.draft(jackpot=jackpot, wish=wish, by=asker)
        finding = {"code": code, "weight": "refused", "why": "The house edge is −3.00 %."}
        asking.freeze_preview(change_id=change.pk, findings=[finding], figures=[], by=asker)
        with pytest.raises(Refused, match="house edge"):
            configure.approve(change=change, by=a_person("operator", may=("configure",)))
        if accepted_by:
            assert configure.approve(change=change, by=executive).state == "waiting"
        else:
            with pytest.raises(Refused, match="Draft other terms"):
                configure.approve(change=change, by=executive)

    def test_a_draft_that_stands_on_older_terms_is_drafted_anew(self) -> None:
        floor = ref_b(2)
        old = drafted(floor.casino.jackpot, rate="50")
        approved(floor.casino.jackpot, rate="60")
        royal(floor)
        with pytest.raises(Refused, match="Version 2 came into force since change 1 was drafted"):
            configure.approve(change=old, by=two_people()[1])


class TestRefusedAtDraft:
    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"seed": "0"}, "must be above zero"),
            ({"rate": "96", "reserve_rate": "5"}, "more than 100 %"),
            ({"limit": "20000.00"}, "not above the present meter 20000.00"),
            ({"limit": "15000.00"}, "below the present meter"),
            ({"rate": "70"}, "Change at least one"),
            ({"colour": "red"}, "not a term of a jackpot"),
            ({"policy": {"freeze": "never"}}, "cannot be “never”"),
            ({"rate": ["70"]}, "percentage|cannot be read"),
            ({"wager": "2.00"}, "UTH-01 takes a wager of 1.00, but GRAND counts wagers of 2.00"),
            ({"digits": 0}, "another currency"),
        ],
    )
    def test_each_with_the_sentence_that_names_it(self, changes: dict[str, Any], why: str) -> None:
        floor = ref_b()
        before = Change.objects.count()
        with pytest.raises(Refused, match=why):
            drafted(floor.casino.jackpot, **changes)
        assert Change.objects.count() == before

    def test_a_limit_equal_to_the_meter_is_a_switch(self) -> None:
        floor = ref_b()
        floor.casino.premises.limit_may_equal_meter = True
        floor.casino.premises.save()
        assert drafted(floor.casino.jackpot, limit="20000.00").state == "previewed"

    def test_jackpots_of_one_table_must_still_agree_also_with_what_waits(self) -> None:
        floor = ref_b(1, reserve="0.00", reserve_rate="0")
        mini = a_jackpot("MINI", meter="500.00", seed="100.00", rate="10", reserve_rate="0", pay_table=a_pay_table(
            lines=[{"code": "royal", "name": "Royal flush", "part": "1"}]))  # fmt: skip
        grand = floor.casino.jackpot
        a_table("UTH-09", grand, mini)
        with pytest.raises(Refused, match=r"UTH-09: one wager would give 105 %.*GRAND 95 % \+ MINI 10 %"):
            drafted(grand, rate="95")
        approved(grand, rate="85")  # waits: in force are still 70 %
        with pytest.raises(Refused, match=r"GRAND 85 % \+ MINI 25 %"):
            drafted(mini, rate="25")

    def test_a_table_is_not_linked_to_terms_that_wait_and_would_not_agree(self) -> None:
        floor = ref_b(1, reserve="0.00", reserve_rate="0")
        mini = a_jackpot("MINI", meter="500.00", seed="100.00", rate="10", reserve_rate="0", pay_table=a_pay_table(
            lines=[{"code": "royal", "name": "Royal flush", "part": "1"}]))  # fmt: skip
        approved(mini, rate="40")
        facts = TableFacts(Money.of("1.00"), "uth")
        with pytest.raises(Refused, match=r"GRAND 70 % \+ MINI 40 %"):
            alter_table(table=floor.casino.table, facts=facts, jackpots=[floor.casino.jackpot, mini], by="tests")

    def test_a_limit_wider_than_a_sign_is_refused_and_names_it(self) -> None:
        floor = ref_b()
        a_sign("WALL", floor.casino.jackpot, digits=7)
        with pytest.raises(Refused, match="Sign WALL shows 7 digits"):
            drafted(floor.casino.jackpot, limit="250000.00")

    def test_of_another_house_there_is_nothing(self) -> None:
        jackpot = ref_b().casino.jackpot
        stranger = a_person("stranger", may=("configure",), premises=a_property("OTHER"))
        with pytest.raises(Refused, match="no such jackpot"):
            configure.draft(
                jackpot=jackpot, wish=Wish(configure.wished_terms(jackpot, {"rate": "60"}), "x"), by=stranger
            )


class TestAtOnce:
    def suspended(self, floor: Floor) -> None:
        floor.casino.jackpot.state = JackpotState.SUSPENDED
        floor.casino.jackpot.save(update_fields=["state"])

    def test_on_a_suspended_jackpot_with_an_entry_of_its_own(self) -> None:
        floor = ref_b()
        self.suspended(floor)
        change = approved(floor.casino.jackpot, AT_ONCE, rate="60", limit="30000.00")
        entry = Entry.objects.get(kind="configure")
        assert (change.state, change.activated_seq) == ("activated", entry.seq)
        assert (in_force(floor.casino.jackpot), entry.version.number, meter(floor)) == (2, 2, "20000.00")

    def test_on_an_open_jackpot_it_is_refused_with_the_cure(self) -> None:
        with pytest.raises(Refused, match=r"GRAND is open\. Suspend it first, or let the change wait"):
            drafted(ref_b().casino.jackpot, AT_ONCE, rate="60")

    @pytest.mark.parametrize(
        ("allowed", "changes", "counts"),
        [
            (True, {"limit": "40000.00"}, True),
            (True, {"limit": None}, True),
            (False, {"limit": "40000.00"}, False),
            (True, {"limit": "25000.00"}, False),
            (True, {"limit": "40000.00", "rate": "60"}, False),
        ],
    )
    def test_raising_a_limit_where_policy_allows(self, allowed: bool, changes: dict[str, Any], counts: bool) -> None:
        floor = ref_b(2, limit="30000.00")
        floor.casino.premises.raise_limit_at_once = allowed
        floor.casino.premises.save()
        if not counts:
            with pytest.raises(Refused, match="Suspend it first"):
                drafted(floor.casino.jackpot, AT_ONCE, **changes)
            return
        approved(floor.casino.jackpot, AT_ONCE, **changes)
        assert in_force(floor.casino.jackpot) == 2
        floor.coin_ins(10)
        assert meter(floor) == "20007.00"

    def test_while_a_hit_is_open_it_is_refused(self) -> None:
        floor = ref_b()
        floor.coin_in("1")
        floor.mark(1, "five")
        self.suspended(floor)
        with pytest.raises(Refused, match=r"Five percent at UTH-01 is open on GRAND\. Settle it first"):
            drafted(floor.casino.jackpot, AT_ONCE, rate="60")

    def test_it_takes_the_place_of_what_waits(self) -> None:
        floor = ref_b()
        waits = approved(floor.casino.jackpot, seed="12000.00")
        self.suspended(floor)
        approved(floor.casino.jackpot, AT_ONCE, seed="13000.00")
        waits.refresh_from_db()
        assert (waits.state, in_force(floor.casino.jackpot)) == ("replaced", 3)


def test_what_a_sign_promises_while_verifying_follows_the_seed_that_waits() -> None:
    floor = ref_b()
    change = drafted(floor.casino.jackpot, seed="12000.00")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    win = Win.objects.get()
    before = Money.of(win.paper["meter_moves"])
    configure.approve(change=change, by=two_people()[1])
    win.refresh_from_db()
    assert str(Money.of(win.paper["meter_moves"]) - before) == "2000.00"


def test_the_trail_tells_the_whole_way() -> None:
    floor = ref_b()
    approved(floor.casino.jackpot, seed="12000.00")
    royal(floor)
    acts = list(Trail.objects.filter(subject="GRAND").order_by("id").values_list("act", flat=True))
    assert acts[-4:] == ["draft_version", "preview_version", "approve_version", "version_in_force"]
