"""What the cards of a round say of its hits. Read without locking; an approval looks again under the lock.

The game judges the cards once, when they are entered; who looks later holds the marks against that
verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, Final

from jackpot.books.actions.post import in_force
from jackpot.books.models.jackpot import Version
from jackpot.people.models import Actor, Operator
from jackpot.property.rules.authority import Thresholds
from jackpot.terms.rules.paytable import PayTable
from jackpot.wins.models import Win
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.award_record import HandProof, HandRecord, OverrideRecord
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import LIT, WinState
from tables.games.cards import CardTwice, parse_cards
from tables.games.game import Game, LineVerdict, NotInThisGame, TableCards
from tables.games.jackpot_lines import against_dealer, judged_table, verdict_of
from tables.games.registry import find_game
from tables.hits.models.cards import RoundCards
from tables.hits.rules.hand_check import HELD, Needs, Obstacle, needs_of, obstacle
from tables.rounds.models.round import Round

WAITING = (WinState.MARKED, WinState.ASKED)
BOARD: Final = "board"  # what the board alone gives to every seat whose cards are not entered
NO_SEAT: Final = 0
NO_RULE = "The game has no rule for this line; it was judged by eye."


@dataclass(frozen=True, slots=True)
class CardsVerdict:
    """Which line a seat's cards win by one pay table (none: they win nothing), which five make it, and why."""

    line: str | None
    five: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """One hit and what is known of its hand."""

    win: Win
    proof: HandProof
    why: str = ""
    verdict: CardsVerdict | None = None
    overridden: bool = False

    @property
    def proves(self) -> str | None:
        """The line that the cards win, by its code."""
        return self.verdict.line if self.verdict else None

    @property
    def held(self) -> bool:
        return self.proof in HELD and not self.overridden


@dataclass(frozen=True, slots=True)
class RoundHands:
    """The cards of a round as they stand, ready to be asked about a line."""

    game_code: str
    row: RoundCards | None

    @property
    def revision(self) -> int:
        return self.row.revision if self.row else 0

    @property
    def game(self) -> Game | None:
        """None where the table plays a game whose cards are not known here."""
        try:
            return find_game(self.game_code)
        except NotInThisGame:
            return None

    @property
    def twice(self) -> str:
        """Which card lies in two places, in a sentence; nothing where none does."""
        return str(self._judged.get("twice", ""))

    @property
    def _judged(self) -> Mapping[str, Any]:
        return (self.row.verdicts or {}) if self.row else {}

    def knows(self, version_id: int, line: str) -> bool:
        """Whether the game has a rule for this line of a version."""
        return line in self._judged.get(str(version_id), {}).get("lines", ())

    def verdict(self, version_id: int, seat: int) -> CardsVerdict | None:
        """What a seat's cards, or the board alone, win by a version; None while they do not say."""
        seats = self._judged.get(str(version_id), {}).get("seats", {})
        # A hand that lies on the board is everybody's: a royal there is proved without one hole card.
        found = seats.get(str(seat), seats.get(BOARD))
        return None if found is None else CardsVerdict(found["line"], tuple(found["five"]), found["why"])

    def shows(self, version_id: int, seat: int) -> bool:
        """Whether all cards of a seat's hand were entered and judged by a version.

        A round that was counted again may be of other terms than those its cards were judged by.
        """
        judged = self.row is not None and str(version_id) in self._judged
        return judged and self.row is not None and bool(self.row.board) and str(seat) in self.row.seats

    def seen(self, seat: int) -> str:
        """Who said “cards seen” of this seat."""
        return str(self.row.seen.get(str(seat), "")) if self.row else ""

    def next_revision(self, round_: Round, by: Actor, at: datetime) -> RoundCards:
        """What stands, to be changed: nothing that was entered is ever overwritten."""
        row = RoundCards(
            table_id=round_.table_id, number=round_.number, revision=self.revision + 1, at=at,
            by=str(by), person=by if isinstance(by, Operator) else None,
        )  # fmt: skip
        if self.row is not None:
            row.board, row.dealer, row.as_it_lies = self.row.board, self.row.dealer, self.row.as_it_lies
            row.seats, row.seen, row.verdicts = dict(self.row.seats), dict(self.row.seen), self.row.verdicts
            row.seen_persons = self.row.seen_persons
        return row

    def needs_dealer(self, versions: Iterable[Version]) -> bool:
        game = self.game
        tables = [judged_table(game, version.value.pay_table) for version in versions] if game else []
        return any(against_dealer(table) for table in tables if table)


def verdicts_of(game: Game, row: RoundCards, tables: Mapping[int, PayTable]) -> dict[str, Any]:
    """What the cards say of each seat and, for every other, of the board alone, by each version's pay table."""
    try:
        deal = deal_of(row)
    except CardTwice as twice:
        return {"twice": str(twice)}
    judged: dict[str, Any] = {}
    for version_id, pay_table in tables.items():
        table, seats = judged_table(game, pay_table), {}
        if table is not None:
            # Seat 0 holds no cards: its verdict is the board's own, which counts for every seat that showed none.
            seats = {str(seat): _plain(verdict_of(game, table, deal, seat)) for seat in (*deal.seats, NO_SEAT)}
            seats[BOARD] = seats.pop(str(NO_SEAT))
        judged[str(version_id)] = {"lines": [line.hand for line in table.lines] if table else [], "seats": seats}
    return judged


def _plain(verdict: LineVerdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    line = verdict.line.hand if verdict.line else None
    return {"line": line, "five": [str(card) for card in verdict.cards], "why": verdict.why}


def obstacles(judged: Sequence[HandVerdict], thresholds: Thresholds) -> list[Obstacle]:
    """What still stands in the way of an approval, hit by hit."""
    met = [
        obstacle(needs(each.win, thresholds), each.proof, f"Seat {each.win.seat} ({each.win.line_name})", each.why)
        for each in judged
        if not each.overridden
    ]
    return list(dict.fromkeys(each for each in met if each is not None))


def needs(win: Win, thresholds: Thresholds) -> Needs:
    return needs_of(in_force(win.version_id, win.version.digest).terms.pay_table.line(win.line).award, thresholds)


def unseen(verdicts: Iterable[HandVerdict], thresholds: Thresholds) -> list[Win]:
    """Hits that lack nothing but that somebody says to have seen their cards."""
    return [
        each.win for each in verdicts if each.proof is HandProof.MISSING and needs(each.win, thresholds) is Needs.SEEN
    ]


def record_of_hand(hands: RoundHands, verdict: HandVerdict) -> HandRecord:
    """What the win page prints of the hand, as it is known now."""
    row, win, judged = hands.row, verdict.win, verdict.verdict
    five = judged.five if judged else ()
    if row is None:
        return HandRecord(verdict.proof, "", "", "", five, verdict.why, "", None, 0, verdict.overridden)
    by = hands.seen(win.seat) if verdict.proof is HandProof.SEEN else row.by
    return HandRecord(
        verdict.proof, row.seats.get(str(win.seat), ""), row.board, row.dealer, five, verdict.why, by, row.at,
        row.revision, verdict.overridden,
    )  # fmt: skip


def hands_at(round_: Round) -> RoundHands:
    """The newest cards of a round."""
    newest = RoundCards.objects.filter(table_id=round_.table_id, number=round_.number).order_by("-revision").first()
    return RoundHands(round_.table.game, newest)


def deal_of(row: RoundCards) -> TableCards:
    """The row's texts as cards; a card that lies twice is refused here."""
    seats = {int(seat): parse_cards(cards) for seat, cards in row.seats.items()}
    return TableCards(parse_cards(row.board), seats, parse_cards(row.dealer))


def waiting_hits(place: RoundRef) -> list[Win]:
    """The hits of a round that nobody approved yet; a lit key has no cards before its seats are said."""
    rows = wins_of(place).filter(state__in=WAITING, envy_of=None, seat__gt=LIT).select_related("jackpot", "version")
    return list(rows.order_by("jackpot_id", "seat", "id"))


def judge(hands: RoundHands, wins: Sequence[Win]) -> list[HandVerdict]:
    """Each hit by its cards; then the pairs that no deal holds together, where the cards have not decided yet."""
    against = _against(hands, wins)
    judged = []
    for win in wins:
        proof, why, verdict = _proof(hands, win)
        # Entered cards decide for themselves which of the two is wrong; only where none did, both are held.
        if win.id in against and proof in {HandProof.MISSING, HandProof.SEEN, HandProof.UNJUDGED}:
            proof, why = HandProof.IMPOSSIBLE, _cannot_both(win, against[win.id])
        judged.append(HandVerdict(win, proof, why, verdict, _overridden(hands, win)))
    return judged


def _proof(hands: RoundHands, win: Win) -> tuple[HandProof, str, CardsVerdict | None]:
    if hands.twice:
        return HandProof.IMPOSSIBLE, hands.twice, None
    known, verdict = hands.knows(win.version_id, win.line), hands.verdict(win.version_id, win.seat)
    if not known and hands.shows(win.version_id, win.seat):
        return HandProof.UNJUDGED, NO_RULE, None
    if verdict is None or not known:
        who = hands.seen(win.seat)
        return (HandProof.SEEN, f"Seen by {who}.", None) if who else (HandProof.MISSING, "", None)
    if verdict.line is None:
        return HandProof.NO_LINE, f"{win.line_name} is marked, but the cards win nothing: {verdict.why}", verdict
    if verdict.line != win.line:
        return HandProof.ANOTHER_LINE, f"{win.line_name} is marked, but the cards prove: {verdict.why}", verdict
    return HandProof.PROVEN, verdict.why, verdict


def _against(hands: RoundHands, wins: Sequence[Win]) -> dict[int, Win]:
    """Hits that exclude one of another seat, and which one."""
    found: dict[int, Win] = {}
    pairs = [(one, other) for one, other in combinations(wins, 2) if one.seat != other.seat]
    game = hands.game if pairs else None
    for one, other in pairs:
        if game is not None and game.impossible_pairs({1: one.line, 2: other.line}):
            found.setdefault(one.id, other)
            found.setdefault(other.id, one)
    return found


def _cannot_both(win: Win, other: Win) -> str:
    lines = f"{win.line_name} here and {other.line_name} at seat {other.seat}"
    return f"no deal of one deck holds {lines}. Enter the cards of both."


def _overridden(hands: RoundHands, win: Win) -> bool:
    """An override was given for the cards as they stood; other cards since then need another."""
    if win.override is None:
        return False
    return OverrideRecord.of(win.override).evidence == evidence(hands.row, win)


def evidence(row: RoundCards | None, win: Win) -> str:
    """What a word was given on: the marked line and the cards as they stood."""
    # Not the other seats: their cards may still be entered after somebody signed for this hit.
    cards = [row.board, row.seats.get(str(win.seat), ""), row.dealer] if row else ["", "", ""]
    return " | ".join([win.line, *cards])


def hands_plain(hands: RoundHands, judged: Sequence[HandVerdict]) -> dict[str, Any]:
    """The cards and verdicts as programs hear them."""
    row = hands.row
    seats = {str(each.win.seat) for each in judged} | set(row.seats if row else ())
    return {
        "revision": hands.revision,
        "board": row.board if row else "",
        "dealer": row.dealer if row else "",
        "by": row.by if row else None,
        "seats": [
            {
                "seat": int(seat),
                "cards": row.seats.get(seat, "") if row else "",
                "seen": hands.seen(int(seat)),
                "hits": [hit_plain(each) for each in judged if each.win.seat == int(seat)],
            }
            for seat in sorted(seats, key=int)
        ],
    }


def hit_plain(judged: HandVerdict) -> dict[str, Any]:
    """One hit with its verdict, as programs hear it."""
    verdict = judged.verdict
    return {
        "id": judged.win.id,
        "jackpot": judged.win.jackpot.code,
        "hand": judged.win.line,
        "name": judged.win.line_name,
        "proof": judged.proof.value,
        "proves": judged.proves,
        "five": list(verdict.five) if verdict else [],
        "why": judged.why,
        "overridden": judged.overridden,
    }
