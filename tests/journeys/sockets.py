"""Many tables at once over their own sockets, each saying the next word as soon as it was answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tables.floor.models.device import Device
from tables.gateway.messages import proof_of
from tests.controller import secret_for


def play_at_once(live: Any, devices: Sequence[Device], *, seats: int, rounds: int) -> int:
    """Every table plays so many rounds with all its seats in; the number of answers, each of them an `ok`."""
    secrets = [secret_for(device) for device in devices]
    codes = [device.table.code if device.table else "" for device in devices]

    async def table(device: Device, code: str, secret: bytes) -> int:
        path = f"/ws/tables/{code}"
        async with connect(live.ws_url + path, compression=None) as socket:
            nonce = json.loads(await socket.recv())["nonce"]
            proof = proof_of(secret, nonce, path, device.code, "2.0.0")
            await _told(socket, do="hello", device=device.code, version="2.0.0", profile="card", proof=proof)
            for number in range(1, rounds + 1):
                await _told(socket, do="coin_in", round=number, seats=list(range(1, seats + 1)))
                await _told(socket, do="end", round=number)
        return 2 * rounds

    async def floor() -> int:
        return sum(await asyncio.gather(*map(table, devices, codes, secrets)))

    return asyncio.run(floor())


async def _told(socket: ClientConnection, **words: Any) -> None:
    await socket.send(json.dumps({"id": 7, **words}))
    while (heard := json.loads(await socket.recv())).get("id") != 7:
        pass  # a push: the table listens later
    assert heard["ok"], heard
