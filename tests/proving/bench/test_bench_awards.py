"""Approvals by the clock, and pages that must lie in the folder byte for byte."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest

from proving.bench import awards
from proving.bench.awards import Approvals
from proving.bench.pages import Printing, _same
from proving.house import NotCarriedOut
from proving.wires import BenchPerson, BenchTable


class ABox:
    """A controller whose swipes take as long as it says."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.round, self.said, self._seconds = 0, list[str](), seconds

    def say(self, do: str, **_: Any) -> dict[str, Any]:
        self.said.append(do)
        time.sleep(self._seconds if do == "card" else 0)
        return {"hits": [{"id": 7}], "wins": [{}]}


class ADesk:
    def __init__(self, refuses: bool = False) -> None:
        self.paths: list[str] = []
        self._refuses = refuses

    def acts(self, path: str, _: Any) -> dict[str, Any]:
        if self._refuses:
            raise NotCarriedOut("no")
        self.paths.append(path)
        return {"slip": 1, "number": 0, "sha256": "a"}


def approvals(*boxes: ABox) -> tuple[Approvals, ADesk]:
    desk = ADesk()
    return Approvals(cast("list[BenchTable]", list(boxes)), cast("BenchPerson", desk)), desk


def test_a_hit_is_marked_asked_for_and_shown_before_the_clock_starts() -> None:
    box = ABox()
    made, desk = approvals(box)
    made.prepare()
    assert (box.said, desk.paths, made.milliseconds) == (["coin_in", "mark", "confirm"], ["/api/v1/wins/7/verify/"], [])


def test_awards_go_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awards, "A_SECOND", 50)
    made, _ = approvals(*[ABox() for _ in range(4)])
    began = time.perf_counter()
    made.approve(began + 60)
    assert time.perf_counter() - began >= 0.06
    assert (made.made, len(made.milliseconds)) == (4, 4)


def test_what_is_answered_after_the_players_have_gone_is_made_but_not_counted() -> None:
    made, _ = approvals(ABox(), ABox(0.5), ABox())
    made.approve(time.perf_counter() + 0.4)
    assert (made.made, len(made.milliseconds)) == (3, 1)


def test_a_page_that_was_refused_is_no_page_and_says_why() -> None:
    printing = Printing(cast("Any", None), [], [1, 2, 3])
    milliseconds: list[float] = []
    printing._print(cast("BenchPerson", ADesk()), [1, 2], {}, milliseconds)
    printing._print(cast("BenchPerson", ADesk(refuses=True)), [3], {}, milliseconds)
    assert (len(milliseconds), len(printing.told), printing.trouble) == (2, 2, "no")


def test_a_folder_with_other_bytes_is_not_the_same() -> None:
    assert _same(["a", "b"], ["a", "b"]) == 2
    assert _same(["a", "c"], ["a", "b"]) == "2 files, other bytes"
