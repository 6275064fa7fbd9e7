"""The house of an evening: its jackpots under a set of switches, its tables, its people, and its doors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from tests.oracle.doors import Answer, Box, Desk, SignedBox, SocketBox
from tests.oracle.floor import Act, Floor, Hit, Table
from tests.oracle.ledger import Ledger
from tests.oracle.recorder import Recorder
from tests.oracle.sheet import COLUMNS, sheet_of, spoken, units

CARDS = {
    "super": ("600000000001", "640318"), "exec1": ("900000000001", "274916"), "exec2": ("900000000002", "385027"),
    "exec3": ("900000000003", "496138"),
}  # fmt: skip
TWO = [{"card": "900000000004", "pin": "507249"}, {"card": "600000000002", "pin": "640319"}]
SECOND = {"card": "900000000005", "pin": "618350"}
PASSWORD = "a long word for the evening"
WALL = "WALL"
DESKS = ("office", "cage", "asker", "signer")
FEEDS = {
    "T-1": ("GRAND",), "T-2": ("GRAND", "MIDI"), "T-3": ("GRAND", "MIDI"), "T-4": ("GRAND", "MIDI"), "T-5": ("TWIN",),
    "T-6": ("GRAND",), "T-7": ("MEGA",),
}  # fmt: skip
CHIPS = {"T-7": "5.00"}  # elsewhere the first wager is 1.00
FURTHER = {"T-6": {"BIG": ("5.00", ("MEGA",))}}  # a second wager, with chips and jackpots of its own
HANDS = ("royal", "straight", "community", "house", "five", "four", "two", "pair")
PAYS: dict[str, list[dict[str, Any]]] = {
    "GRAND": [
        {"code": "royal", "name": "Royal flush", "part": "1", "envy": "30.00"},
        {"code": "straight", "name": "Straight flush", "part": "1/10"},
        {"code": "community", "name": "Community royal", "for_one": 3000, "source": "meter"},
        {"code": "house", "name": "Full house", "for_one": 10, "source": "tray"},
        {"code": "five", "name": "Five per cent", "part": "1/20"},
    ],
    "MIDI": [
        {"code": "straight", "name": "Straight flush", "part": "1", "envy": "20.00"},
        {"code": "royal", "name": "Royal flush", "part": "1/2"},
        {"code": "four", "name": "Four of a kind", "for_one": 110, "source": "meter", "envy": "7.00"},
        {"code": "five", "name": "A third", "part": "1/3"},
        {"code": "two", "name": "Two pair", "for_one": 30, "source": "tray"},
    ],
}  # fmt: skip
PAYS["TWIN"] = PAYS["GRAND"]
PAYS["MEGA"] = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "50.00"},
    {"code": "five", "name": "A quarter", "part": "1/4"},
    {"code": "four", "name": "Four of a kind", "for_one": 20, "source": "meter"},
    {"code": "house", "name": "Full house", "for_one": 3, "source": "tray"},
]
OPENINGS: dict[str, dict[str, str]] = {
    "GRAND": {"meter": "19990.00", "reserve": "617.25", "rate": "70", "reserve_rate": "5", "seed": "10000.00"},
    "MIDI": {"meter": "200.00", "reserve": "3.10", "rate": "12", "reserve_rate": "3", "seed": "150.00"},
    "TWIN": {"meter": "12000.00", "reserve": "80.00", "rate": "60", "reserve_rate": "4", "seed": "8000.00"},
    "MEGA": {"meter": "4000.00", "reserve": "50.00", "rate": "15", "reserve_rate": "5", "seed": "2000.00",
             "wager": "5.00"},
}  # fmt: skip
SWITCHES: dict[str, dict[str, dict[str, Any]]] = {
    "reference": {},
    "approval": {
        "GRAND": {"policy": {"freeze": "approval", "overflow_at_reset": "all"}, "limit": "20050.00"},
        "MIDI": {"policy": {"freeze": "approval", "order": "clockwise", "overflow": "revenue"}, "limit": "206.00"},
    },
    "clockwise": {
        "GRAND": {"policy": {"order": "clockwise", "shortfall": "house"}, "limit": "20006.00"},
        "MIDI": {"policy": {"order": "equal_shares", "freeze": "approval"}},
        "MEGA": {"policy": {"order": "clockwise"}, "limit": "4020.00"},
    },
    "nothing kept back": {
        "GRAND": {"reserve": "0.00", "reserve_rate": "0", "policy": {"overflow": "revenue"}, "limit": "20010.00"},
        "MIDI": {"reserve": "0.00", "reserve_rate": "0", "limit": "205.00", "policy": {"overflow_at_reset": "all"}},
    },
    "equal shares": {
        "GRAND": {"policy": {"order": "equal_shares"}, "limit": "20020.00"},
        "MIDI": {"policy": {"order": "equal_shares", "shortfall": "house"}, "rounding": "down"},
        "MEGA": {"policy": {"order": "equal_shares", "freeze": "approval"}},
    },
    "parts of a cent": {
        "GRAND": {"rate": "69.3719", "reserve_rate": "4.2123", "policy": {"overflow_at_reset": "all"},
                  "limit": "20030.00"},
        "MIDI": {"rate": "11.1111", "reserve_rate": "2.3457", "rounding": "down", "aggregate": "150.00"},
    },
    "never less": {
        "GRAND": {"policy": {"row": "never_less"}, "aggregate": "7000.00"},
        "MIDI": {"meter": "600.00", "seed": "600.00",  # a third lifts four, after a reset too
                 "policy": {"row": "never_less", "order": "equal_shares"}},
    },
    "dry meter": {
        "GRAND": {"policy": {"dry_meter": "restart"}, "repay_rate": "50", "meter": "3100.00", "seed": "3000.00"},
        "MIDI": {"policy": {"dry_meter": "restart", "order": "clockwise"}, "repay_rate": "100", "limit": "260.00"},
    },
    "at the limit": {
        "GRAND": {"meter": "10003.00", "reserve": "8.00", "limit": "10006.00"},
        "MIDI": {"meter": "153.00", "limit": "154.00", "policy": {"order": "clockwise"}},
    },
}  # fmt: skip
TAKEN_OVER = ("meter", "reserve")
KEPT_AT = "he dealt faster than a table can"


def terms_of(switches: str, code: str) -> dict[str, Any]:
    return {"wager": "1.00", "lines": PAYS[code], **OPENINGS[code], **SWITCHES[switches].get(code, {})}


def floor_of(switches: str) -> Floor:
    """The story at its beginning."""
    ledgers = {}
    for code in OPENINGS:
        told = terms_of(switches, code)
        meter, reserve = units(told["meter"]), units(told["reserve"])
        ledgers[code] = Ledger(code, sheet_of(told), meter, reserve, outside=-meter - reserve)
    return Floor(ledgers, {name: Table(feeds, profile_of(name), further=further_of(name))
                           for name, feeds in FEEDS.items()})  # fmt: skip


def further_of(table: str) -> dict[str, tuple[str, ...]]:
    return {wager: fed for wager, (_, fed) in FURTHER.get(table, {}).items()}


def profile_of(table: str) -> str:
    return "key" if table == "T-4" else "card"


class House:
    """All doors of one evening. A table's box speaks over a socket or signs over HTTP, as its number says."""

    def __init__(
        self, port: int, boxes: dict[str, Box], cookies: dict[str, dict[str, str]], sign: Box, books: str
    ) -> None:
        self.boxes: dict[str, SignedBox | SocketBox] = {
            table: SocketBox(port, box, profile_of(table)) if table in ("T-1", "T-4") else SignedBox(port, box)
            for table, box in boxes.items()
        }
        self.desks = {name: Desk(port, kept) for name, kept in cookies.items()}
        self.recorder = Recorder(port, WALL, sign)
        self.books = psycopg.connect(books, autocommit=True)
        self.begun = datetime.now(UTC) - timedelta(hours=12)
        self.minutes: dict[tuple[str, int], float] = {}
        self.gifts: dict[str, list[int]] = {}  # by jackpot, the adjustments that gave its meter something

    def close(self) -> None:
        for each in (self.recorder, *self.boxes.values(), *self.desks.values(), self.books):
            each.close()

    def balances(self) -> dict[str, dict[str, int]]:
        rows = self.desks["office"].look("/api/v1/jackpots/")["results"]
        return {row["code"]: {name: units(amount) for name, amount in row["balances"].items()} for row in rows}

    def read(self) -> dict[str, dict[str, int]]:
        """The same without a door: a request costs ten times what a look into the table does."""
        rows = self.books.execute(f"SELECT code, {', '.join(COLUMNS)} FROM jackpot_jackpot").fetchall()
        return {
            code: dict(zip(COLUMNS, (int(amount.scaleb(8)) for amount in amounts), strict=True))
            for code, *amounts in rows
        }

    def wall(self) -> Answer:
        return self.desks["office"].look(f"/api/v1/signs/{WALL}")  # type: ignore[no-any-return]

    def do(self, act: Act, number: int, win: Hit | None, reading: int) -> Answer:
        """Says one act at its door and hears the answer."""
        name = act["do"]
        if name in ("adjust", "transfer", "suspend", "resume", "retire"):
            return self._two_people(act, reading)
        if name == "terms":
            return self._terms(act)
        if win is not None:
            return self._of_a_win(act, win)
        if name in ("accept", "refuse"):
            path = f"/api/v1/tables/{act['table']}/kept-back/"
            return self.desks["office"].post(path, {"accept": name == "accept", "why": KEPT_AT})
        if name == "seats":
            path = f"/api/v1/rounds/{act['table']}/{number}/seats/"
            return self.desks["office"].post(path, {"hand": act["hand"], "seats": act["seats"]})
        if name == "claim":
            told = {"seat": act["seat"], "hand": act["hand"], "reason": "seen late", "evidence": "camera 7"}
            path = f"/api/v1/rounds/{act['table']}/{number}/claim/"
            return self.desks["office"].post(path, {**told, "cards": TWO})
        if name in ("pass", "rejoin") or act.get("at") == "desk":
            return self._at_the_desk(act, number)
        answer = self.boxes[act["table"]].say(self._message(act, number))
        if name == "coin_in" and answer["ok"]:  # what was refused may be said again with another time
            self.minutes.setdefault((act["table"], number), self._minute_of(act, number))
        return answer

    def _message(self, act: Act, number: int) -> Answer:
        said: Answer = {"do": act["do"]}
        if act["do"] not in ("key", "j_pot"):
            said["round"] = number
        for word in ("seats", "further", "seat", "hand", "key", "position"):
            if act.get(word) or (word == "seats" and word in act):  # a hand key is pressed alone where no seat is said
                said[word] = act[word]
        if act["do"] == "coin_in":
            said["at"] = (self.begun + timedelta(minutes=self._minute_of(act, number))).isoformat()
        if "person" in act:
            card, pin = CARDS[act["person"]]
            said |= {"card": card, "pin": pin} if act["do"] in ("card", "park") else {"card": card}
            if act.get("bare"):
                del said["pin"]
        if act["do"] in ("void", "park", "reject"):
            said["reason"] = "the shuffler stopped"
        return said

    def _minute_of(self, act: Act, number: int) -> float:
        """A round a minute is what a table deals; one before the round before it is what no table can have dealt."""
        before = self.minutes.get((act["table"], number - 1), number - 1)
        return self.minutes.get((act["table"], number), before - 0.5 if act.get("early") else number)

    def _at_the_desk(self, act: Act, number: int) -> Answer:
        wins = self.desks["office"].look(f"/api/v1/wins/?table={act['table']}&round={number}")["results"]
        asked = [win for win in wins if win["state"] == "asked"] or wins
        if not asked:
            return {"ok": False, "code": "confirm_first", "why": "There is no hit to name."}
        path = f"/api/v1/wins/{asked[0]['id']}/"
        if act["do"] in ("pass", "rejoin"):
            return self.desks["office"].post(f"{path}{act['do']}/", {"cards": TWO, "reason": "the first winner left"})
        if act["do"] == "reject":
            cards = {"cards": TWO} if act.get("two") else {}
            return self.desks["office"].post(f"{path}reject/", {"reason": "a pair", **cards})
        card, pin = CARDS[act["person"]]
        return self.desks["office"].post(f"{path}approve/", {"card": card, **({} if act.get("bare") else {"pin": pin})})

    def _of_a_win(self, act: Act, win: Hit) -> Answer:
        row = self.desks["office"].look(f"/api/v1/wins/?slip={win.slip}")["results"][0]
        path = f"/api/v1/wins/{row['id']}/"
        if act["do"] == "pay":
            return self.desks["cage"].post(f"{path}pay/", {"method": "cash"})
        if act["do"] == "underpaid":
            return self._underpaid(act, row["id"])
        told = {"reason": "misdeal", "evidence": "camera 7", "differences_seen": True, **SECOND}
        return self.desks["office"].post(f"{path}back-out/", told)

    def _two_people(self, act: Act, reading: int) -> Answer:
        told = {
            "kind": act["do"], "jackpot": act["jackpot"], "reason": "other", "why": "it was decided",
            "evidence": "camera 7", **{word: act[word] for word in ("account", "amount", "other") if act.get(word)},
        }  # fmt: skip
        if act["do"] == "retire":
            told["reading"] = spoken(reading)
        answer = self._asked_and_signed(told)
        if answer["ok"] and act["do"] == "adjust" and act["account"] == "meter" and units(act["amount"]) > 0:
            self.gifts.setdefault(act["jackpot"], []).append(answer["adjustment"]["id"])
        return answer

    def _underpaid(self, act: Act, win: int) -> Answer:
        """What came of it is the page that pays the rest, as every act tells its pages."""
        told = {
            "kind": "underpayment", "win": win, "reading": act["reading"], "account": act["account"], "reason": "sign",
            "why": "chips were not counted", "evidence": "count 17",
        }  # fmt: skip
        given = self.gifts.get(self.desks["office"].look(f"/api/v1/wins/{win}/")["jackpot"], [])
        if act["account"] == "meter" and given:
            told["cause"] = given[-1 - act["gift"] % len(given)]
        answer = self._asked_and_signed(told)
        slips = answer["adjustment"]["slips"] if answer["ok"] else []
        pages = [self.desks["office"].look(f"/api/v1/wins/?slip={slip}")["results"] for slip in slips]
        return {**answer, "wins": [row for rows in pages for row in rows]}

    def _asked_and_signed(self, told: Answer) -> Answer:
        answer = self.desks["office"].post("/api/v1/adjustments/", told)
        if not answer["ok"]:
            return answer
        return self.desks["office"].post(f"/api/v1/adjustments/{answer['adjustment']['id']}/approve/", SECOND)

    def _terms(self, act: Act) -> Answer:
        path = f"/api/v1/jackpots/{act['jackpot']}"
        changes = {name: act[name] for name in ("seed", "rate", "rounding") if name in act}
        wished = {"changes": changes, "how": "next_reset", "reason": "new season"}
        asked = self.desks["asker"].post(f"{path}/versions/", wished)
        if not asked["ok"]:
            return asked
        path = f"{path}/changes/{asked['change']['number']}"
        while not self.desks["asker"].post(f"{path}/preview/", {})["ready"]:
            pass
        return self.desks["signer"].post(f"{path}/approve/", {"password": PASSWORD})
