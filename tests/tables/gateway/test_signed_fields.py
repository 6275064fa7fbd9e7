"""Whatever of a signed message is changed on its way, it is not heard; and what was captured fits nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.rounds.models.round import Round
from tests.builders import a_casino, a_controller, a_table
from tests.controller import HttpController, secret_for
from tests.indoors import Indoors
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db
SAID = json.dumps({"id": 1, "do": "coin_in", "round": 1, "seats": [1, 2]}).encode()
UNHEARD = {401, 403}


@pytest.fixture
def box(indoors: Indoors) -> HttpController:
    casino = a_casino()
    return HttpController(indoors, casino.controller, secret_for(casino.controller))


def heard(box: HttpController, path: str, body: bytes, headers: dict[str, str]) -> int:
    status: int = box.live.post(path, body, headers, PATIENCE)[0]
    return status


def test_every_letter_of_the_body_is_signed(box: HttpController) -> None:
    headers = box.headers(SAID)
    for place in range(len(SAID)):
        changed = SAID[:place] + bytes([SAID[place] ^ 1]) + SAID[place + 1 :]
        assert heard(box, box.path, changed, headers) == 401, changed
    for changed in (SAID + b" ", SAID[:-1], b"", SAID * 2):
        assert heard(box, box.path, changed, headers) == 401
    assert not Round.objects.exists()
    assert heard(box, box.path, SAID, headers) == 200, "as it was signed it is heard"


@pytest.mark.parametrize("name", ["X-Time", "X-Sequence", "X-Signature", "X-Device"])
def test_every_word_of_the_head_is_signed(box: HttpController, name: str) -> None:
    headers = box.headers(SAID)
    right = headers[name]
    for wrong in (str(int(right) + 1) if right.isdigit() else right[:-1] + "x", right + "0", "", right[::-1]):
        if wrong != right:
            assert heard(box, box.path, SAID, {**headers, name: wrong}) in UNHEARD, wrong
    assert not Round.objects.exists()


def test_what_was_signed_for_one_table_by_one_box_fits_no_other(box: HttpController) -> None:
    table = a_table("UTH-02", box.device.table.links.get().jackpot)  # type: ignore[union-attr]
    another = a_controller(table)
    secret_for(another)
    headers = box.headers(SAID)
    elsewhere = f"/api/v1/tables/{table.code}/messages"
    assert heard(box, elsewhere, SAID, headers) in UNHEARD
    assert heard(box, box.path, SAID, {**headers, "X-Device": another.code}) in UNHEARD
    assert heard(box, elsewhere, SAID, {**headers, "X-Device": another.code}) in UNHEARD
    assert not Round.objects.exists()


def test_an_empty_secret_and_the_signature_of_nothing_open_nothing(box: HttpController) -> None:
    for secret in (b"", b"\0" * 32, bytes(32)):
        thief = HttpController(box.live, box.device, secret)
        told: Any = thief.say(do="coin_in", round=1, seats=[1])
        assert told[0] == 401
