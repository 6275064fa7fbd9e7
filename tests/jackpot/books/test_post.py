from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from jackpot.books import events
from jackpot.books.actions.opening import open_jackpot
from jackpot.books.actions.post import EntryReference, lock, open_books
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules import movement
from jackpot.books.rules.seal import NO_SEAL_BEFORE, seal, sealed_line
from jackpot.money import Money
from jackpot.refusals import NotAllowed, NotAllowedNow
from tests.builders import a_jackpot, a_property, terms
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


def about(key: str, **facts: object) -> EntryReference:
    return EntryReference(key=key, request=bytes(32), **facts)  # type: ignore[arg-type]


def one_coin_in(jackpot: Jackpot, spots: int = 1, key: str = "UTH-01/1/1") -> Jackpot:
    with open_books([jackpot.id]) as books:
        books.coin_in(jackpot.id, spots, about(key, table_code="UTH-01", round_number=1))
    jackpot.refresh_from_db()
    return jackpot


class RoundNotWritten(Exception):
    """Something else of the act fails after the entry was decided."""


def post_and_fail(jackpot: Jackpot) -> None:
    with open_books([jackpot.id]) as books:
        books.coin_in(jackpot.id, 1, about("UTH-01/1/1"))
        raise RoundNotWritten


def post_nothing(jackpot: Jackpot, *abouts: EntryReference) -> None:
    with open_books([jackpot.id]) as books:
        for told in abouts:
            books.post(jackpot.id, "void", movement.NOTHING, told)


def opened() -> Jackpot:
    return open_jackpot(
        premises=a_property(), code="MINI", name="Mini", terms=terms(), requested_by="one", approved_by="two"
    )


def test_an_opening_is_entry_1_and_the_meter_its_seed() -> None:
    entry = opened().entries.get()
    assert (entry.seq, entry.kind, str(Money.of(entry.meter_after))) == (1, "opening", "10000.00")


def test_a_take_over_needs_two_people_and_evidence() -> None:
    from jackpot.books.actions.opening import Reading, take_over

    facts = {"premises": a_property(), "code": "OLD", "name": "Old", "terms": terms(), "requested_by": "one"}
    with pytest.raises(NotAllowed, match="two people"):
        take_over(**facts, reading=Reading(Money.of("1.00"), evidence="photo"), approved_by="one")
    with pytest.raises(NotAllowedNow, match="evidence"):
        take_over(**facts, reading=Reading(Money.of("1.00")), approved_by="two")
    assert not Jackpot.objects.filter(code="OLD").exists()


def test_coin_ins_are_numbered_without_a_gap_and_add_up() -> None:
    jackpot = opened()
    for number in range(5):
        one_coin_in(jackpot, key=f"UTH-01/{number}/1")
    assert list(jackpot.entries.values_list("seq", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert (str(jackpot.meter_money), str(Money.of(jackpot.reserve))) == ("10003.50", "0.25")


def test_v11_the_limit_holds_in_the_books_and_the_overflow_is_kept() -> None:
    jackpot = a_jackpot(meter="24999.50", limit="25000.00")
    for number in range(10):
        one_coin_in(jackpot, key=f"UTH-01/{number}/1")
    assert [str(Money.of(amount)) for amount in (jackpot.meter, jackpot.overflow, jackpot.reserve)] == [
        "25000.00", "6.50", "0.50",
    ]  # fmt: skip


def test_v2_three_coin_ins_at_17_33_percent_are_exact_in_the_books() -> None:
    jackpot = a_jackpot(rate="17.33", reserve_rate="0")
    for number in range(3):
        one_coin_in(jackpot, key=f"UTH-01/{number}/1")
    assert (str(jackpot.meter_money), str(jackpot.meter_money.shown())) == ("10000.5199", "10000.51")


def test_v19_one_act_posts_one_wager_to_two_levels() -> None:
    grand, mini = a_jackpot("GRAND", rate="60", reserve_rate="0"), a_jackpot("MINI", rate="10", reserve_rate="0")
    with open_books([mini.id, grand.id]) as books:
        for jackpot in (grand, mini):
            books.coin_in(jackpot.id, 1, about("UTH-01/1/1", table_code="UTH-01", round_number=1))
    grand.refresh_from_db()
    mini.refresh_from_db()
    assert [str(grand.meter_money), str(mini.meter_money)] == ["10000.60", "10000.10"]


def test_each_seal_holds_the_one_before_and_the_row_holds_the_last() -> None:
    jackpot = one_coin_in(opened())
    first, second = jackpot.entries.all()
    before = NO_SEAL_BEFORE
    for entry in (first, second):
        line = sealed_line(
            before=before, jackpot_code=jackpot.code, seq=entry.seq, kind=entry.kind, key=entry.key,
            occurred_at=entry.occurred_at, gaming_day=entry.gaming_day, table_code=entry.table_code,
            round_number=entry.round_number, win_id=entry.win_id, corrects=entry.corrects,
            version_digest=entry.version.digest, movement=entry.movement.columns(),
            after=entry.after.columns(), request=bytes(entry.request),
        )  # fmt: skip
        assert seal(line) == bytes(entry.seal)
        before = bytes(entry.seal)
    assert before == bytes(jackpot.seal)


def test_a_contra_restores_the_meter_and_names_what_it_corrects() -> None:
    jackpot = one_coin_in(opened(), spots=5)
    original = jackpot.entries.get(seq=2)
    with open_books([jackpot.id]) as books:
        books.contra(jackpot.id, "void", original.movement, about("void UTH-01/1/1", corrects=2))
    jackpot.refresh_from_db()
    assert (str(jackpot.meter_money), jackpot.entries.get(seq=3).corrects) == ("10000.00", 2)


def test_the_same_act_cannot_be_named_twice_nor_an_entry_corrected_twice() -> None:
    jackpot = one_coin_in(opened())
    for first, second in [(about("a"), about("a")), (about("b", corrects=2), about("c", corrects=2))]:
        with pytest.raises(IntegrityError), transaction.atomic():
            post_nothing(jackpot, first, second)


def test_what_fails_inside_the_books_writes_nothing() -> None:
    jackpot = opened()
    with pytest.raises(RoundNotWritten), transaction.atomic():
        post_and_fail(jackpot)
    assert jackpot.entries.count() == 1


def test_keys_arrive_as_they_were_said_whatever_signs_they_hold() -> None:
    jackpot = opened()
    awkward = 'a "b" \\ {c,d} NULL'
    one_coin_in(jackpot, key=awkward)
    assert jackpot.entries.get(seq=2).key == awkward


def test_time_never_goes_back_in_the_books() -> None:
    jackpot = opened()
    ahead = Entry.objects.get(jackpot=jackpot).occurred_at + timedelta(hours=1)
    tamper_with(Jackpot.objects.filter(id=jackpot.id), last_at=ahead)
    assert lock([jackpot.id])[jackpot.id].now == ahead


def test_meters_are_announced_once_after_the_commit(django_capture_on_commit_callbacks: object) -> None:
    jackpot, heard = opened(), []
    events.listen(heard.append)
    try:
        with django_capture_on_commit_callbacks(execute=True) as told, open_books([jackpot.id]) as books:  # type: ignore[operator]
            books.coin_in(jackpot.id, 1, about("UTH-01/1/1"))
            books.coin_in(jackpot.id, 1, about("UTH-01/2/1"))
            assert not heard
    finally:
        events.forget(heard.append)
    assert (len(told), heard) == (1, [frozenset({jackpot.id})])


def test_a_version_is_its_text_and_its_digest() -> None:
    version = Version.objects.get(jackpot=opened())
    assert (version.digest_found(), version.value.digest) == (version.digest, version.digest)
