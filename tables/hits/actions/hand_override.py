"""When cards and mark disagree: the mark follows the cards, or two people answer for paying it all the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import Books, in_force
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.evidence.actions.of_round import attach_to_round, check_round_evidence
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.people.actions.presence import TYPED, CardSource
from jackpot.people.models import Actor, Card, Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.wins.actions import life
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import HandProof, OverrideRecord
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import Act, WinState
from tables.hits.actions.at_round import at_round, check_cards, versions_of
from tables.hits.actions.hit import confirm, marks
from tables.hits.actions.two_people import check_not_theirs, refuse_alone, two_people
from tables.hits.queries.hand_verdict import HandVerdict, RoundHands, evidence, hands_at, judge, waiting_hits
from tables.rounds.models.round import Round

Answer = dict[str, Any]


@transaction.atomic
def follow_cards(*, table_code: str, round_number: int, by: Actor) -> Answer:
    """Each mark that its cards disprove becomes the line they prove, or is taken back. Free, as nothing is approved.

    A changed mark is its own mark, by whoever changed it: it ranks and freezes from its own entry.
    """
    with at_round(table_code, round_number) as (books, round_, place):
        hands = hands_at(round_)
        waiting = waiting_hits(place)
        refuse_alone(place)
        # What no deal holds together proves no other line: it is an executive's and a second person's to decide.
        wrong = [each.win for each in judge(hands, waiting) if each.held and each.proof is not HandProof.IMPOSSIBLE]
        _check_changeable(place, wrong)
        asked = any(win.state == WinState.ASKED for win in waiting)
        for win in wrong:
            _take_back(books, win, by)
        # By seat, not by hit: `_mark` looks at every level, and a seat with two wrong hits would be marked twice.
        made = [_mark(books, round_, place, hands, seat, by) for seat in sorted({win.seat for win in wrong})]
        # What takes the place of an asked hit is asked for too: the approval takes the asked ones and would pass it by.
        if asked and any(made):
            life.ask(books, place, by)
    if any(win.state == WinState.ASKED for win in waiting_hits(place)):
        confirm(table_code=table_code, round_number=round_number, by=by)  # what each takes is reckoned anew
    return {"changed": len(wrong), **marks(place)}


def override_cards(
    *, table_code: str, round_number: int, cards: Sequence[tuple[str, str]], reason: str, source: CardSource = TYPED,
    file: EvidenceUpload | None = None,
) -> Answer:  # fmt: skip
    """An executive and a second person have the marked hits paid in spite of what their cards say."""
    if not reason.strip():
        raise NotUnderstood("Say why these hits are paid in spite of their cards.", "reason")
    people = two_people(table_code, cards, "Cards are overridden", source)
    with at_round(table_code, round_number) as (books, round_, place):
        check_cards(people, books, round_)
        hands = hands_at(round_)
        # Before CONFIRM nobody has anything to override: the mark itself may still be changed by one person.
        asked = [win for win in waiting_hits(place) if win.state == WinState.ASKED]
        held = [each for each in judge(hands, asked) if each.held]
        if not held:
            raise NotAllowedNow(f"No cards stand against a hit at {table_code}. Approve it.", "nothing_held")
        check_not_theirs([each.win for each in held], people, round_.table.premises)
        check_round_evidence(place, round_.table.premises, "The override of these cards", file)
        if file is not None:
            attach_to_round(place=place, upload=file, by=people[0].operator)
        for each in held:
            _override(books, hands, each, people, reason, file.sha256 if file else "")
        return {"overridden": len(held)}


def _check_changeable(place: RoundRef, wrong: Sequence[Win]) -> None:
    if not wrong:
        raise NotAllowedNow(f"The marks at {place.table_code} are what the cards prove.", "nothing_differs")
    word = Signature.objects.filter(win__in=wrong, part=Signature.Part.APPROVE).select_related("operator").first()
    if word is not None:
        raise NotAllowedNow(f"{word.operator} has signed for these hits. Reject them to mark again.", "signed")


def _take_back(books: Books, win: Win, by: Actor) -> None:
    # An asked hit is not un-marked but let go first: both steps stand in the books, in the order of its life.
    if win.state == WinState.ASKED:
        life.move_on(books, win, Act.RELEASE, by)
    life.move_on(books, win, Act.UNMARK, by, "the cards prove another line")


def _mark(books: Books, round_: Round, place: RoundRef, hands: RoundHands, seat: int, by: Actor) -> bool:
    """On every level that the seat has a chip for, the line that its cards win there, unless it stands already."""
    standing = {(win.jackpot_id, win.line) for win in waiting_hits(place) if win.seat == seat}
    marked = False
    for jackpot_id, version_id in versions_of(round_).items():
        verdict = hands.verdict(version_id, seat) if seat in round_.seats_played.on(jackpot_id) else None
        if verdict is None or verdict.line is None or (jackpot_id, verdict.line) in standing:
            continue
        line = in_force(version_id).terms.pay_table.line(verdict.line)
        life.mark(books, jackpot_id=jackpot_id, version_id=version_id, place=place, seat=seat, line=line, by=by)
        marked = True
    return marked


def _override(
    books: Books, hands: RoundHands, held: HandVerdict, cards: Sequence[Card], reason: str, file: str
) -> None:
    """Two signatures, an entry of zero movement, and on the page what it was given for."""
    win, people = held.win, [card.operator for card in cards]
    now = books.heads[win.jackpot_id].now
    for card in cards:
        _sign(win, card, now, reason)
    names = " and ".join(map(str, people))
    win.override = OverrideRecord(evidence(hands.row, win), reason, names, held.why).plain()
    win.save(update_fields=["override"])
    life.note(books, win, EntryKind.OVERRIDE, names, reason, file=file)


def _sign(win: Win, card: Card, now: Any, reason: str) -> None:
    """Once a person and hit; the books keep every time that it was given again for other cards."""
    person: Operator = card.operator
    if not Signature.objects.filter(win=win, operator=person, part=Signature.Part.CARDS).exists():
        Signature.objects.create(
            win=win, operator=person, card=card, level=card.level, part=Signature.Part.CARDS, at=now, why=reason[:200]
        )
