"""What a device may say, read strictly: an unknown word or a wrong value gets a sentence, never a guess."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final, NamedTuple

import orjson

from jackpot.said_once import SaidTwice, refuse_twice
from tables.floor.rules.wagers import MOST_WAGERS, WAGER_CODE
from tables.rounds.rules.further import FurtherSeats, read_further
from tables.rounds.rules.journal import KeptRound
from tables.rounds.rules.round import CoinInRequest, EndRequest, RoundRequest

LARGEST_MESSAGE: Final = 65_536
# The largest whole number that every controller's JSON holds exactly.
LARGEST_NUMBER: Final = 2**53 - 1
MOST_SEATS: Final = 9
MOST_MARKS, LONGEST_MARK = 20, 200
MOST_KEPT_ROUNDS: Final = 25  # in one message: their jackpots are locked for as long as they are posted
_KEPT: Final = frozenset({"round", "seats", "at", "open", "further"})

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "hello": frozenset({"device", "version", "profile", "proof", "console", "marks"}),
    "coin_in": frozenset({"round", "seats", "spots", "at", "further", "further_spots"}),
    "action": frozenset({"round", "bank", "bets"}),
    "settle": frozenset({"round", "results"}),
    "end": frozenset({"round", "at"}),
    "mark": frozenset({"round", "seat", "hand"}),
    "unmark": frozenset({"round", "seat", "hand"}),
    "confirm": frozenset({"round"}),
    "park": frozenset({"round", "card", "pin", "reason"}),
    "reject": frozenset({"round", "reason"}),
    "card": frozenset({"round", "card", "pin"}),
    "key": frozenset({"key", "position"}),
    "j_pot": frozenset({"pin"}),
    "void": frozenset({"round", "reason", "card", "pin", "key", "second_card", "second_pin"}),
    "recount": frozenset(
        {"round", "seats", "spots", "card", "pin", "key", "second_card", "second_pin", "further", "further_spots"}
    ),
    "dealer": frozenset({"badge", "in"}),
    "spots": frozenset({"spots", "round", "further_spots"}),
    "beat": frozenset({"rounds", "coin_ins", "marks"}),
    "journal": frozenset({"last_round", "last_slip", "rounds"}),
}
VERBS: Final = tuple(_WORDS)


def words_of(do: str) -> frozenset[str]:
    """What a message of that verb may say."""
    return _WORDS[do]


class NotAMessage(ValueError):
    """Something that no table controller should have said; `id` is its number, where that could be read."""

    def __init__(self, why: str, id_: int | str | None = None) -> None:
        super().__init__(why)
        self.id = id_


class Message(NamedTuple):
    """One request of a device. `id` is the sender's own and comes back in the answer."""

    id: int | str | None
    do: str
    words: Mapping[str, Any]

    def coin_in(self) -> CoinInRequest:
        return CoinInRequest(self.round(), self.seats(), self.spots(), self.played_at(), self.further())

    def end(self) -> EndRequest:
        return EndRequest(round=self.round())

    def counted_act(self) -> RoundRequest:
        """What a message of a verb that counts asks for."""
        return self.coin_in() if self.do == "coin_in" else self.end()

    def round(self) -> int:
        return whole_number(self.words.get("round"), "round", 1, LARGEST_NUMBER)

    def seats(self) -> str:
        return seats_text(self.words.get("seats"))

    def spots(self) -> str:
        return spots_text(self.words.get("spots", ""))

    def further(self) -> tuple[FurtherSeats, ...]:
        """Chips and sensors of the table's further wagers, by the wager's code."""
        if "further" not in self.words and "further_spots" not in self.words:
            return ()
        seats = {code: seats_text(each) for code, each in _by_wager(self.words, "further").items()}
        return read_further(seats, self.further_spots())

    def further_spots(self) -> dict[str, str]:
        return {code: spots_text(each) for code, each in _by_wager(self.words, "further_spots").items()}

    def played_at(self) -> datetime | None:
        """When it was played, where the box kept it for a while."""
        return moment_told(self.words.get("at"))

    def seat(self) -> int:
        return whole_number(self.words.get("seat"), "seat", 1, MOST_SEATS)

    def counted(self, word: str, ours: int) -> int:
        """What the device has counted itself; what it does not say it does not contest."""
        return whole_number(self.words.get(word, ours), word, 0, LARGEST_NUMBER)

    def marks(self) -> Mapping[str, str]:
        """What the box was told to remember of its jackpots' books, given back as it came."""
        value = self.words.get("marks") or {}
        fits = isinstance(value, dict) and len(value) <= MOST_MARKS
        if not fits or not all(isinstance(each, str) and len(each) <= LONGEST_MARK for each in value.values()):
            raise NotAMessage("“marks” must be the object of texts that hello gave, by jackpot.")
        return value

    def kept_rounds(self) -> list[KeptRound]:
        """Some of the journal of a box, in the order it was played."""
        value = self.words.get("rounds", [])
        if not isinstance(value, list) or len(value) > MOST_KEPT_ROUNDS:
            raise NotAMessage(f"“rounds” must be a list of at most {MOST_KEPT_ROUNDS} rounds.")
        kept = [_kept_round(each) for each in value]
        if any(later.number <= each.number for each, later in pairwise(kept)):
            raise NotAMessage("“rounds” must rise by their numbers.")
        return kept

    def names_a_seat(self) -> bool:
        """A hand key pressed alone names none."""
        return self.words.get("seat") is not None

    def console(self) -> bool:
        """Whether a page speaks: its session stands for the proof."""
        value = self.words.get("console", False)
        if not isinstance(value, bool):
            raise NotAMessage("“console” must be true, or left out.")
        return value

    def text(self, word: str, longest: int = 200) -> str:
        value = self.words.get(word, "")
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            raise NotAMessage(f"“{word}” must be a printable text of at most {longest} characters.")
        return value


def read_message(body: bytes | str) -> Message:
    """One JSON object with a verb we know and no word beside those it takes."""
    if len(body) > LARGEST_MESSAGE:
        raise NotAMessage("A message has at most 64 KiB.")
    try:
        said = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise NotAMessage('This is not JSON. Send one object such as {"id": 1, "do": "beat"}.') from None
    if not isinstance(said, dict):
        raise NotAMessage("Send one JSON object, not a list or a bare value.")
    names = len(said)
    id_, do = said.pop("id", None), said.pop("do", None)
    if id_ is not None and (isinstance(id_, bool) or not isinstance(id_, int | str) or len(str(id_)) > 40):
        raise NotAMessage("“id” must be a whole number or a short text.")
    colons = body.count(":") if isinstance(body, str) else body.count(b":")
    if colons > names and colons > names + _of_the_moment(body, said):  # cheap: a coin-in has no other colon
        _refuse_twice(body, id_)
    allowed = _WORDS.get(do) if isinstance(do, str) else None
    if allowed is None:
        raise NotAMessage(f"“do” must be one of {', '.join(VERBS)}.", id_)
    if not said.keys() <= allowed:
        stranger, known = min(said.keys() - allowed)[:40], ", ".join(sorted(allowed)) or "nothing else"
        raise NotAMessage(f"{do} takes no “{stranger}”. It takes {known}.", id_)
    return Message(id_, do, said)


def _of_the_moment(body: bytes | str, said: Mapping[str, Any]) -> int:
    """The colons of when it was played. Behind an escape a colon may hide, so of such a body none is believed."""
    at = said.get("at")
    escape: Any = "\\" if isinstance(body, str) else b"\\"
    return at.count(":") if isinstance(at, str) and escape not in body else 0


def _refuse_twice(body: bytes | str, id_: int | str | None) -> None:
    try:
        refuse_twice(body)
    except SaidTwice as why:
        raise NotAMessage(str(why), None if why.name == "id" else id_) from None
    except (RecursionError, ValueError):  # this reader gives up before the one that read it first
        raise NotAMessage("This JSON is nested too deeply, or holds a number of thousands of digits.", id_) from None


def whole_number(value: Any, word: str, smallest: int, largest: int) -> int:
    # `true` is a whole number in Python: a controller that sends it means no 1.
    if isinstance(value, bool) or not isinstance(value, int) or not smallest <= value <= largest:
        raise NotAMessage(f"“{word}” must be a whole number from {smallest} to {largest}.")
    return value


def _by_wager(words: Mapping[str, Any], word: str) -> Mapping[str, Any]:
    value = words.get(word) or {}
    fits = isinstance(value, dict) and len(value) < MOST_WAGERS
    if not fits or not all(WAGER_CODE.fullmatch(code) for code in value):
        raise NotAMessage(f"“{word}” must be an object by the codes of further wagers, as hello names them.")
    return value


def _kept_round(value: Any) -> KeptRound:
    if not isinstance(value, dict) or not value.keys() <= _KEPT or not isinstance(value.get("open", False), bool):
        why = "A round of the journal has “round”, “seats”, “further”, “at”, and “open” while it is not over."
        raise NotAMessage(why)
    number = whole_number(value.get("round"), "round", 1, LARGEST_NUMBER)
    said = _by_wager(value, "further")
    further = read_further({code: seats_text(each) for code, each in said.items()}, {})
    at, is_open = moment_told(value.get("at")), value.get("open", False)
    return KeptRound(number, seats_text(value.get("seats")), at, is_open, further)


def moment_told(value: Any) -> datetime | None:
    """ISO 8601 with its zone, or whole milliseconds since 1970."""
    if value is None:
        return None
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000, UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
    except (ValueError, OverflowError, OSError):
        moment = None
    if moment is None or moment.tzinfo is None or not 2000 <= moment.year <= 9000:
        raise NotAMessage("“at” must be a moment such as 2026-11-19T20:15:00Z, or whole milliseconds since 1970.")
    return moment


def seats_text(value: Any) -> str:
    """[2, 1, 5] → "125": each seat once, in order."""
    if not isinstance(value, list) or len(value) > MOST_SEATS:
        raise NotAMessage("“seats” must be a list of seat numbers, such as [1, 2, 5].")
    for seat in value:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= MOST_SEATS:
            raise NotAMessage("“seats” must hold whole seat numbers from 1 to 9.")
    if len(set(value)) != len(value):
        raise NotAMessage("“seats” names a seat twice.")
    # In order: the same seats told in another order are the same coin-in and no clash.
    return "".join(map(str, sorted(value)))


def spots_text(value: Any) -> str:
    """The sensor map, one character a seat: 1 lit, 0 dark, x no answer."""
    if not isinstance(value, str) or len(value) > MOST_SEATS or value.strip("01x"):
        raise NotAMessage('“spots” must be one character a seat: 1 lit, 0 dark, x no answer, such as "1100100".')
    return value


def answer_bytes(id_: int | str | None, fields: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"id": id_, **fields})


def stored_answer(id_: int | str | None, stored: str, repeat: bool) -> bytes:
    """The stored text of an act with this sender's id and whether it was said before.

    It is a JSON object with members, so two more go in front of its first; reading and writing it anew costs more.
    """
    assert stored.startswith('{"'), "a stored answer is an object that has members"
    return b'{"id":%s,"repeat":%s,%s' % (orjson.dumps(id_), b"true" if repeat else b"false", stored[1:].encode())


def refusal_bytes(id_: int | str | None, code: str, why: str, **more: Any) -> bytes:
    return orjson.dumps({"id": id_, "ok": False, "code": code, "why": why, **more})


def proof_of(secret: bytes, nonce: str, path: str, device: str, version: str) -> str:
    """What `hello` carries: the answer to the server's challenge."""
    return hmac.digest(secret, f"{nonce}|{path}|{device}|{version}".encode(), "sha256").hex()


def signature_of(secret: bytes, method: str, path: str, time: str, sequence: int, body: bytes) -> str:
    """What `X-Signature` carries on HTTP."""
    line = f"{method}\n{path}\n{time}\n{sequence}\n{hashlib.sha256(body).hexdigest()}"
    return hmac.digest(secret, line.encode(), "sha256").hex()
