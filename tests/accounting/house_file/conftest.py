"""A small casino file, and the same with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tables.floor.models.device import Device
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest
from tables.setup.actions.enrol import enrol, invite

SMALL = Path(__file__).with_name("small.toml")
Edited = Callable[..., Path]


@pytest.fixture
def edited(tmp_path: Path) -> Edited:
    """`edited(old, new)`: the small file with the first such text replaced; `edited()` is the file as it is."""

    def edit(old: str = "", new: str = "") -> Path:
        text = SMALL.read_text()
        assert old in text
        path = tmp_path / "small.toml"
        path.write_text(text.replace(old, new, 1) if old else text)
        return path

    return edit


@pytest.fixture
def open_round() -> Callable[[str], None]:
    """Lets a table count one chip at seat 1, so that its round is running."""

    def play(table_code: str) -> None:
        device = Device.objects.get(table__code=table_code)
        enrol(code=invite(device=device, by="tests"))
        post_messages([DeviceRequest(table_code, device.id, 1, CoinInRequest(1, "1"))])

    return play
