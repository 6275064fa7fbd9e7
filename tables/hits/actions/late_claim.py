"""A hand claimed after END: evidence, an executive and a second person make it an open hit of the usual kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import Books
from jackpot.books.models.jackpot import JackpotState
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.evidence.actions.of_round import attach_to_round
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.people.actions.presence import TYPED, CardSource
from jackpot.people.models import Actor, Card, person_of
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record, second_person
from jackpot.trail.rules import objects
from jackpot.wins.actions import life
from jackpot.wins.models import Signature, Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN
from tables.hits.actions import hit
from tables.hits.actions.at_round import PayingLine, at_round, check_cards, lines_of_seat
from tables.hits.actions.park import check_reason
from tables.hits.actions.two_people import two_people
from tables.hits.models.open_case import OpenCase
from tables.rounds.models.round import Round, RoundState


def claim(
    *,
    table_code: str,
    round_number: int,
    seat: int,
    hand: str,
    reason: str,
    evidence: str,
    cards: Sequence[tuple[str, str]],
    by: Actor,
    source: CardSource = TYPED,
    file: EvidenceUpload | None = None,
) -> dict[str, Any]:
    """The hit stands from now on: frozen at the newest entry, asked for, ranked behind every hit marked before it.

    Where the house asks for a file and none is at hand, it is opened all the same: the meter grows meanwhile.
    """
    check_reason(reason, "what is claimed and why so late")
    check_reason(evidence, "where it can be seen, such as the camera and its time")
    two = two_people(table_code, cards, "A late claim is opened", source)
    place = RoundRef(table_code, round_number)
    return _open(place, two, by, file, seat=seat, hand=hand, reason=reason, evidence=evidence)


@transaction.atomic
def _open(
    asked: RoundRef, two: tuple[Card, Card], by: Actor, file: EvidenceUpload | None, *, seat: int, hand: str,
    reason: str, evidence: str,
) -> dict[str, Any]:  # fmt: skip
    table_code, round_number = asked.table_code, asked.round_number
    executive, second = two[0].operator, two[1].operator
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(two, books, round_)
        # Under the lock: END, a void or another claim of the round may have come while the two gave their PINs.
        _check_claimable(round_, place)
        lines = lines_of_seat(round_, hand, seat)
        retired = _retired(books, lines)
        # Marked now, so it ranks and freezes now, behind every hit that was seen in time.
        for win in _marked(books, lines, place, seat, by):
            life.note(books, win, EntryKind.CLAIM, str(by), reason, file=file.sha256 if file else "")
            _sign(win, two, books.heads[win.jackpot_id].now, reason)
        OpenCase.objects.create(
            kind=OpenCase.Kind.CLAIMED, table=round_.table, round_number=round_number, reason=reason, evidence=evidence,
            executive=executive, second=second, at=next(iter(books.heads.values())).now,
        )  # fmt: skip
        details = {"seat": seat, "hand": hand, "evidence": evidence, "entered_by": str(by), **second_person(second)}
        details |= {"retired_and_not_claimed": retired} if retired else {}
        if file is not None:
            attach_to_round(place=place, upload=file, by=person_of(by) or executive)
            details["sha256"] = file.sha256
        record(
            actor=executive,
            act="late_claim",
            about=objects.round_played(place.table_code, place.round_number),
            why=reason,
            details=details,
        )
    # Asked for at once: the round is over, so no dealer will press CONFIRM there any more.
    return hit.confirm(table_code=table_code, round_number=round_number, by=by)


def _marked(books: Books, lines: Sequence[PayingLine], place: RoundRef, seat: int, by: Actor) -> list[Win]:
    return [
        life.mark(books, **each._asdict(), place=place, seat=seat, by=by)
        for each in lines
        if books.heads[each.jackpot_id].state != JackpotState.RETIRED
    ]


def _retired(books: Books, lines: Sequence[PayingLine]) -> list[str]:
    """Which jackpots of the hand are retired: their money has gone elsewhere, and no meter begins anew there."""
    heads = [books.heads[each.jackpot_id] for each in lines]
    retired = [head.code for head in heads if head.state == JackpotState.RETIRED]
    if len(retired) == len(heads):
        named = f"{' and '.join(retired)} {'is' if len(retired) == 1 else 'are'} retired"
        raise NotAllowedNow(
            f"{named}: nothing is won there any more. Pay a proven claim from where the money went: "
            "two people adjust that jackpot, with this evidence.", "retired",
        )  # fmt: skip
    return retired


def _sign(win: Win, two: Sequence[Card], at: datetime, reason: str) -> None:
    """Both people stand on the hit itself: neither of them is its approver."""
    for card in two:
        Signature.objects.create(
            win=win, operator=card.operator, card=card, level=card.level, part=Signature.Part.CLAIM, at=at, why=reason
        )


def _check_claimable(round_: Round, place: RoundRef) -> None:
    where = f"Round {round_.number} at {place.table_code}"
    if round_.state == RoundState.OPEN:
        raise NotAllowedNow(f"{where} still runs. Mark the hand at the table.", "round_open")
    if round_.state == RoundState.VOID:
        raise NotAllowedNow(f"{where} is void: none of its hands counts.", "round_void")
    # An approval takes all that is asked for in the round: a claim may not slip into an act that is looked at.
    if wins_of(place).filter(state__in=OPEN).exists():
        raise NotAllowedNow(f"{where} has a hit open already. Settle that one first.", "hits_open")
