"""What pages show while the trail cannot be written, with real commits."""

from __future__ import annotations

from jackpot.trail.actions.standing import try_the_trail
from jackpot.trail.actions.watching import watch_trail
from tests.jackpot.books.api_scene import signed_in
from tests.jackpot.trail.test_chain import BREAK, MEND
from tests.scenes_wins import WinFloor
from tests.tampering import tamper


def test_pages_say_it_and_show_nothing_that_is_a_persons_own(fresh_database: str) -> None:
    floor = WinFloor()
    win = floor.royal()
    reader = signed_in("read_books", "run_tables", "read_trail", premises=floor.casino.premises)
    tamper(BREAK)
    try:
        watch_trail()
        looked = reader.get(f"/office/wins/{win.slip}/")
        assert (looked.status_code, "The trail cannot be written" in looked.content.decode()) == (503, True)
        assert looked.headers["Refresh"] == "3"
        assert reader.get("/office/authority/").status_code in (200, 403)  # what was refused is refused, not a fault
        assert "Everything is stopped." in reader.get("/pit/").content.decode()
    finally:
        tamper(MEND)
        assert try_the_trail() == ""
    assert reader.get(f"/office/wins/{win.slip}/").status_code == 200
