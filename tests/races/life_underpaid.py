"""Winners who had too little: found by one person, signed by another while others play and win, paid, found anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.money import units_of
from jackpot.wins.models import Win
from tests.races.life_machine import TABLES
from tests.races.life_oracle import Oracle, Paid
from tests.races.life_rules import CENT, Moved, Rules, spare, whole_cents
from tests.races.life_scene import units
from tests.races.life_two_people import Asked, TwoPeople

MORE = st.sampled_from([1, 99, 1_234, 5_600, 40_001, 250_000, 0, -1])  # cents that the meter lacked
ACCOUNTS = st.sampled_from(["house", "house", "meter", "meter", "reserve"])
WHICH = st.integers(0, 5)


@dataclass(frozen=True)
class Rest:
    """A page that makes up an award: the meter it counts from, how much, and what gave it where the house did not."""

    number: int
    basis: int
    amount: int
    cause: int | None


@dataclass(frozen=True)
class Gift:
    """What an adjustment gave a meter, and when."""

    code: str
    at: int
    gave: int


class Underpaid(TwoPeople):
    """What the meter must have been is said by people; what is due is reckoned, once."""

    def __init__(self) -> None:
        super().__init__()
        self.rests: dict[int, list[Rest]] = {}  # by the number of the win
        self.gifts: dict[int, Gift] = {}  # by the number of the request

    @precondition(lambda self: self.moved)
    @rule(which=WHICH, more=MORE, account=ACCOUNTS, given=st.integers(0, 2))
    def somebody_had_too_little(self, which: int, more: int, account: str, given: int) -> None:
        """Any page that has a number, most often one that counts from the meter."""
        wins = Win.objects.exclude(number=None).select_related("jackpot").order_by("-number")
        counting = [win for win in wins if self.of_the_meter(win)] if which else []
        win = (counting or list(wins))[which % len(counting or wins)]
        basis = self.had(win)[0] if self.of_the_meter(win) else 20_000 * 100 * CENT
        # Mostly what its own meter was given; sometimes what another was, or nothing.
        own = sorted((number for number, gift in self.gifts.items() if gift.code == win.jackpot.code), reverse=True)
        gifts = own or sorted(self.gifts)
        cause = gifts[given % len(gifts)] if gifts and account == "meter" else None
        asked = Asked("underpayment", win.jackpot.code, account=account, reading=said(max(basis + more * CENT, 0)),
                      win=win.pk, by="other", cause=cause)  # fmt: skip
        self.ask(replace(asked, owed=self.due(asked)))

    @rule(table=TABLES, hand=st.sampled_from(["royal", "straight", "five", ""]), which=st.integers(1, 2), more=MORE,
          account=ACCOUNTS, gift=st.booleans())  # fmt: skip
    def it_is_signed_at_once(self, table: str, hand: str, which: int, more: int, account: str, gift: bool) -> None:
        """Behind a win, as most are; the next finding counts from what this one paid."""
        if hand:
            self.coin_in(table, "1234567")
            self.mark(table, 3, hand)
            self.everybody_approves(table)
        if not self.moved:
            return
        if gift:
            self.both_stand_there("adjust", sorted(self.oracles)[which], "400.00")
        self.somebody_had_too_little(which, more, account, 0)
        for place, number in enumerate(sorted(self.requests)):
            if self.requests[number].kind == "underpayment":
                self.somebody_decides(place, "executive", True)
                return

    @precondition(lambda self: self.rests)
    @rule(which=WHICH, paid=st.booleans())
    def a_rest_is_undone(self, which: int, paid: bool) -> None:
        pages = [page.number for pages in self.rests.values() for page in pages]
        if pages:
            number = pages[which % len(pages)]
            if paid:
                self.redeem(Win.objects.get(number=number).slip or 0, "cage")
            self.back_out(Win.objects.filter(number__gt=number).count(), True, "executive")

    # What the rules say of it

    def of_the_meter(self, win: Win) -> bool:
        return win.number in self.awarded and self.awarded[win.number].paid.basis is not None

    def had(self, win: Win) -> tuple[int, int]:
        """The meter that the winner's last page counts from, and what all pages came to."""
        assert win.number is not None
        first, rests = self.awarded[win.number].paid, self.rests.get(win.number, [])
        last = rests[-1].basis if rests else first.basis
        assert last is not None
        return last, first.amount + sum(rest.amount for rest in rests)

    def due(self, asked: Asked) -> int:
        win = Win.objects.get(pk=asked.win)
        if not self.of_the_meter(win):
            return 0
        assert win.number is not None
        award, (basis_was, had) = self.awarded[win.number], self.had(win)
        basis = units(asked.reading)
        return paid_from(award.rules, award.paid, basis) - had if basis > basis_was else 0

    def against_rests(self, asked: Asked) -> str:
        """Why an underpayment is refused, or a back-out of what a rest counts from."""
        win = Win.objects.get(pk=asked.win)
        assert win.number is not None
        if asked.kind == "back_out":
            pages = self.rests.get(win.number if win.difference_of is None else win.difference_of.number or 0, [])
            return "made up" if any(page.number > win.number for page in pages) else ""
        if not self.of_the_meter(win):
            return "it counts from no meter"
        rules = self.awarded[win.number].rules
        if rules.limit is not None and units(asked.reading) > rules.limit:
            return "above the limit"
        owed = self.due(asked)
        if owed <= 0 or owed != asked.owed:
            return "nothing is due, or another sum"
        if win.number not in self.moved:
            return "backed out"
        return self.against_source(asked, win.number, owed)

    def against_source(self, asked: Asked, number: int, owed: int) -> str:
        if asked.account == "house":
            return ""
        gift = self.gifts.get(asked.cause or 0)
        if asked.account != "meter" or gift is None or gift.code != asked.code:
            return "no gift"
        if gift.at < self.awarded[number].at:
            return "given before"
        since = (self.awarded[each] for each, (code, _) in self.moved.items() if code == asked.code)
        if any(each.paid.resets and each.at > gift.at for each in since):
            return "won since"
        used = sum(rest.amount for rests in self.rests.values() for rest in rests if rest.cause == asked.cause)
        return "given too little" if owed > gift.gave - used else ""

    def against(self, asked: Asked, *, asking: bool = False) -> str:
        against = super().against(asked, asking=asking)
        return against or (self.against_rests(asked) if asked.kind in ("underpayment", "back_out") else "")

    # What comes of it

    def come_to_pass(self, asked: Asked, win: Win | None, number: int) -> None:
        if asked.kind == "underpayment":
            assert win is not None
            self.tally(f"made up by the {asked.account}")
            self.makes_up(asked, win)
            return
        super().come_to_pass(asked, win, number)
        if asked.kind == "adjust" and asked.account == "meter" and units(asked.amount) > 0:
            story = self.oracles[asked.code].story
            self.gifts[number] = Gift(asked.code, len(story), story[-1].meter)

    def makes_up(self, asked: Asked, win: Win) -> None:
        """A page of its own: it ranks with nobody."""
        assert win.number is not None
        oracle, owed = self.oracles[asked.code], asked.owed
        moved = oracle.tell(Moved(house=-owed) if asked.account == "house" else out_of_the_meter(oracle, owed))
        page = Win.objects.filter(difference_of=win).order_by("number").last()
        assert page is not None
        assert page.number is not None
        assert page.amount is not None
        assert (page.seat, page.line, page.state, units_of(page.amount)) == (win.seat, win.line, "owed", owed)
        rest = Rest(page.number, units(asked.reading), owed, asked.cause)
        self.rests.setdefault(win.number, []).append(rest)
        self.moved[page.number] = asked.code, Paid(win.seat, win.line, owed, moved)
        self.awarded[page.number] = self.awarded[win.number].rest_of(self.moved[page.number][1], len(oracle.story))

    def unmove(self, win: Win, *, paid: bool) -> None:
        super().unmove(win, paid=paid)
        for number, pages in list(self.rests.items()):
            self.rests[number] = [page for page in pages if page.number != win.number]


def paid_from(rules: Rules, paid: Paid, basis: int) -> int:
    line = rules.lines[paid.line]
    share = rules.pays(line, basis) // paid.sharers // CENT * CENT
    return max([share, *(rules.pays(each, basis) for each in rules.below(line))])


def out_of_the_meter(oracle: Oracle, owed: int) -> Moved:
    lack = whole_cents(owed - oracle.meter)
    kept = min(lack, spare(oracle.rules, oracle.reserve))
    return Moved(lack - owed, -kept, house=kept - lack)


def said(amount: int) -> Any:
    return f"{amount // 10**8}.{amount % 10**8 // CENT:02d}"
