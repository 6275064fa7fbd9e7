"""The cards of a hand are entered, or said to be seen: each time the whole round anew, nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jackpot.books.actions.post import in_force
from jackpot.people.models import Actor
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.terms.rules.paytable import PayTable
from jackpot.wins.models import Signature
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import WinState
from tables.games.cards import CardsRefused, CardTwice, WrongNumberOfCards, cards_in_words, parse_card, parse_cards
from tables.games.game import Game
from tables.hits.actions.at_round import at_round, versions_of
from tables.hits.models.cards import RoundCards
from tables.hits.queries.hand_verdict import (
    RoundHands,
    deal_of,
    evidence,
    hands_at,
    hands_plain,
    judge,
    obstacles,
    unseen,
    verdicts_of,
    waiting_hits,
)
from tables.rounds.models.round import Round

Answer = dict[str, Any]
Written = str | Iterable[str]


@dataclass(frozen=True, slots=True)
class EnteredCards:
    """What somebody typed. What is left out stays as it was; an empty hand takes a seat's cards back.

    `whole` is a seat with all its cards in one: its own first, then the board.
    """

    board: Written | None = None
    seats: Mapping[int, Written] = field(default_factory=dict)
    dealer: Written | None = None
    whole: tuple[int, Written] | None = None
    revision: int | None = None
    as_it_lies: bool = False


def enter_cards(*, table_code: str, round_number: int, entered: EnteredCards, by: Actor) -> Answer:
    """Cards of the board, of seats, of the dealer. Whatever cannot lie on a felt is refused in a sentence."""
    with at_round(table_code, round_number) as (books, round_, place):
        hands = _open(round_, place, entered.revision)
        game = _game(hands, round_)
        row = hands.next_revision(round_, by, next(iter(books.heads.values())).now)
        row.as_it_lies = entered.as_it_lies
        try:
            _write(row, _apart(entered, game), game, round_.table.seats)
            _refuse_twice(row)
            row.verdicts = verdicts_of(game, row, _pay_tables(round_))
        except CardsRefused as refused:
            raise NotUnderstood(str(refused), _code(refused)) from None
        return _saved(round_, place, hands, row)


def say_seen(*, table_code: str, round_number: int, by: Actor) -> Answer:
    """“Cards seen” for every hit of the round for which that is enough: one tap, and who tapped."""
    with at_round(table_code, round_number) as (books, round_, place):
        hands = _open(round_, place, None)
        lacking = unseen(judge(hands, waiting_hits(place)), round_.table.premises.thresholds)
        row = hands.next_revision(round_, by, next(iter(books.heads.values())).now)
        row.say_seen(win.seat for win in lacking)
        return _saved(round_, place, hands, row)


def _open(round_: Round, place: RoundRef, revision: int | None) -> RoundHands:
    """The cards as they stand, while they may still be changed."""
    where = f"Round {place.round_number} at {place.table_code}"
    waiting = waiting_hits(place)
    if not waiting:
        approved = wins_of(place).filter(state__in=[WinState.LOGGED, WinState.OWED, WinState.PAID]).exists()
        done = "is approved; its cards stand" if approved else "has no hit. Mark one first"
        raise NotAllowedNow(f"{where} {done}.", "approved" if approved else "no_hit")
    hands = hands_at(round_)
    # Two people at two tablets: each revision is the whole round, so the later one would undo what it never saw.
    if revision is not None and revision != hands.revision:
        who = hands.row.by if hands.row else "Nobody"
        raise NotAllowedNow(f"{where}: {who} entered cards meanwhile. Look at them, then say yours again.", "changed")
    return hands


def _pay_tables(round_: Round) -> dict[int, PayTable]:
    """Of every jackpot that the round was counted on: the one that its hits are judged by."""
    return {version_id: in_force(version_id).terms.pay_table for version_id in versions_of(round_).values()}


def _game(hands: RoundHands, round_: Round) -> Game:
    game = hands.game
    if game is None:
        raise NotAllowedNow(f"{round_.table.code} plays {round_.table.game}, a game whose cards are not known here.")
    return game


def _apart(entered: EnteredCards, game: Game) -> EnteredCards:
    """All the cards of one seat, parted into its own and the board."""
    if entered.whole is None:
        return entered
    seat, written = entered.whole
    cards = parse_cards(written, game.hole_cards + game.board_cards)
    words = [str(card) for card in cards]
    return replace(entered, whole=None, board=words[game.hole_cards :], seats={seat: words[: game.hole_cards]})


def _write(row: RoundCards, entered: EnteredCards, game: Game, seats: int) -> None:
    if entered.board is not None:
        row.board = _text(entered.board, game.board_cards, "the board", row.as_it_lies)
    if entered.dealer is not None:
        row.dealer = _text(entered.dealer, game.hole_cards, "the dealer's hand", row.as_it_lies)
    for seat, written in entered.seats.items():
        if not 1 <= seat <= seats:
            raise NotUnderstood(f"There is no seat {seat}; the table has seats 1 to {seats}.", "seats")
        text = _text(written, game.hole_cards, f"seat {seat}", row.as_it_lies)
        # Taken out first, so that an empty hand leaves none there.
        row.seats.pop(str(seat), None)
        row.seats.update({str(seat): text} if text else {})


def _text(written: Written, count: int, whose: str, as_it_lies: bool) -> str:
    """The cards as they are kept; none at all takes back what stood there."""
    pieces = written.split() if isinstance(written, str) else written
    # `parse_cards` refuses a card twice within one hand, which is what somebody here says to be lying there.
    cards = tuple(map(parse_card, pieces)) if as_it_lies else parse_cards(written, whose=whose)
    if cards and len(cards) != count:
        raise WrongNumberOfCards(f"{whose[:1].upper()}{whose[1:]} has {cards_in_words(len(cards))}; it needs {count}.")
    return " ".join(map(str, cards))


def _refuse_twice(row: RoundCards) -> None:
    """A card in two places is a slip of the finger, unless somebody says that it lies so."""
    try:
        deal_of(row)
    except CardTwice as twice:
        if not row.as_it_lies:
            why = f"{twice} If it really lies there twice, say so: the hits are then held for an executive."
            raise CardTwice(why) from None
    else:
        # Nothing lies twice any more: the word must not outlive the cards it was said of.
        row.as_it_lies = False


def _refuse_under_signature(place: RoundRef, before: RoundCards | None, row: RoundCards) -> None:
    """A word was given on a hit's own cards and the board; those of other seats may still come."""
    words = Signature.objects.filter(win__in=waiting_hits(place), part=Signature.Part.APPROVE)
    for word in words.select_related("operator", "win"):
        if evidence(before, word.win) != evidence(row, word.win):
            where = f"Round {place.round_number} at {place.table_code}"
            why = f"{where}: {word.operator} has signed on these cards. Reject the hits to enter others."
            raise NotAllowedNow(why, "signed")


def _code(refused: CardsRefused) -> str:
    match refused:
        case CardTwice():
            return "card_twice"
        case WrongNumberOfCards():
            return "wrong_number"
        case CardsRefused():  # the family is open: a game may refuse cards for a reason of its own
            return "not_a_card"


def _saved(round_: Round, place: RoundRef, hands: RoundHands, row: RoundCards) -> Answer:
    """A new revision when something is new; the answer says what the cards prove and what is still missing."""
    before = hands.row
    repeat = before is not None and _content(before) == _content(row)
    # The same cards again write nothing: a new revision would refuse whoever still looks at the one before.
    if not repeat:
        _refuse_under_signature(place, before, row)
        row.save(force_insert=True)
    now = hands_at(round_)
    judged = judge(now, waiting_hits(place))
    missing = [each.why for each in obstacles(judged, round_.table.premises.thresholds)]
    return {"repeat": repeat, **hands_plain(now, judged), "missing": missing}


def _content(row: RoundCards) -> tuple[Any, ...]:
    return row.board, row.seats, row.dealer, row.seen, row.seen_persons or {}, row.as_it_lies, row.verdicts
