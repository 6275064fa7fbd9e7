"""What one person asks for and another decides: adjust, transfer, suspend, resume, retire, back-out, other terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.adjusting.actions.asking import ask
from jackpot.adjusting.actions.back_out import differences
from jackpot.adjusting.models import Adjustment
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions import configure as deciding
from jackpot.configuring.actions.configure import TermsWish
from jackpot.money import Money
from jackpot.signing.actions import Proof, SecondPerson, authenticate_approver, sign, turn_down, withdraw
from jackpot.terms.models.terms_change import TermsChange
from jackpot.wins.models import Win
from tables.requests.actions import configure
from tests.races.life_machine import EXECUTIVES, Life
from tests.races.life_rules import CENT, Moved
from tests.races.life_scene import OPENINGS, SAME_ODDS, attempt, percent, units
from tests.scenes_adjusting import a_wish

CODES = st.sampled_from(sorted(OPENINGS))
KINDS = st.sampled_from(["adjust", "adjust", "transfer", "transfer", "suspend", "resume", "retire"])
AMOUNTS = st.sampled_from(["0.01", "15.00", "400.00", "-0.01", "-15.00", "-400.00", "-9000.00", "-90000.00"])
SWITCHES = {"freeze", "order", "shortfall", "overflow", "overflow_at_reset", "row", "dry_meter"}
WISHES: list[dict[str, str]] = [
    {"rate": "50"}, {"rate": "8", "seed": "140.00"}, {"seed": "9000.00"}, {"seed": "12000.00"}, {"reserve_rate": "2.5"},
    {"limit": "33000.00"}, {"limit": "20500.00"}, {"rounding": "down"}, {"order": "clockwise"},
    {"order": "equal_shares"}, {"order": "counter_clockwise"}, {"freeze": "approval"}, {"freeze": "mark"},
    {"shortfall": "house"}, {"overflow": "revenue"}, {"overflow_at_reset": "all"}, {"row": "never_less"},
    {"row": "highest"}, {"dry_meter": "restart", "repay_rate": "50"},
]  # fmt: skip
READ: dict[str, Callable[[str], Any]] = {
    "rate": percent, "reserve_rate": percent, "seed": units, "limit": units, "repay_rate": percent,
}  # fmt: skip
STATES = {"suspend": {"open"}, "resume": {"suspended"}, "retire": {"open", "suspended"}}


@dataclass(frozen=True)
class Asked:
    """A request as whoever asked for it meant it."""

    kind: str
    code: str
    other: str = ""
    account: str = "meter"
    amount: str = ""
    reading: str = ""
    win: int | None = None
    by: str = ""
    cause: int | None = None
    owed: int = 0

    @property
    def subject(self) -> tuple[str, str, int | None]:
        return self.kind, self.code, self.win

    @property
    def jackpots(self) -> list[str]:
        return [self.code, *([self.other] if self.other else [])]


class TwoPeople(Life):
    """Requests wait while the evening goes on; what is decided is what stands then."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[int, Asked] = {}

    # Requests

    @rule(kind=KINDS, code=CODES, account=st.sampled_from(["meter", "meter", "reserve"]), amount=AMOUNTS,
          other=st.sampled_from(["", "same odds", "same odds", "MIDI", "TWIN"]), whole=st.booleans(),
          right=st.sampled_from([True, True, True, False]), by=st.sampled_from(["other", "second"]))  # fmt: skip
    def somebody_asks(
        self, kind: str, code: str, account: str, amount: str, other: str, whole: bool, right: bool, by: str
    ) -> None:
        taker = SAME_ODDS.get(code, "GRAND") if other == "same odds" else other
        asked = Asked(
            kind, code, by=by, account=account if kind == "adjust" else "meter",
            other=taker if kind in ("transfer", "retire") else "",
            amount=amount if kind == "adjust" or (kind == "transfer" and not whole) else "",
            reading=self.shown(code) if right else "77.77",
        )  # fmt: skip
        self.ask(asked if kind == "retire" else replace(asked, reading=""))

    @precondition(lambda self: self.won)
    @rule(which=st.integers(0, 5))
    def somebody_asks_for_a_back_out(self, which: int) -> None:
        wins = list(Win.objects.exclude(number=None).select_related("jackpot").order_by("-number"))
        if wins:
            win = wins[which % len(wins)]
            self.ask(Asked("back_out", win.jackpot.code, win=win.pk, by="other"))

    @precondition(lambda self: self.requests)
    @rule(which=st.integers(0, 5), person=st.sampled_from(["executive", "second", "executive", "supervisor"]),
          seen=st.booleans())  # fmt: skip
    def somebody_decides(self, which: int, person: str, seen: bool) -> None:
        number = sorted(self.requests)[which % len(self.requests)]
        asked = self.requests[number]
        against = self.against(asked) or self.differs(asked, seen) or ("same person" if person == asked.by else "")
        good = self.counts_as_a_word([person]) and person in EXECUTIVES
        win = Win.objects.filter(pk=asked.win).first()
        done = attempt(self.signed, number=number, person=person, seen=seen)
        assert bool(done) == (good and not against), f"{asked} {'was signed' if done else 'was refused'}: {against}"
        if done:
            del self.requests[number]
            self.come_to_pass(asked, win, number)

    @precondition(lambda self: self.requests)
    @rule(which=st.integers(0, 5), by=st.sampled_from(["other", "executive"]))
    def somebody_refuses(self, which: int, by: str) -> None:
        number = sorted(self.requests)[which % len(self.requests)]
        assert attempt(turn_down, request_id=number, by=self.house.people[by], reason="not so")
        del self.requests[number]

    @rule(kind=KINDS, code=CODES, amount=AMOUNTS)
    def both_stand_there(self, kind: str, code: str, amount: str) -> None:
        """Asked for and decided at once, as most are."""
        self.somebody_asks(kind, code, "meter", amount, "same odds", True, True, "other")
        for which in range(len(self.requests)):
            if self.against(self.requests[sorted(self.requests)[which]]) == "":
                self.somebody_decides(which, "executive", True)
                return

    # Other terms

    @rule(
        code=st.sampled_from(["GRAND", "GRAND", "TWIN", "MIDI", "MEGA"]),
        wished=st.tuples(st.sampled_from(WISHES), st.sampled_from(WISHES)).map(lambda two: {**two[0], **two[1]}),
        at_once=st.booleans(),
    )
    def other_terms(self, code: str, wished: dict[str, str], at_once: bool) -> None:
        """Two people sign other terms, for the next reset or for a suspended jackpot at once."""
        asker, signer = self.house.configurers
        jackpot = Jackpot.objects.get(code=code)
        how = TermsChange.How.AT_ONCE if at_once else TermsChange.How.NEXT_RESET
        policy = {switch: value for switch, value in wished.items() if switch in SWITCHES}
        told = {term: value for term, value in wished.items() if term not in SWITCHES}
        terms = attempt(configure.wished_terms, jackpot=jackpot, wishes={**told, "policy": policy})
        wish = TermsWish(terms, "the season", how)
        if not terms or (change := attempt(configure.draft, jackpot=jackpot, wish=wish, by=asker)) is None:
            return
        deciding.freeze_preview(change_id=change.pk, findings=[], figures=[], by=asker)
        assert attempt(sign, request_id=change.pk, approver=SecondPerson(asker)) is None, "one person signed twice"
        if attempt(sign, request_id=change.pk, approver=SecondPerson(signer)):
            oracle = self.oracles[code]
            oracle.waits = replace(oracle.rules, **{term: READ.get(term, str)(told) for term, told in wished.items()})
            self.tally("other terms at once" if at_once else "other terms wait")
            if at_once:
                assert self.states[code] == "suspended"
                assert not self.house.open_hits(code)
                oracle.came_into_force(None)

    @rule(code=st.sampled_from(["GRAND", "TWIN", "MIDI", "MEGA"]), wished=st.sampled_from(WISHES))
    def other_terms_at_once(self, code: str, wished: dict[str, str]) -> None:
        """A jackpot is suspended for them, and plays again."""
        self.both_stand_there("suspend", code, "")
        self.other_terms(code, wished, True)
        self.coin_in("T-1", "12")
        self.both_stand_there("resume", code, "")

    @rule(code=st.sampled_from(["GRAND", "TWIN", "MIDI", "MEGA"]))
    def as_they_were(self, code: str) -> None:
        """What waits is withdrawn."""
        waits = TermsChange.objects.filter(state="signed", jackpot__code=code).first()
        if waits and attempt(withdraw, request_id=waits.pk, reason="not yet", by=self.house.configurers[0]):
            self.tally("other terms withdrawn")
            self.oracles[code].waits = None

    # How it is done, and what must be refused

    def ask(self, asked: Asked) -> None:
        against = self.against(asked, asking=True)
        if asked.subject in {each.subject for each in self.requests.values()}:
            against = "asked for already"
        more: dict[str, Any] = {"amount": asked.amount, "reading": asked.reading, "account": asked.account}
        if asked.other:
            more["other"] = Jackpot.objects.get(code=asked.other)
        if asked.win is not None:
            more["win"] = Win.objects.get(pk=asked.win)
        if asked.cause is not None:
            more["cause"] = Adjustment.objects.get(pk=asked.cause)
        wish = a_wish(asked.kind, Jackpot.objects.get(code=asked.code), **more)
        row = attempt(ask, wish=wish, by=self.house.people[asked.by])
        assert bool(row) == (not against), f"{asked} {'was taken' if row else 'was refused'}: {against}"
        if row:
            self.tally(f"asked for {asked.kind}")
            self.requests[row.pk] = asked

    def signed(self, *, number: int, person: str, seen: bool) -> Adjustment:
        card, pin = self.cards[person]
        signs = authenticate_approver(
            operator=self.house.people["other"],
            premises=self.house.premises,
            proof=Proof(card, pin),
            verbs=["sign_adjustments"],
        )
        signed: Adjustment = sign(request_id=number, approver=signs, seen=seen)
        return signed

    def against(self, asked: Asked, *, asking: bool = False) -> str:
        """Why the rules of the house refuse it now, or nothing."""
        if self.states[asked.code] not in STATES.get(asked.kind, {"open", "suspended", "retired"}):
            return f"it is {self.states[asked.code]}"
        waits = asked.kind not in ("suspend", "resume") and not (asking and asked.kind == "back_out")
        waits = waits and (asked.kind, asked.account) not in (("underpayment", "house"), ("underpayment", "reserve"))
        if waits and self.house.open_hits(*asked.jackpots, but=asked.win):
            return "a hit is open"
        match asked.kind:
            case "adjust":
                moved = self.oracles[asked.code].would_raise(units(asked.amount), asked.account)
                return "below zero" if self.oracles[asked.code].lacks(moved) else ""
            case "transfer":
                return self.against_pair(asked) if asked.other else "no taker"
            case "retire":
                return self.against_retiring(asked)
            case "back_out":
                state = Win.objects.get(pk=asked.win).state
                return "" if state in ("logged", "owed", "paid") else f"it is {state}"
            case _:
                return ""

    def against_pair(self, asked: Asked) -> str:
        giver = self.oracles[asked.code]
        if asked.other == asked.code or self.states[asked.other] == "retired":
            return "no taker"
        if asked.other != SAME_ODDS.get(asked.code):
            return "other odds"
        if asked.amount:
            return "" if 0 < units(asked.amount) <= giver.meter else "not that much"
        return "" if giver.everything() != Moved() else "empty"

    def against_retiring(self, asked: Asked) -> str:
        if self.house.runs(asked.code):
            return "a round is open"
        if units(asked.reading) != units(self.shown(asked.code)):
            return "another reading"
        return self.against_pair(asked) if asked.other else ""

    def differs(self, asked: Asked, seen: bool) -> str:
        if asked.kind != "back_out" or seen:
            return ""
        return "differences" if differences(Win.objects.get(pk=asked.win)) else ""

    def come_to_pass(self, asked: Asked, win: Win | None, number: int) -> None:
        self.tally(f"signed {asked.kind}")
        oracle = self.oracles[asked.code]
        if asked.kind == "adjust":
            oracle.tell(oracle.would_raise(units(asked.amount), asked.account))
        if asked.other:
            sent = Moved(-units(asked.amount)) if asked.amount else oracle.everything()
            self.oracles[asked.other].take(oracle.tell(sent))
        if win is not None:
            self.unmove(win, paid=win.state == "paid")
        self.states[asked.code] = {"suspend": "suspended", "resume": "open", "retire": "retired"}.get(
            asked.kind, self.states[asked.code]
        )

    def shown(self, code: str) -> str:
        return str(Money(self.oracles[code].meter // CENT * CENT))
