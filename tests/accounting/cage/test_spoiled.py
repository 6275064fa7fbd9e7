"""A page that came out torn or unreadable is noted by itself, whether or not another one is printed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from accounting.paper.models.page import Copy, SpoiledCopy
from jackpot.trail.models import Trail
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_spoiled_page_is_an_event_of_its_own_once_and_whoever_printed_it() -> None:
    win = WinFloor().royal()
    client = signed_in("read_books", "pay", username="window")
    client.post(f"/office/wins/{win.slip}/print/", {"form": "letter"})
    asked = f"/office/wins/{win.slip}/spoiled/"
    assert "what spoiled the page" in text(client.post(asked, {"copy": "0", "reason": " "}, follow=True))
    told = text(client.post(asked, {"copy": "0", "reason": "jammed in the tray"}, follow=True))
    assert f"ORIGINAL of slip {win.slip} is noted as spoiled: jammed in the tray." in told
    assert "was noted as spoiled by Test Window already" in text(
        client.post(asked, {"copy": "0", "reason": "again"}, follow=True)
    )
    for copy in ("7", "²", ""):
        assert "Look at the list of its copies" in text(client.post(asked, {"copy": copy, "reason": "x"}, follow=True))
    line = Trail.objects.get(act="spoil_page")
    assert (line.object_kind, line.object_key, line.details) == ("slip", str(win.slip), {"copy": "ORIGINAL"})
    assert Copy.objects.get().number == 0, "its number and its bytes stay"
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        SpoiledCopy.objects.update(why="other")
