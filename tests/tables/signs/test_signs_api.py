from __future__ import annotations

import pytest

from tests.builders import a_jackpot, a_sign
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db


def test_signs_tell_their_meters_in_the_order_shown() -> None:
    a_sign("WALL", a_jackpot("MINI"), a_jackpot("GRAND"))
    (sign,) = signed_in("see").get("/api/v1/signs/").json()["results"]
    assert (sign["code"], sign["jackpots"], sign["type"]) == ("WALL", ["MINI", "GRAND"], "picture")
