"""A supervisor's word on coin-ins that were kept back: accepted they raise the meters, refused they never do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction

from jackpot.books import events
from jackpot.books.actions.post import Books, BooksDiffer, open_books
from jackpot.money import ZERO, Money, units_of
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.presence import CardSource, card_with_pin, hold_card, too_low
from jackpot.people.models import Card, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record, second_person
from jackpot.trail.rules import objects
from tables.floor.models.table import Table
from tables.rounds.actions.wagered import about_coin_in
from tables.rounds.models.kept_back import KeptBack, KeptState
from tables.rounds.models.round import Round, RoundEntry, RoundState
from tables.rounds.queries.kept_back import accepted_alone
from tables.rounds.queries.played import fetch_further
from tables.rounds.rules.pace import takes_two

AT_ONCE: Final = 5_000  # rounds; a longer list takes a second word


@dataclass(frozen=True, slots=True)
class DecidedKept:
    """What was decided, for whoever did it."""

    rounds: int
    total: Money
    left: int

    def sentence(self, accepted: bool) -> str:
        words = "raised the meters" if accepted else "raise no meter"
        more = f" {self.left} more wait." if self.left else ""
        return f"{self.rounds} rounds with chips of {self.total} {words}.{more}"


@transaction.atomic
def decide_kept_back(
    *, table_code: str, accept: bool, by: Operator, why: str, upto: int | None = None, second: Card | None = None
) -> DecidedKept:
    """All that waits at a table, or up to a round. What is accepted is posted now, by the terms in force now.

    The jackpots are those that the table fed when it was played. Beyond what a table deals in ten minutes, or one
    person accepts at all tables, a gaming day, accepting takes `second`: the card of who has shown to be there.
    """
    if not why.strip():
        raise NotUnderstood("Say why: the reason stands in the trail with your name.", "reason")
    table = Table.objects.filter(code=table_code).first()
    if table is None:
        raise NotFound(f"There is no table {table_code} here.", "no_table")
    waiting = KeptBack.objects.filter(table=table, state=KeptState.WAITING)
    if upto is not None:
        waiting = waiting.filter(number__lte=upto)
    fed = {id_ for ids in waiting.values_list("jackpots", flat=True)[:AT_ONCE] for id_ in ids}
    with open_books(fed) as books:
        kept = list(waiting.select_for_update().order_by("number")[:AT_ONCE])  # as they stand behind the lock
        if not kept:
            raise NotAllowedNow(f"Nothing is kept back at {table_code}. Somebody else may have decided.", "none_kept")
        if not {id_ for each in kept for id_ in each.jackpots} <= books.heads.keys():
            raise NotAllowedNow("More was kept back at this moment. Look again, then repeat.", "look_again")
        rounds = Round.objects.select_for_update(no_key=True).in_bulk([(table.pk, each.number) for each in kept])
        state, now = KeptState.ACCEPTED if accept else KeptState.REFUSED, next(iter(books.heads.values())).now
        _check_people(table, len(kept) if accept else 0, by, second, now)
        if accept:
            _post(books, table, kept, rounds)
        numbers = [each.number for each in kept]
        KeptBack.objects.filter(pk__in=[each.pk for each in kept]).update(
            state=state, decided_by=by, second=second and second.operator, decided_at=now, reason=why[:200]
        )
        Round.objects.filter(table=table, number__in=numbers).update(kept_back=state)
        total = sum((Money(units_of(each.total)) for each in kept), ZERO)
        left = KeptBack.objects.filter(table=table, state=KeptState.WAITING).count()
        told = {"rounds": len(kept), "first": numbers[0], "last": numbers[-1], "total": str(total)}
        told |= second_person(second.operator if second is not None else None)
        record(actor=by, act=f"kept_back_{state}", about=objects.table(table_code), why=why, details=told)
        events.notify(f"kept back {table_code}")
    return DecidedKept(len(kept), total, left)


def second_at(*, table_code: str, swipe: str, pin: str, source: CardSource) -> Card | None:
    """Of who stands by, shown to be there by a supervisor's card and its PIN; nobody where no card was given."""
    if not swipe:
        return None
    card = card_with_pin(swipe=swipe, pin=pin, pin_from_level=Card.Level.SUPERVISOR, source=source, always=True)
    if card.level < Card.Level.SUPERVISOR:
        raise too_low(card, f"This needs a supervisor card; {card.operator} has a {card.get_level_display()} card.")
    house = Table.objects.values_list("premises_id", flat=True).get(code=table_code)
    if card.operator.premises_id not in (None, house):
        raise NotAllowed(f"{card.operator} works in another house. {table_code} takes a person of its own.", "house")
    return card


def _check_people(table: Table, asked: int, by: Operator, second: Card | None, now: datetime) -> None:
    """Behind the jackpots' locks: whoever came in before still works here, the card is still what it was, and one
    person alone accepts no more than one may.

    Held alone, so that one person who accepts at two tables in one instant is counted at both.
    """
    if second is None:
        check_works_here(by, alone=True)
        if asked:
            _refuse_alone(table, asked, by, now)
        return
    if second.operator_id == by.pk:
        raise NotAllowed(f"{by} signed already. A second, different person gives card and PIN.", "one_person")
    check_works_here(by, second.operator, alone=True)
    hold_card(second, Card.Level.SUPERVISOR, table.premises.gaming_day(now))


def _refuse_alone(table: Table, asked: int, by: Operator, now: datetime) -> None:
    accepted, of_one = accepted_alone(table, by, now), table.premises.thresholds.kept_alone
    if takes_two(accepted, asked, table.most_in_ten, of_one):
        why = (
            f"One person accepts {table.most_in_ten} rounds of {table.code} a gaming day, what it deals in ten "
            f"minutes; {accepted.at_table} were accepted today and {asked} are asked for now."
        )
        if accepted.at_table + asked <= table.most_in_ten:
            why = (
                f"One person accepts {of_one} kept-back rounds a gaming day, over all tables; {by} accepted "
                f"{accepted.by_person} today and {asked} are asked for now."
            )
        raise NotAllowed(f"{why} A second person with a supervisor's card and its PIN accepts more.", "two_people")


def _post(books: Books, table: Table, kept: list[KeptBack], rounds: dict[tuple[int, int], Round]) -> None:
    """Each round's coin-in as it would have been posted then, entry after entry; the round lists it."""
    listed: list[RoundEntry] = []
    fetch_further(rounds.values())
    for each in kept:
        round_ = rounds[table.pk, each.number]
        assert round_.state != RoundState.VOID, "nothing voids a round that is kept back"
        chips = {jackpot_id: further for further in round_.further for jackpot_id in further.jackpots}
        for level, jackpot_id in enumerate(each.jackpots, 1):
            counted = chips.get(jackpot_id)
            chip, seats = (round_.wager, round_.seats) if counted is None else (counted.chip, counted.seats)
            _check_takes(books, jackpot_id, round_, units_of(chip), table.code)
            about = about_coin_in(table.code, each.number, 1, seats, None)
            seq = books.coin_in(jackpot_id, len(seats), about).seq
            listed.append(
                RoundEntry(
                    table_id=table.pk, number=each.number, revision=round_.revision, level=level,
                    jackpot_id=jackpot_id, seq=seq,
                )
            )  # fmt: skip
    RoundEntry.objects.bulk_create(listed)


def _check_takes(books: Books, jackpot_id: int, round_: Round, chip: int, table_code: str) -> None:
    head = books.heads[jackpot_id]
    if head.differs:
        raise BooksDiffer(head.differs)
    # Coin-ins are posted by the terms of now: a jackpot that stands still takes none, however old they are.
    if not head.is_open:
        raise NotAllowedNow(
            f"Jackpot {head.code} is {head.state}. Accept these rounds when it plays again.", head.state
        )
    if books.terms(jackpot_id).wager.units != chip:
        why = (
            f"The chip of round {round_.number} at {table_code} is not the wager of {head.code} any more. "
            "Refuse these rounds; two people may adjust the meter instead."
        )
        raise NotAllowedNow(why, "wager")
