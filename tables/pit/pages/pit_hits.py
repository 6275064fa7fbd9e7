"""The hits of one table that need more than a card: seats of a lit key, parking a hit, a claim after the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from jackpot.evidence.pages import uploaded
from jackpot.people.actions.presence import typed_here
from jackpot.people.models import Operator
from jackpot.refusals import NotUnderstood, Refused
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.models.table import Profile, Table
from tables.hits.actions import late_claim, lit_keys
from tables.hits.actions.park import park
from tables.hits.actions.taking_back import signers
from tables.hits.actions.undo import void_round
from tables.hits.queries import hit_lists
from tables.pit.pages.pit import READERS
from tables.pit.pages.pit_tiles import TileHits, round_hits
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists
from tables.rounds.rules.round import spoken_seats

ROUNDS: Final = 12
TYPED: Final = ("round", "seat", "hand", "reason", "evidence")
PARK_REASONS: Final = ("The cards are disputed", "The player asks for the commission", "The machine is looked at")
VOID_REASONS: Final = ("Shuffler malfunction", "Misdeal")
CLAIM_REASONS: Final = ("The hand was overlooked", "The key was forgotten", "The player came back with the cards")


@dataclass(frozen=True, slots=True)
class LitKey:
    """A hand lit without its seats, and which seats the page proposes."""

    hand: str
    name: str
    since: datetime
    seats: list[tuple[int, bool]]
    said: bool
    board: bool


@dataclass(frozen=True, slots=True)
class OpenRound:
    """One round's open hits, whether it still runs, and why it is open although it is over."""

    hits: TileHits
    running: bool
    case: Any


@needs(*READERS)
def pit_hits(request: HttpRequest, code: str) -> HttpResponse:
    """What is open at this table and what the pit can do about it beside approving."""
    return _page(request, code, {"round": request.GET.get("round", "")})


def again(request: HttpRequest, refused: Refused, *, code: str) -> HttpResponse:
    """A refused form with its refusal and what was typed; cards and PINs are read anew."""
    typed = {name: word(request, name) for name in TYPED}
    kept = {**typed, "seats": request.POST.getlist("seat"), "form": word(request, "form", 10), "why": refused.why}
    return _page(request, code, kept, refused.status)


def _page(request: HttpRequest, code: str, typed: Mapping[str, Any], status: int = 200) -> HttpResponse:
    person: Any = request.user
    table = _table(request, code)
    rounds = list(round_lists.rounds_of(person).filter(table=table).order_by("-number")[:ROUNDS])
    wins = [win for win in hit_lists.open_wins(person) if win.table_code == code]
    running = next((round_ for round_ in rounds if round_.state == RoundState.OPEN), None)
    shown = {
        "table": table,
        "house": table.premises,
        "running": running,
        "lit": _lit(running, typed) if running else [],
        "typed": typed,
        "open": _open(table, wins, running),
        "over": _over(request, table, rounds, str(typed["round"])),
        "voidable": _voidable(rounds),
        "hands": _hands(table),
        "seats": range(1, table.seats + 1),
        "may": person.verbs(),
        "is_key": table.profile == Profile.KEY,
        "park_reasons": PARK_REASONS,
        "claim_reasons": CLAIM_REASONS,
        "void_reasons": VOID_REASONS,
    }
    shown["beside"] = _is_beside(typed, shown)
    return render(request, "tables/pit/pit_hits.html", shown, status=status)


def _is_beside(typed: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Whether the refused form still stands on the page: its hit may have been settled meanwhile."""
    match typed.get("form"):
        case "seats":
            return any(key.hand == typed["hand"] for key in shown["lit"])
        case "park":
            return "approve" in shown["may"] and any(each.running for each in shown["open"])
        case "claim":
            return "approve" in shown["may"] and bool(shown["over"])
        case "void":
            return "void" in shown["may"] and bool(shown["voidable"])
        case _:
            return False


@posts("verify", back_to="pit-hits", again=again)
def pit_seats(request: HttpRequest, *, code: str) -> str:
    """The seats of a lit key, as the supervisor sees the hands."""
    # Of one character: “12” is in the text of the digits too.
    seats = [int(seat) for seat in request.POST.getlist("seat") if seat in "123456789" and len(seat) == 1]
    hand = word(request, "hand", 40)
    where: dict[str, Any] = {"table_code": _table(request, code).code, "round_number": _round_number(request)}
    lit_keys.assign(**where, hand=hand, seats=seats, by=_person(request))
    said = ", ".join(map(str, sorted(seats)))
    return f"{'Seat' if len(seats) == 1 else 'Seats'} {said}: marked with the rank of the lit key."


@posts("approve", "verify", back_to="pit-hits", again=again)
def pit_park(request: HttpRequest, *, code: str) -> str:
    """An executive's card lets the table play on while the hit stays open."""
    where: dict[str, Any] = {"table_code": _table(request, code).code, "round_number": _round_number(request)}
    words: dict[str, Any] = {
        "card": word(request, "card"),
        "pin": word(request, "pin", 20),
        "reason": word(request, "reason"),
        "source": typed_here(request),
    }
    parked = park(**where, **words)
    return f"Parked: {parked['parked']}. The table plays on with round {parked['next_round']}."


@posts("approve", "verify", back_to="pit-hits", again=again)
def pit_claim(request: HttpRequest, *, code: str) -> str:
    """Two people open a hit on a round that is over."""
    seat = word(request, "seat", 1)
    if seat not in set("123456789"):
        raise NotUnderstood("Choose the seat that claims the hand.", "seat")
    cards = [(word(request, f"{who}-card"), word(request, f"{who}-pin", 20)) for who in ("first", "second")]
    number = _round_number(request)
    where: dict[str, Any] = {"table_code": _table(request, code).code, "round_number": number, "seat": int(seat)}
    words: dict[str, Any] = {name: word(request, name) for name in ("hand", "reason", "evidence")}
    told: dict[str, Any] = {"by": _person(request), "source": typed_here(request), "file": uploaded(request)}
    late_claim.claim(**where, **words, cards=cards, **told)
    return f"The claim of seat {seat} in round {number} is open and frozen. It waits for its approval."


@posts("void", back_to="pit-hits", again=again)
def pit_void(request: HttpRequest, *, code: str) -> str:
    """A supervisor takes a round back; of an earlier gaming day two people do."""
    table, number = _table(request, code), _round_number(request)
    first, second = ((word(request, f"{who}-card"), word(request, f"{who}-pin", 20)) for who in ("first", "second"))
    signed = signers(table.code, first=first, second=second, source=typed_here(request))
    void_round(table_code=table.code, round_number=number, reason=word(request, "reason"), **signed._asdict())
    return f"Round {number} is void: its hands fall, its coin-in is taken back."


def _voidable(rounds: list[Round]) -> list[Round]:
    """The last rounds that a void may still meet; what is awarded needs a back-out first."""
    return [each for each in rounds if each.state != RoundState.VOID]


def _over(request: HttpRequest, table: Table, rounds: list[Round], asked: str) -> list[dict[str, Any]]:
    """The last rounds that may have a late claim, and the one that a link asked for."""
    # Under 18 digits, so that whatever a link says fits the column.
    if asked.isascii() and asked.isdigit() and len(asked) < 18 and all(str(each.number) != asked for each in rounds):
        rounds = [*rounds, *round_lists.rounds_of(request.user).filter(table=table, number=int(asked))]
    over = [each for each in rounds if each.state == RoundState.ENDED and each.seats_played.everybody]
    return [
        {"number": each.number, "opened_at": each.opened_at, "spoken": spoken_seats(each.seats_played.everybody)}
        for each in over
    ]


def _lit(running: Round, typed: Mapping[str, Any]) -> list[LitKey]:
    place = RoundRef(running.table.code, running.number)
    refused = typed["hand"] if typed.get("form") == "seats" else None
    chosen = [int(seat) for seat in typed.get("seats", ()) if seat in set("123456789")]
    return [
        _lit_key(running, hand, said, chosen if hand == refused else None)
        for hand, said in lit_keys.lit_now(place).items()
    ]


def _lit_key(running: Round, hand: str, said: Any, chosen: list[int] | None = None) -> LitKey:
    first = lit_keys.first_mark(RoundRef(running.table.code, running.number), hand)
    proposed = set((said or lit_keys.proposed(running, hand)) if chosen is None else chosen)
    seats = [(seat, seat in proposed) for seat in lit_keys.assignable(running, hand)]
    board = hand in lit_keys.board_hands(running.table.game)
    return LitKey(hand, first.line_name, first.marked_at, seats, bool(said), board)


def _open(table: Table, wins: list[Win], running: Round | None) -> list[OpenRound]:
    cases = {case.round_number: case for case in table.cases.select_related("executive", "second")}
    number = running.number if running else None
    hits = round_hits(wins, {(table.code, number)} if number else ())
    return [OpenRound(each, each.round == number, cases.get(each.round)) for each in hits]


def _hands(table: Table) -> list[tuple[str, str]]:
    """Every hand that a jackpot of this table pays, highest first."""
    # The hands in force are only a choice that is offered: the claim is judged by the version of its round's coin-in.
    levels = [link.jackpot for link in table.links.select_related("jackpot__version").order_by("level")]
    lines = [line for jackpot in levels if jackpot.version for line in jackpot.version.value.pay_table]
    return list({line.code: line.name for line in lines}.items())


def _round_number(request: HttpRequest) -> int:
    number = word(request, "round", 18)
    if not (number.isascii() and number.isdigit() and int(number)):
        raise NotUnderstood("Choose the round.", "round")
    return int(number)


def _person(request: HttpRequest) -> Operator:
    assert isinstance(request.user, Operator), "only who is signed in comes to a form"
    return request.user


def _table(request: HttpRequest, code: str) -> Table:
    return get_object_or_404(round_lists.tables_of(request.user), code=code)
