"""One verified message becomes one act and one answer.

Counting goes through the batch, all else through a small pool.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from jackpot.proof.actions.high_water import heard_from
from jackpot.refusals import NotUnderstood, Refused
from tables.gateway.acting import ActingLines
from tables.gateway.actions import device as device_acts
from tables.gateway.actions.device import Heard
from tables.gateway.actions.greeting import Greeting, greet
from tables.gateway.acts import ACTS, act_of_device
from tables.gateway.batcher import ANSWER_WITHIN, Batcher, TooBusy
from tables.gateway.logbook import Logbook
from tables.gateway.messages import Message, NotAMessage, answer_bytes, refusal_bytes, stored_answer
from tables.gateway.pool import in_own_connection
from tables.gateway.refusing import refusal_of, with_status
from tables.gateway.speakers import Speaker, Speakers
from tables.gateway.together import Together
from tables.rounds.actions.round import OutcomeUnknown
from tables.rounds.rules.further import FurtherSeats, why_unknown
from tables.rounds.rules.round import (
    IN_HOUSE,
    CoinInRequest,
    Credential,
    DeviceRequest,
    Outcome,
    PostedAnswer,
    Refusal,
    RoundRequest,
    more_spots,
)
from tables.rounds.rules.sensors import Alarm, SpotHistory, end_alarms, live_alarms, lock_alarms

T = TypeVar("T")
WagerAlarms = Mapping[str, list[Alarm]]  # by the wager's code; the first has none
NO_ALARMS: Final[WagerAlarms] = {}
COUNTED: Final = ("coin_in", "end")


class Answer(NamedTuple):
    """What the device hears, and the HTTP status that fits it."""

    status: int
    body: bytes


SayAnswer = Callable[[Answer], None]
_kept: set[asyncio.Future[None]] = set()
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Session:
    """What one connection has said since its hello.

    Only a WebSocket compares counts: over HTTP any process may be spoken to, and none has heard everything.
    """

    compares: bool = True
    rounds: int = 0
    coin_ins: int = 0
    others: int = 0

    @property
    def answers(self) -> int:
        """A look at the floor that began before the newest of them may not be told after it."""
        return self.rounds + self.coin_ins + self.others


@dataclass(slots=True)
class GatewayServices:
    """The parts of the gateway that answering needs; one per process."""

    batcher: Batcher
    pool: Executor
    logbook: Logbook
    acting: ActingLines | None = None
    speakers: Speakers = field(default_factory=Speakers)
    histories: dict[str, SpotHistory] = field(default_factory=dict)
    further_histories: dict[str, dict[str, SpotHistory]] = field(default_factory=dict)  # by table, then by wager
    seen: dict[str, Heard] = field(default_factory=dict)
    marks: dict[str, Mapping[str, str]] = field(default_factory=dict)  # what each box said last that it remembers
    _readers: Together[str, Speaker | None] = field(init=False)
    _greeters: Together[Greeting, dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self._readers = Together(self.pool, self.speakers.read, "codes")
        self._greeters = Together(self.pool, greet, "greetings")

    async def read(self, code: str) -> Speaker | None:
        """A device as the database has it now."""
        return await self._readers.ask(code)

    async def greet(
        self, speaker: Speaker, version: str, connection: str, marks: Mapping[str, str],
        still_there: Callable[[], bool] = lambda: True,
    ) -> dict[str, Any]:  # fmt: skip
        """What a controller hears that says hello; what it remembers of the books is compared if it is news."""
        news = {} if self.marks.get(speaker.code) == marks else marks
        facts = await self._greeters.ask(Greeting(speaker.code, version, connection, news, still_there))
        if marks:
            self.marks[speaker.code] = marks
        return facts


async def answer(
    services: GatewayServices, speaker: Speaker, message: Message, session: Session, spoken: Credential = IN_HOUSE
) -> Answer:
    """Answers one message; whatever goes wrong becomes a refusal with its sentence."""
    try:
        if message.do in COUNTED:
            return await _counted(services, speaker, message, session, spoken)
        return await _other(services, speaker, message, session, spoken)
    except (NotAMessage, Refused, TooBusy, OutcomeUnknown, DatabaseError, InterfaceError) as problem:
        return trouble(services, speaker, message, problem)


def trouble(services: GatewayServices, speaker: Speaker, message: Message, problem: Exception) -> Answer:
    """The refusal that a problem becomes."""
    return refused(services, speaker, message, *refusal_of(problem, speaker, message))


def refused(
    services: GatewayServices, speaker: Speaker, message: Message, code: str, why: str, status: int | None = None
) -> Answer:
    status = status or with_status(code, why).status
    # “Say it again” is no refusal of anybody: a busy second would fill the trail with it.
    if status != 503:
        services.logbook.refused(speaker.code, message.do, speaker.table_code, code, why)
    return Answer(status, refusal_bytes(message.id, code, why))


async def _counted(
    services: GatewayServices, speaker: Speaker, message: Message, session: Session, spoken: Credential
) -> Answer:
    said: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def say(answer: Answer) -> None:
        if not said.done():
            said.set_result(answer)

    count(services, speaker, message, message.counted_act(), session, spoken, say)
    return await said


def count(  # whoever speaks, what, and who hears the answer
    services: GatewayServices, speaker: Speaker, message: Message, act: RoundRequest, session: Session,
    spoken: Credential, say: SayAnswer,
) -> None:  # fmt: skip
    """A coin-in or an end: posted with the batch; `say` gets the answer after its commit. Nothing here waits."""
    # Below its version a box begins nothing; a round that runs is played to its end (decision 0008).
    if isinstance(act, CoinInRequest) and speaker.below_version is not None:
        say(refused(services, speaker, message, "version", speaker.below_version))
        return

    def tell(outcome: Outcome | Exception) -> None:
        if isinstance(outcome, Exception):
            say(trouble(services, speaker, message, outcome))
        elif isinstance(outcome, Refusal):
            say(refused(services, speaker, message, outcome.code, outcome.why))
        else:
            alarms = _alarms_of(services, speaker, act, session, outcome)
            answer = Answer(200, stored_answer(message.id, outcome.answer, outcome.repeat))
            if alarms:
                _keep(_noted_first(services, speaker, message, (act.round, alarms), answer, say))
            else:
                say(answer)

    asked = DeviceRequest(speaker.table_code, speaker.id, spoken.sequence, act, spoken.generation)
    services.batcher.submit(asked, tell)


def _alarms_of(
    services: GatewayServices, speaker: Speaker, act: RoundRequest, session: Session, posted: PostedAnswer
) -> WagerAlarms:
    """Counts it for the session; what the sensors of each wager say is looked at once, and not at a repeat."""
    if isinstance(act, CoinInRequest):
        session.coin_ins += 1
    else:
        session.rounds += 1
    history = services.histories.get(speaker.table_code)
    further = services.further_histories.get(speaker.table_code)
    if (history is None and further is None) or posted.repeat:
        return NO_ALARMS
    said = (
        {"": act.seats, **{each.code: each.seats for each in act.further}} if isinstance(act, CoinInRequest) else None
    )
    watched = {**({"": history} if history is not None else {}), **(further or {})}
    found = {
        wager: end_alarms(each) if said is None else lock_alarms(each, said.get(wager, ""))
        for wager, each in watched.items()
    }
    return {wager: alarms for wager, alarms in found.items() if alarms}


async def _noted_first(
    services: GatewayServices, speaker: Speaker, message: Message, alarms: tuple[int, WagerAlarms], answer: Answer,
    say: SayAnswer,
) -> None:  # fmt: skip
    """What the sensors did is kept before the round is answered."""
    try:
        for wager, found in alarms[1].items():
            await _note(services, speaker, alarms[0], found, wager)
    except (DatabaseError, InterfaceError) as problem:
        answer = trouble(services, speaker, message, problem)
    say(answer)


def _keep(work: Coroutine[Any, Any, None]) -> None:
    """A task that nobody holds may vanish before it is done."""
    task = asyncio.ensure_future(work)
    _kept.add(task)
    task.add_done_callback(_kept.discard)


async def _other(
    services: GatewayServices, speaker: Speaker, message: Message, session: Session, spoken: Credential
) -> Answer:
    if message.do == "beat":
        note_heard(services, speaker, spoken)
        fields = await _beat(services, speaker, message, session)
    elif message.do == "spots":
        note_heard(services, speaker, spoken)
        fields = await _spots(services, speaker, message)
    elif message.do in ACTS:
        with services.batcher.way.taken():
            return Answer(200, await _in_time(_act(services, speaker, message, spoken)))
    else:
        raise NotAMessage("This connection has said hello already.")
    return Answer(200, answer_bytes(message.id, {"ok": True, **fields}))


async def _act(services: GatewayServices, speaker: Speaker, message: Message, spoken: Credential) -> bytes:
    """Beside the gateway; where nothing lives there, in its pool."""
    if services.acting is not None and services.acting.are_open:
        return await services.acting.act(speaker, message, spoken)
    fields = await _in_pool(services, act_of_device, speaker=speaker, message=message, spoken=spoken)
    return answer_bytes(message.id, {"ok": True, **fields})


async def _in_time(act: Awaitable[T]) -> T:
    """An act whose commit hangs is left alone, never cancelled; the device says it again and hears what came of it."""
    work = asyncio.ensure_future(act)
    done, _ = await asyncio.wait([work], timeout=ANSWER_WITHIN)
    if not done:
        work.add_done_callback(lambda late: late.exception())  # nobody else will ask for it
        raise OutcomeUnknown("The database has not confirmed.")
    return work.result()


async def _in_pool(services: GatewayServices, work: Callable[..., T], **arguments: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(services.pool, in_own_connection(work, **arguments))


def note_heard(services: GatewayServices, speaker: Speaker, spoken: Credential) -> None:
    """That it was heard, and by which number: written once a second, so that no process hears it twice for long."""
    services.seen[speaker.code] = Heard(timezone.now(), spoken.sequence, spoken.generation)


async def _beat(services: GatewayServices, speaker: Speaker, message: Message, session: Session) -> dict[str, Any]:
    """Once a second. A controller that counted otherwise than we did has its table held until somebody looks."""
    theirs = (message.counted("rounds", session.rounds), message.counted("coin_ins", session.coin_ins))
    # Two counts that differ mean that one of them lost or doubled a round: nothing more is counted on such books.
    if session.compares and theirs != (session.rounds, session.coin_ins):
        why = (
            f"its controller counts {theirs[1]} coin-ins and {theirs[0]} ends, "
            f"the server {session.coin_ins} and {session.rounds}"
        )
        await _in_pool(services, device_acts.hold_table, table_code=speaker.table_code, why=why, by=speaker.code)
        raise Refused(f"{speaker.table_code} is held: {why}. A supervisor releases it.", "counts_differ")
    await hear_marks(services, speaker, message)
    return {"at": timezone.now().isoformat(), "link": "up"}


async def hear_marks(services: GatewayServices, speaker: Speaker, message: Message) -> None:
    """What the box remembers of the books; the same again costs nothing."""
    marks = message.marks()
    if marks and services.marks.get(speaker.code) != marks:
        await _in_pool(services, heard_from, by=f"device {speaker.code}", marks=marks)
        services.marks[speaker.code] = marks


async def _spots(services: GatewayServices, speaker: Speaker, message: Message) -> dict[str, Any]:
    spots, further = message.spots(), message.further_spots()
    for each in (spots, *further.values()):
        if why := more_spots(speaker.table_code, speaker.seats, each):
            raise NotUnderstood(why, "spots")
    if further:
        await _further_spots(services, speaker, further)
    history = services.histories.setdefault(speaker.table_code, SpotHistory())
    await _note(services, speaker, None, live_alarms(history, spots))
    return {}


async def _further_spots(services: GatewayServices, speaker: Speaker, further: Mapping[str, str]) -> None:
    """The signs of further wagers; of a wager that the table does not take nothing is kept."""
    known = services.further_histories.get(speaker.table_code, {})
    if not further.keys() <= known.keys():
        codes = await _in_pool(services, device_acts.further_codes, table_code=speaker.table_code)
        if why := why_unknown(speaker.table_code, codes, (FurtherSeats(code, "") for code in further)):
            raise NotUnderstood(why, "wager")
        known = services.further_histories[speaker.table_code] = {
            code: known.get(code, SpotHistory()) for code in codes
        }  # fmt: skip
    for wager, spots in further.items():
        await _note(services, speaker, None, live_alarms(known[wager], spots), wager)


async def _note(
    services: GatewayServices, speaker: Speaker, round_number: int | None, alarms: list[Alarm], wager: str = ""
) -> None:  # fmt: skip
    if alarms:
        facts = {"table_code": speaker.table_code, "round_number": round_number, "alarms": alarms, "wager": wager}
        await _in_pool(services, device_acts.note_alarms, **facts)
