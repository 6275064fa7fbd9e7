"""A web process with a grave mistake, for the drill alone: it acknowledges a batch before it commits it.

python -m proving.drill.early --socket FD [--ready FD]

The commit is left to a background task, as somebody in a hurry would do it.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Sequence
from typing import Final

from django.db import DatabaseError, InterfaceError, connection, transaction

from config.asgi import Application
from launcher.web import AnnouncedServer, web_config
from tables.gateway import gateway
from tables.gateway.batcher import Batcher
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.rules.round import DeviceRequest, Outcome

LATER: Final = 0.5  # most of the time something is acknowledged and not committed, however busy the machine is


class EarlyBatcher(Batcher):
    def __init__(self) -> None:
        super().__init__(self._post_now_commit_later)
        self._ends = self._coin_ins  # one lane: an end must see the round that is not committed yet

    def _post_now_commit_later(self, batch: Sequence[DeviceRequest]) -> list[Outcome]:
        try:
            transaction.set_autocommit(False)
        except (DatabaseError, InterfaceError) as problem:
            connection.close()
            raise OutcomeUnknown(str(problem)) from problem
        self._coin_ins.thread.submit(_commit)
        return post_messages(batch)

    async def close(self) -> None:
        await self._coin_ins.close()


def _commit() -> None:
    time.sleep(LATER)
    try:
        transaction.commit()
        transaction.set_autocommit(True)
    except (DatabaseError, InterfaceError):
        connection.close()


def application() -> Application:
    vars(gateway)["Batcher"] = EarlyBatcher  # in this process only
    return Application()


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="proving.drill.early")
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--ready", type=int)
    wishes = parser.parse_args(arguments)
    AnnouncedServer(web_config(application()), wishes.ready).run(sockets=[socket.socket(fileno=wishes.socket)])


if __name__ == "__main__":
    main(sys.argv[1:])
