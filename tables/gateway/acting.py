"""Acts of devices that are done in a process beside the gateway: each of an act's many trips to the database would
cost a turn of Python's lock there, and the floor is heard meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from jackpot.refusals import Refused
from tables.gateway.acts import act_of_device
from tables.gateway.beside import SideGone, SideLine
from tables.gateway.messages import Message, answer_bytes
from tables.gateway.pool import in_own_connection
from tables.gateway.refusing import refusal_of
from tables.gateway.speakers import Speaker
from tables.rounds.actions.round import OutcomeUnknown
from tables.rounds.rules.round import Credential

ACTORS: Final = 4  # at once; who comes then waits for one of them


class ActingLines:
    """The gateway's side: an act takes a line that is free."""

    def __init__(self, lines: Sequence[SideLine]) -> None:
        self._free: asyncio.LifoQueue[SideLine] = asyncio.LifoQueue()
        for line in lines:
            self._free.put_nowait(line)
        self.are_open = bool(lines)  # all of them: one that ended is enough, and the gateway acts by itself

    async def act(self, speaker: Speaker, message: Message, spoken: Credential) -> bytes:
        """The answer to be said; what the act refuses is raised as it would be here."""
        line = await self._free.get()
        try:
            if not line.is_open:
                raise OutcomeUnknown("The process that was to do it has ended.")
            done, *told = await line.ask(plain_act(speaker, message, spoken))
        except SideGone as gone:
            self.are_open = False
            raise OutcomeUnknown(str(gone)) from gone
        finally:
            self._free.put_nowait(line)
        if done:
            answer: bytes = told[0]
            return answer
        code, why, status = told
        refusal = Refused(why, code)
        refusal.status = status
        raise refusal


def serve_act(plain: tuple[Any, ...]) -> tuple[Any, ...]:
    """In the process beside."""
    speaker, message, spoken = act_from(plain)
    try:
        fields = in_own_connection(act_of_device, speaker=speaker, message=message, spoken=spoken)()
    except Exception as problem:  # noqa: BLE001 - what it becomes says so, and logs what nobody expected
        return False, *refusal_of(problem, speaker, message)
    return True, answer_bytes(message.id, {"ok": True, **fields})


def plain_act(speaker: Speaker, message: Message, spoken: Credential) -> tuple[Any, ...]:
    """What an act asks of who speaks; secrets stay here."""
    who = speaker.id, speaker.code, speaker.table_code, speaker.below_version, speaker.person, speaker.seats
    return who, tuple(message), tuple(spoken)


def act_from(plain: tuple[Any, ...]) -> tuple[Speaker, Message, Credential]:
    (id_, code, table_code, below_version, person, seats), message, spoken = plain
    speaker = Speaker(
        id_, code, table_code, secrets=(), spent={}, below_version=below_version, person=person, seats=seats
    )
    return speaker, Message(*message), Credential(*spoken)
