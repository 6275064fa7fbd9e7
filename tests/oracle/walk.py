"""An evening, act by act: said at a door, answered by the oracle, compared."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.oracle.acts import expected, place_of, reading, win_of
from tests.oracle.doors import Answer, Broken
from tests.oracle.floor import Act, Expected, amounts_of
from tests.oracle.house import House, floor_of
from tests.oracle.sheet import cut, spoken, units
from tests.oracle.wall import judged
from tests.oracle.wall_beside import Disagreement, WallBeside

SELDOM = 10  # the list of jackpots and the sign's snapshot are asked so often; table and feed show the same each time


class Evening:
    """The house beside the oracle."""

    def __init__(self, house: House, switches: str, tally: Counter[str] | None = None) -> None:
        self.house, self.floor = house, floor_of(switches)
        self.acts: list[Act] = []
        self.tally: Counter[str] = Counter() if tally is None else tally
        self.shown: dict[str, tuple[int, int]] = {}
        self.wall = WallBeside(house.recorder, self)

    def play(self, act: Act) -> None:
        """One act, and everything that must be true after it."""
        place, win = (None, None)
        if "back" in act:
            place = place_of(self.floor, act)
        if "which" in act:
            win = win_of(self.floor, act)
        number = self.floor.tables[act["table"]].last + 1 - act["back"] if act["do"] == "coin_in" else 0
        read = reading(self.floor, act["jackpot"]) if act["do"] == "retire" else 0
        due = expected(self.floor, act)
        if due is None:
            return
        self.acts.append(act)
        self.wall.before(act)
        heard = self.heard(lambda: self.house.do(act, place[1] if place and not number else number, win, read))
        self.tally["steps"] += 1
        self.tally[act["do"] if heard["ok"] else f"{act['do']} refused"] += 1
        self.answered(act, due, heard)
        if heard["ok"]:
            self.wall.after(act, due)
        if heard["ok"] or self.tally["steps"] % 4 == 0:  # a refusal moves nothing: asked now and then
            self.stands()
            if self.tally["steps"] % SELDOM == 0:
                self.hangs()

    def ends(self) -> None:
        """The wall comes to rest at what stands."""
        self.wall.wait()
        self.tally.update(self.wall.recording.tally)
        self.tally["evenings"] += 1

    def heard(self, ask: Callable[[], Any]) -> Any:
        """What a door answered; one that breaks is a disagreement too."""
        try:
            return ask()
        except Broken as problem:
            raise Disagreement(str(problem), self.acts) from None

    def answered(self, act: Act, due: Expected, heard: Answer) -> None:
        told = f"{dict(act)} was answered {heard}"
        if due.ok is None:
            return
        self.check(heard["ok"] is due.ok, f"{told}; the rule says {'yes' if due.ok else f'no ({due.code})'}")
        if due.code:
            self.check(heard["code"] == due.code, f"{told}; the rule says {due.code}")
        if act["do"] == "coin_in" and not heard.get("repeat") and heard["ok"]:
            self.check(bool(heard.get("kept_back")) is due.kept, f"{told}; kept back: {due.kept}")
        if due.missing:
            self.check(bool(heard.get("missing")), f"{told}; another person is still needed")
        if due.pages is not None:
            self.check("wins" in heard, f"{told}; the rule pays {spoken_pages(amounts_of(due.pages))}")
            self.paid(due, heard["wins"], told)
        if act["do"] in ("confirm", "park", "claim") and heard.get("hits"):
            self.judged(act, heard["hits"], told)

    def paid(self, due: Expected, wins: list[Answer], told: str) -> None:
        """Who is paid how much, in which order."""
        assert due.pages is not None
        found = [(win["jackpot"], win["seat"], win["hand"], units(win["amount"])) for win in wins]
        self.check(found == amounts_of(due.pages), f"{told}; the rule pays {spoken_pages(amounts_of(due.pages))}")
        for page, win in zip(due.pages, wins, strict=True):
            self.check(page.slip in (0, win["slip"]), f"{told}; this was slip {page.slip}")
            page.slip = win["slip"]
            self.tally["pages"] += 1

    def judged(self, act: Act, hits: list[Answer], told: str) -> None:
        """CONFIRM says what would be paid now, every act before it counted."""
        place = place_of(self.floor, act)
        due = [
            (page.seat, page.code, page.amount)
            for jackpot in self.floor.ledgers
            for at, pages, _ in judged(self.floor, jackpot).acts if at == place
            for page in pages
        ]  # fmt: skip
        found = [(hit["seat"], hit["hand"], units(hit["amount"])) for hit in hits]
        self.check(found == due, f"{told}; the rule says {[(seat, code, spoken(sum_)) for seat, code, sum_ in due]}")

    def stands(self) -> None:
        ask = self.house.read if self.tally["steps"] % SELDOM else self.house.balances
        for code, found in self.heard(ask).items():
            due = self.floor.ledgers[code].balances()
            wrong = {
                name: f"{spoken(found[name])}, not {spoken(due[name])}" for name in due if due[name] != found[name]
            }
            self.check(not wrong, f"{code} stands at {wrong} after {dict(self.acts[-1])}")

    def hangs(self) -> None:
        """The sign: its figure is what a further top hit would get; it falls only with a reason."""
        wall, verifying = self.heard(self.house.wall), []
        for meter in wall["meters"]:
            judgement = judged(self.floor, meter["code"])
            due, found = judgement.live, units(meter["amount"])
            after = dict(self.acts[-1])
            self.check(found == due, f"{meter['code']} on the sign is {spoken(found)}, not {spoken(due)} after {after}")
            before, version = self.shown.get(meter["code"], (0, 0))
            explained = bool(meter["reason"]) and meter["version"] > version
            self.check(
                found >= before or explained, f"{meter['code']} on the sign falls without a reason after {after}"
            )
            self.shown[meter["code"]] = found, meter["version"]
            says_so = meter["reason"] == "verifying" or not judgement.has_part
            self.check(says_so, f"{meter['code']} on the sign says {meter['reason']} after {after}")
            verifying += judgement.verifying()
        found = sorted((each["table"], units(each["amount"])) for each in wall["verifying"])
        self.check(
            found == sorted(verifying), f"the sign verifies {wall['verifying']}, the rule {spoken_verifying(verifying)}"
        )

    def check(self, holds: bool, what: str) -> None:
        if not holds:
            raise Disagreement(what, self.acts)


def spoken_pages(pages: list[tuple[str, int, str, int]]) -> str:
    return "; ".join(f"{jackpot} seat {seat} {code} {spoken(amount)}" for jackpot, seat, code, amount in pages)


def spoken_verifying(hits: list[tuple[str, int]]) -> list[tuple[str, str]]:
    return [(table, spoken(amount)) for table, amount in hits]


def shown(meter: int) -> str:
    return spoken(cut(meter))


def script_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]
