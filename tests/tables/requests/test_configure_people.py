"""Who signs other terms, what is refused at the draft, and what may count at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from jackpot.books.models.entry import Entry
from jackpot.configuring.actions import configure as asking
from jackpot.configuring.actions.configure import TermsWish
from jackpot.money import Money
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, refuse, sign
from jackpot.terms.models.terms_change import TermsChange
from tables.requests.actions import configure
from tables.rounds.queries.prove import prove
from tables.setup.actions.floor import TableDescription, alter_table
from tests.builders import a_jackpot, a_pay_table, a_person, a_property, a_sign, a_table
from tests.scenes_adjusting import approved as sign_adjustment
from tests.scenes_adjusting import asked
from tests.scenes_configure import AT_ONCE, approved, drafted, in_force, two_people
from tests.tables.hits.test_hit import Floor, ref_b

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def the_books_prove() -> Any:
    """Whatever a test did with the terms, every entry still adds up under the version it names."""
    yield
    verdict = prove()
    assert verdict.holds, verdict.plain()


def meter(floor: Floor) -> str:
    return floor.stands()[0]


class TestTwoPeople:
    def test_nobody_signs_what_they_asked_for(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        with pytest.raises(Refused, match="a second, different person"):
            sign(request_id=change.pk, approver=SecondPerson(two_people()[0]))

    def test_the_database_refuses_it_too(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        with pytest.raises(IntegrityError, match="request_of_two_people"), transaction.atomic():
            TermsChange.objects.filter(pk=change.pk).update(state="signed", decided_by=change.asked_by)

    def test_what_was_asked_for_never_changes(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        for altered in ({"terms": "{}"}, {"findings": ["other"]}, {"reason": "other"}):
            with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
                TermsChange.objects.filter(pk=change.pk).update(**altered)
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            change.delete()

    def test_it_takes_the_verb(self) -> None:
        jackpot = ref_b().casino.jackpot
        change = drafted(jackpot, rate="60")
        with pytest.raises(Refused, match="people who may configure"):
            sign(request_id=change.pk, approver=SecondPerson(a_person("auditor", may=("read_books",))))

    def test_a_refusal_keeps_its_reason_and_ends_it(self) -> None:
        change = drafted(ref_b().casino.jackpot, rate="60")
        asker, signer = two_people()
        with pytest.raises(Refused, match="withdraw it"):
            refuse(request_id=change.pk, reason="no", by=asker)
        refuse(request_id=change.pk, reason="too low", by=signer)
        with pytest.raises(Refused, match="was refused by"):
            sign(request_id=change.pk, approver=SecondPerson(signer))

    def test_without_a_preview_nobody_signs(self) -> None:
        jackpot = ref_b().casino.jackpot
        asker, signer = two_people()
        wish = TermsWish(configure.wished_terms(jackpot, {"rate": "60"}), "why not")
        change = configure.draft(jackpot=jackpot, wish=wish, by=asker)
        with pytest.raises(Refused, match="no preview yet"):
            sign(request_id=change.pk, approver=SecondPerson(signer))

    @pytest.mark.parametrize(
        ("code", "accepted_by"), [("house_loses", "executive"), ("seed_zero", ""), ("rates_over_100", "")]
    )
    def test_a_refusing_finding_blocks_and_some_are_an_executives_to_take(self, code: str, accepted_by: str) -> None:
        jackpot = ref_b().casino.jackpot
        asker, executive = two_people()
        wish = TermsWish(configure.wished_terms(jackpot, {"rate": "60"}), "why not")
        change = configure.draft(jackpot=jackpot, wish=wish, by=asker)
        finding = {"code": code, "weight": "refused", "why": "The house edge is −3.00 %."}
        asking.freeze_preview(change_id=change.pk, findings=[finding], figures=[], by=asker)
        with pytest.raises(Refused, match="house edge"):
            sign(request_id=change.pk, approver=SecondPerson(a_person("operator", may=("configure",))))
        if accepted_by:
            assert sign(request_id=change.pk, approver=SecondPerson(executive)).state == "signed"
        else:
            with pytest.raises(Refused, match="Draft other terms"):
                sign(request_id=change.pk, approver=SecondPerson(executive))

    def test_a_draft_that_stands_on_older_terms_is_drafted_anew(self) -> None:
        floor = ref_b(2)
        old = drafted(floor.casino.jackpot, rate="50")
        approved(floor.casino.jackpot, rate="60")
        floor.coin_in("1")
        floor.mark(1, "royal")
        floor.confirm()
        floor.card()
        with pytest.raises(Refused, match="Version 2 came into force since change 1 was drafted"):
            sign(request_id=old.pk, approver=SecondPerson(two_people()[1]))


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
        before = TermsChange.objects.count()
        with pytest.raises(Refused, match=why):
            drafted(floor.casino.jackpot, **changes)
        assert TermsChange.objects.count() == before

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
        facts = TableDescription(Money.of("1.00"), "uth")
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
                jackpot=jackpot, wish=TermsWish(configure.wished_terms(jackpot, {"rate": "60"}), "x"), by=stranger
            )


class TestAtOnce:
    def suspended(self, floor: Floor) -> None:
        asked_for = asked("suspend", floor.casino.jackpot, by="worried")
        sign_adjustment(asked_for, by="also worried")
        floor.casino.jackpot.refresh_from_db()

    def test_on_a_suspended_jackpot_with_an_entry_of_its_own(self) -> None:
        floor = ref_b()
        self.suspended(floor)
        change = approved(floor.casino.jackpot, AT_ONCE, rate="60", limit="30000.00")
        entry = Entry.objects.get(kind="configure")
        assert (change.state, change.activated_seq) == ("in_force", entry.seq)
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
