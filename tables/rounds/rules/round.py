"""What a table may ask of a round, and whether it may have it now. Values in, a value out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

import orjson

from jackpot.money import text_of_units
from tables.rounds.rules.further import FurtherFacts, FurtherPlayed, FurtherSeats, spelled, who_plays, why_unknown

MAINTENANCE: Final = "maintenance"
SECRET_ENDED: Final = "secret_ended"
REPLAY: Final = "replay"


class CoinInRequest(NamedTuple):
    """COIN IN / START GAME: which seats have a chip, and the sensor map as the controller saw it."""

    round: int
    seats: str
    spots: str = ""
    played_at: datetime | None = None  # as the box noted it
    further: tuple[FurtherSeats, ...] = ()  # the same of the table's further wagers, by code

    @property
    def players(self) -> str:
        """Seats with a chip on any wager."""
        return who_plays(self.seats, (each.seats for each in self.further)) if self.further else self.seats


class EndRequest(NamedTuple):
    """GAME OVER / END GAME."""

    round: int


RoundRequest = CoinInRequest | EndRequest


class Refusal(NamedTuple):
    code: str
    why: str


class Repeat(NamedTuple):
    """The same again: the stored answer counts."""

    answer: str


@dataclass(frozen=True, slots=True)
class Fresh:
    """Nothing stands in the way."""


FRESH: Final = Fresh()


class TableFacts(NamedTuple):
    """A table as it stands under the lock."""

    code: str
    state: str
    held_why: str
    seats: int
    last_round: int
    last_state: str
    key_at_jph: str = ""
    further: Sequence[FurtherFacts] = ()
    unsettled: int = 0  # the round of a banked hand that was not told to its end


class RoundFacts(NamedTuple):
    """The round that was asked for, if it exists already."""

    request: bytes
    answer: str
    seats: str
    state: str
    open_hits: int


class Credential(NamedTuple):
    """With what somebody spoke: the generation of the secret, and over signed HTTP the message's own number.

    Without a generation no secret spoke: it is an act of the house itself. Without a number a socket carried it, which
    proved itself when it was opened.
    """

    generation: int | None = None
    sequence: int = 0


IN_HOUSE: Final = Credential()


class SpeakingDevice(NamedTuple):
    """A device as the database has it at the moment when it speaks."""

    state: str | None
    stands_here: bool
    secret_holds: bool
    spent_before: int  # the highest number that the secret it speaks with has spent
    generation: int | None = None  # of its newest secret

    def newest(self, generation: int | None) -> bool:
        """It may speak here until somebody changes it: with its newest secret, or as an act of the house itself."""
        return self.state == "active" and self.stands_here and generation in (None, self.generation)


class DeviceRequest(NamedTuple):
    """One verified message of one table's device."""

    table_code: str
    device_id: int
    sequence: int
    act: RoundRequest
    generation: int | None = None

    @property
    def spoken(self) -> Credential:
        return Credential(self.generation, self.sequence)


class PostedAnswer(NamedTuple):
    """The answer to give, and whether it was given before."""

    answer: str
    repeat: bool


Outcome = PostedAnswer | Refusal


def request_digest(table_code: str, round_number: int, seats: str, further: Sequence[FurtherSeats] = ()) -> bytes:
    """What was asked, not what came of it: the meter has moved since."""
    # Spelled by hand: the digest is sealed in the entries of the round, so not one byte of it may ever change.
    beside = spelled(further) if further else ""
    return hashlib.sha256(f'["coin_in","{table_code}",{round_number},"{seats}"{beside}]'.encode("ascii")).digest()


def judge_coin_in(  # one parameter for each of the things it weighs
    device: SpeakingDevice,
    spoken: Credential,
    table: TableFacts,
    known: RoundFacts | None,
    wanted: CoinInRequest,
    request: bytes,
) -> Fresh | Repeat | Refusal:
    """Who speaks is heard; a round number is used once: the same again hears the same answer, other seats clash."""
    refusal = device_refused(device, table.code)
    if refusal is not None:
        return refusal
    # Before the message's number is judged: what is counted is counted, whatever number it is said again with.
    if known is not None:
        if known.request == request:
            return Repeat(known.answer)
        return Refusal(
            "clash",
            f"Round {wanted.round} at {table.code} was already counted with {_counted_with(known)}. "
            "Say hello again to learn the next round.",
        )
    return (
        number_refused(device, spoken)
        or table_refuses(table)
        or key_refuses(table)
        or seats_refused(table, wanted)
        or _number_refused(table, wanted)
        or FRESH
    )


def table_refuses(table: TableFacts) -> Refusal | None:
    """Why nothing may be posted at this table just now."""
    match table.state:
        case "open":
            return None
        case "closed":
            return Refusal("closed", f"{table.code} is closed. A supervisor opens it on the pit page.")
        case "held":
            why = table.held_why or "it was put on hold"
            return Refusal("held", f"{table.code} is held: {why}. A supervisor releases it on the pit page.")
        case _:
            return Refusal(MAINTENANCE, f"{table.code} is in maintenance: keys answer, nothing is counted.")


def key_refuses(table: TableFacts) -> Refusal | None:
    """While the supervisor's key stands at JPH the table counts nothing and ends nothing."""
    if not table.key_at_jph:
        return None
    return Refusal("key_at_jph", f"Key {table.key_at_jph} stands at JPH at {table.code}. Turn the key to RUN.")


def no_table(request: DeviceRequest) -> Refusal:
    return Refusal("no_table", f"There is no table {request.table_code} here. Ask the technician.")


def device_refused(device: SpeakingDevice, table_code: str) -> Refusal | None:
    """Why this device may not speak for this table now."""
    if device.state == "waiting":
        why = f"No secret of this controller is heard at {table_code}. A technician enrols it with a new one-time code."
        return Refusal(SECRET_ENDED, why)
    if device.state != "active":
        return Refusal("blocked", f"This controller is blocked at {table_code}. A technician lets it come back.")
    if not device.stands_here:
        return Refusal("wrong_table", f"This controller is not enrolled at {table_code}.")
    if not device.secret_holds:
        why = (
            f"This secret of the controller at {table_code} was replaced by a newer one. "
            "Use the newer secret, or ask a technician to enrol the controller again."
        )
        return Refusal(SECRET_ENDED, why)
    return None


def number_refused(device: SpeakingDevice, spoken: Credential) -> Refusal | None:
    """A number that was spent on an act or a refusal is spent in every process, and after every restart."""
    if spoken.generation is None or not spoken.sequence or spoken.sequence > device.spent_before:
        return None
    return Refusal(REPLAY, f"Sequence {spoken.sequence} was used. Use a number above {device.spent_before}.")


def _counted_with(known: RoundFacts) -> str:
    """ "seats 1 and 2, MEGA with seat 2": as the round stands, told from what was answered."""
    further: Mapping[str, Mapping[str, list[int]]] = orjson.loads(known.answer)["coin_in"].get("further", {})
    beside = [f"{code} with {spoken_seats(''.join(map(str, each['seats'])))}" for code, each in further.items()]
    return ", ".join([spoken_seats(known.seats), *beside])


def seats_refused(table: TableFacts, wanted: CoinInRequest) -> Refusal | None:
    """Seats, wagers and signs that this table does not have."""
    players = wanted.players
    if players and int(max(players)) > table.seats:
        beyond = next(seat for seat in players if int(seat) > table.seats)
        return Refusal("seats", f"{table.code} has seats 1 to {table.seats}; there is no seat {beyond}.")
    if wanted.further and (why := why_unknown(table.code, (each.code for each in table.further), wanted.further)):
        return Refusal("wager", why)
    for spots in (wanted.spots, *(each.spots for each in wanted.further)):
        if why := more_spots(table.code, table.seats, spots):
            return Refusal("spots", why)
    return None


def more_spots(table_code: str, seats: int, spots: str) -> str:
    """Why a sensor map cannot be this table's, or nothing."""
    if len(spots) <= seats:
        return ""
    return f"“spots” says {len(spots)} signs; {table_code} has {seats} seats. Send one sign a seat, seat 1 first."


def _number_refused(table: TableFacts, wanted: CoinInRequest) -> Refusal | None:
    if table.last_state == "open":
        return Refusal("round_open", f"Round {table.last_round} at {table.code} is still open. Press END GAME first.")
    due = table.last_round + 1
    if wanted.round != due:
        return Refusal("gap", f"The next round at {table.code} is {due}, not {wanted.round}. Say hello to agree again.")
    return None


def can_end(table: TableFacts, known: RoundFacts | None, number: int) -> bool:
    """Nothing stands in the way of ending this round."""
    free = not table.key_at_jph and table.unsettled != number
    return known is not None and known.state == "open" and not known.open_hits and free


def judge_end(table: TableFacts, known: RoundFacts | None, wanted: EndRequest, open_hits: str = "") -> Repeat | Refusal:
    """Why an END found no open round to end: said before, never begun, the key at JPH, or these hits still open."""
    if known is None:
        return Refusal(
            "no_round", f"Round {wanted.round} at {table.code} was never begun. The last is {table.last_round}."
        )
    if known.state != "open":
        return Repeat(end_answer(wanted.round))
    if known.open_hits or table.unsettled != wanted.round:
        return key_refuses(table) or _hits_refuse(table, known, wanted, open_hits)
    why = f"Round {wanted.round} at {table.code} is not settled: tell what became of each wager first."
    return key_refuses(table) or Refusal("unsettled", why)


def _hits_refuse(table: TableFacts, known: RoundFacts, wanted: EndRequest, open_hits: str) -> Refusal:
    hits = open_hits or ("a hit" if known.open_hits == 1 else f"{known.open_hits} hits")
    why = f"Round {wanted.round} at {table.code} still has open: {hits}. Settle that first, or an executive parks it."
    return Refusal("hits_open", why)


def coin_in_answer(
    round_number: int, seats: str, total: str, meters: Mapping[str, str], kept_back: str | None = None,
    further: Sequence[FurtherPlayed] = (),
) -> str:  # fmt: skip
    """What the controller hears and, word for word, what a repeat will hear."""
    counted: dict[str, object] = {"seats": [int(seat) for seat in seats], "total": total}
    if further:
        counted["further"] = further_plain(further)
    told: dict[str, object] = {"ok": True, "round": round_number, "coin_in": counted, "meters": meters}
    if kept_back:
        told["kept_back"] = kept_back
    return orjson.dumps(told).decode()


def further_plain(further: Sequence[FurtherPlayed]) -> dict[str, object]:
    """The further wagers of a round by code, as a controller hears them."""
    return {
        each.code: {"seats": [int(seat) for seat in each.seats], "total": text_of_units(each.total)} for each in further
    }


def end_answer(round_number: int) -> str:
    return f'{{"ok":true,"round":{round_number},"state":"ended","next_round":{round_number + 1}}}'


def spoken_seats(seats: str) -> str:
    """ "seats 1, 2 and 5", "seat 3", "no seat": seats as people say them."""
    if not seats:
        return "no seat"
    if len(seats) == 1:
        return f"seat {seats}"
    return f"seats {', '.join(seats[:-1])} and {seats[-1]}"
