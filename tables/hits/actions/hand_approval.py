"""The look at the cards before anybody signs: what an act lacks is refused, what was seen goes onto the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jackpot.books.actions.post import Books
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from jackpot.wins.models import Win
from tables.hits.actions.at_round import Hearing
from tables.hits.actions.hand_verdict import Hands, Judged, hands_of, judge, needs, obstacles
from tables.hits.models.cards import RoundCards
from tables.hits.rules.hand_check import Needs, Proof
from tables.rounds.models.round import Round


def check_hands(hearing: Hearing, wins: Sequence[Win], *, seen_by: str) -> None:
    """Refuses an act whose hands are not shown as the house wants; `seen_by` says “cards seen” with this word."""
    books, round_ = hearing.books, hearing.round
    house = round_.table.premises
    hands = hands_of(round_, hearing.cards)
    unseen = unseen_hits(hands, wins, house)
    if seen_by and unseen:
        row = next_row(books, round_, hands, seen_by)
        row.seen = {**row.seen, **{str(win.seat): seen_by for win in unseen}}
        row.save(force_insert=True)
        hands = hands_of(round_, row)
    judged = judge(hands, wins)
    met = obstacles(judged, house.thresholds)
    if met:
        raise NotAllowedNow(met[0].why, met[0].code)
    for each in judged:
        each.win.cards_checked = each.proof is Proof.PROVEN
        each.win.paper = {**each.win.paper, "cards": on_paper(hands, each)}


def on_paper(hands: Hands, judged: Judged) -> dict[str, Any]:
    """What the win page prints of the hand, as it was known at the approval."""
    row, seat = hands.row, str(judged.win.seat)
    return {
        "proof": judged.proof.value,
        "hole": row.seats.get(seat, "") if row else "",
        "board": row.board if row else "",
        "dealer": row.dealer if row else "",
        "five": [str(card) for card in judged.verdict.cards] if judged.verdict else [],
        "why": judged.why,
        "by": (hands.seen(judged.win.seat) if judged.proof is Proof.SEEN else row.by) if row else "",
        "at": row.at.isoformat() if row else None,
        "revision": hands.revision,
        "overridden": judged.overridden,
    }


def next_row(books: Books, round_: Round, hands: Hands, by: str) -> RoundCards:
    """The next revision of a round's cards: what stands, to be changed."""
    before, now = hands.row, next(iter(books.heads.values())).now
    row = RoundCards(table_id=round_.table_id, number=round_.number, revision=hands.revision + 1, by=by, at=now)
    if before is not None:
        row.board, row.dealer, row.as_it_lies = before.board, before.dealer, before.as_it_lies
        row.seats, row.seen = dict(before.seats), dict(before.seen)
    return row


def unseen_hits(hands: Hands, wins: Sequence[Win], house: Property) -> list[Win]:
    """Hits that lack nothing but that somebody says to have seen their cards."""
    judged = judge(hands, wins)
    return [
        each.win for each in judged if each.proof is Proof.MISSING and needs(each.win, house.thresholds) is Needs.SEEN
    ]
