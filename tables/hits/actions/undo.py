"""A round is counted again before its first card, or voided whole. Undone by adding; later coin-ins stay."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.books.actions.post import Books, EntryReference, open_books
from jackpot.books.actions.writing import Posting
from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import canonical, request_of
from jackpot.money import text_of_units, units_of
from jackpot.people.models import Actor, Card, Operator
from jackpot.refusals import AlreadyPosted, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record, second_person
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects
from jackpot.wins.actions.life import fall
from jackpot.wins.queries.advance import repayment_after
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import STANDING
from tables.floor.actions.state import hold_row_of
from tables.floor.models.table import Link
from tables.hits.actions.taking_back import check_may_take_back
from tables.play_sums.actions import play_changed
from tables.player_dealer.actions.telling import begin_told_round
from tables.player_dealer.models import BankedHand
from tables.rounds.actions.wagered import WageredRound, about_coin_in, list_entries, list_further, post_chips
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.counted import coin_in_entries, jackpots_of_round
from tables.rounds.queries.floor_facts import further_at
from tables.rounds.queries.kept_back import refuse_kept_back
from tables.rounds.rules.further import FurtherSeats, spoken_change
from tables.rounds.rules.round import CoinInRequest, TableFacts, request_digest, seats_refused, spoken_seats

LONGEST_REASON: Final = 200


@transaction.atomic
def void_round(
    *, table_code: str, round_number: int, reason: str, by: Actor, second: Operator | None = None,
    cards: Sequence[Card] = (),
) -> dict[str, Any]:  # fmt: skip
    """Shuffler malfunction, misdeal: every hand of the round is void, its contributions are taken back.

    `cards` were swiped for it and are looked at again under the lock; `second` is the other person of an older round.
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotUnderstood("Say in at most 200 characters why the round is voided.", "reason")
    request = request_of(["void", table_code, round_number, reason])
    with open_books(jackpots_of_round(table_code, round_number)) as books:
        hold_row_of(table_code)
        round_ = _told_only(table_code, round_number, _now(books)) or _locked_round(table_code, round_number)
        repeat = round_.state == RoundState.VOID
        if repeat:
            _same_void(round_, reason, request)
        else:
            check_may_take_back(books, round_, by, second, cards)
            fall(books, RoundRef(table_code, round_number), by)
            _take_back(books, round_, f"{table_code}/{round_number}/void", request, EntryKind.VOID)
            round_.open_hits, round_.state, round_.ended_at = 0, RoundState.VOID, round_.ended_at or _now(books)
            round_.save(update_fields=["open_hits", "state", "ended_at"])
            # Where it was over the worker has it in its sums: pages would go on counting it (decision 0200).
            play_changed(round_)
            _note(round_, "void", reason, by, second)
        return {"round": round_number, "state": "void", "meters": _meters(books), "repeat": repeat}


@transaction.atomic
def recount_round(
    *, table_code: str, round_number: int, seats: str, spots: str, by: Actor, second: Operator | None = None,
    cards: Sequence[Card] = (), further: tuple[FurtherSeats, ...] = (),
) -> dict[str, Any]:  # fmt: skip
    """A dead spot or a late chip before the first card: contra and new coin-in, same round, next revision."""
    asked = CoinInRequest(round_number, seats, spots, further=further)
    request = request_digest(table_code, round_number, seats, further)
    with open_books(jackpots_of_round(table_code, round_number)) as books:
        hold_row_of(table_code)
        round_ = _locked_round(table_code, round_number)
        _check_recount(round_, table_code, asked)
        # The same count again, by whoever did not hear the answer, needs nobody's card.
        if bytes(round_.request) == request:
            return _recounted(books, round_, repeat=True)
        check_may_take_back(books, round_, by, second, cards)
        counted, why = _before(round_), _change(round_, asked)
        _count_again(books, round_, asked, request)
        _note(round_, "recount", why, by, second, **counted)
        return _recounted(books, round_, repeat=False)


def _told_only(table_code: str, number: int, now: datetime) -> Round | None:
    """The round of a hand whose action was told and that no coin-in began: voided, its number is used up and the
    player-dealer has its fee back."""
    if Round.objects.filter(table__code=table_code, number=number).exists():
        return None
    hand = BankedHand.objects.filter(table__code=table_code, number=number).select_related("table").first()
    return None if hand is None else begin_told_round(hand.table, hand, now)


def _before(round_: Round) -> dict[str, Any]:
    further = {each.wager: each.seats for each in round_.further}
    return {"revision": round_.revision, "seats": round_.seats, **({"further": further} if further else {})}


def _change(round_: Round, asked: CoinInRequest) -> str:
    was, now = (
        ((each.wager, each.seats) for each in round_.further),
        ((each.code, each.seats) for each in asked.further),
    )
    return f"{spoken_seats(round_.seats)} before, {spoken_seats(asked.seats)} now{spoken_change(was, now)}"


def _note(round_: Round, act: str, why: str, by: Actor, second: Operator | None, **counted: Any) -> None:
    """A round keeps its last count only: what it was before stands here, for whoever counts the day."""
    details = {**counted, **second_person(second)}
    record(actor=by, act=act, about=objects.round_played(round_.table.code, round_.number), why=why, details=details)


def _check_recount(round_: Round, table_code: str, asked: CoinInRequest) -> None:
    if round_.state != RoundState.OPEN:
        why = f"Round {round_.number} at {table_code} is over. Only an open round is counted again; void it instead."
        raise NotAllowedNow(why, "round_over")
    # A mark's frozen amount counts this coin-in, so the mark is taken back before the coin-in is.
    if round_.open_hits:
        raise NotAllowedNow(f"Round {round_.number} at {table_code} has a hit marked. Un-mark it first.", "hits_open")
    if wins_of(RoundRef(table_code, round_.number)).filter(state__in=STANDING).exists():
        why = f"Round {round_.number} at {table_code} has an approved win. It is counted again only after a back-out."
        raise NotAllowedNow(why, "awarded")
    table = round_.table
    facts = TableFacts(table_code, table.state, "", table.seats, 0, "", further=further_at(table))
    if (refusal := seats_refused(facts, asked)) is not None:
        raise NotUnderstood(refusal.why, refusal.code)


def _count_again(books: Books, round_: Round, asked: CoinInRequest, request: bytes) -> None:
    """A running round's table is not altered, so its wagers and jackpots are still those of the coin-in."""
    table, revision = round_.table, round_.revision + 1
    key = f"{table.code}/{round_.number}/{revision}"
    # The contra before the new count: at the limit the new chips would overflow for those that go back.
    _take_back(books, round_, f"{key}/contra", request, EntryKind.RECOUNT)
    about = about_coin_in(table.code, round_.number, revision, asked.seats, None)
    played = WageredRound.of(_in_level_order(table.code), units_of(round_.wager), further_at(table), asked)
    posted = post_chips(books, played, about)
    round_.revision, round_.seats, round_.spots, round_.request = revision, asked.seats, asked.spots, request
    list_entries(round_, posted)
    list_further(round_, played.further)
    # The coin-in's stored answer is the new count from here on: a controller that asks again must hear what stands.
    round_.answer = _answer(books, round_)
    round_.save(update_fields=["revision", "seats", "spots", "request", "answer"])


def _take_back(books: Books, round_: Round, key: str, request: bytes, kind: EntryKind) -> list[Posting]:
    """The exact contra of each of the round's coin-in entries."""
    taken = []
    table_code = round_.table.code
    for jackpot_id, seq in coin_in_entries(round_):
        original = Entry.objects.get(jackpot_id=jackpot_id, seq=seq)
        about = EntryReference(key, request, table_code=table_code, round_number=round_.number, corrects=seq)
        repaid = repayment_after(jackpot_id, seq)
        if repaid is not None:  # first what came last, so that no balance is short in between
            of_it = about._replace(key=f"{key}/repay", corrects=repaid.seq)
            taken.append(books.take_back_repayment(jackpot_id, kind, repaid.movement, of_it))
        taken.append(books.contra(jackpot_id, kind, original.movement, about))
    return taken


def _locked_round(table_code: str, number: int) -> Round:
    rows = Round.objects.select_for_update(no_key=True, of=("self",)).select_related("table")
    round_ = rows.filter(table__code=table_code, number=number).first()
    if round_ is None:
        raise NotFound(f"There is no round {number} at {table_code}.", "no_round")
    refuse_kept_back(round_, table_code)
    return round_


def _same_void(round_: Round, reason: str, request: bytes) -> None:
    """The entry of a void seals its reason; a round that fed no jackpot has it in the trail."""
    about = objects.round_played(round_.table.code, round_.number)
    voided = Entry.objects.filter(key=f"{about.key}/void").first()
    if voided is not None:
        same = bytes(voided.request) == request
    else:
        said = Trail.objects.filter(object_kind=about.kind.value, object_key=about.key, act="void", outcome="done")
        same = said.filter(why=reason).exists() or not said.exists()
    if not same:
        raise AlreadyPosted(f"Round {round_.number} at {round_.table.code} was already voided, for another reason.")


def _in_level_order(table_code: str) -> list[int]:
    return list(Link.objects.filter(table__code=table_code).order_by("level").values_list("jackpot_id", flat=True))


def _now(books: Books) -> datetime:
    """The moment of the books; a table that feeds no jackpot has none."""
    return next((head.now for head in books.heads.values()), None) or timezone.now()


def _meters(books: Books) -> dict[str, str]:
    return {head.code: text_of_units(head.balances.meter) for head in books.heads.values()}


def _recounted(books: Books, round_: Round, *, repeat: bool) -> dict[str, Any]:
    return {**_counted(books, round_), "repeat": repeat}


def _counted(books: Books, round_: Round) -> dict[str, Any]:
    return {
        "round": round_.number,
        "revision": round_.revision,
        "coin_in": {"seats": [int(seat) for seat in round_.seats], **_further(round_)},
        "meters": _meters(books),
    }


def _further(round_: Round) -> dict[str, Any]:
    told = {
        each.wager: {"seats": [int(seat) for seat in each.seats], "total": str(each.total)} for each in round_.further
    }
    return {"further": told} if told else {}


def _answer(books: Books, round_: Round) -> str:
    return canonical({"ok": True, **_counted(books, round_)})
