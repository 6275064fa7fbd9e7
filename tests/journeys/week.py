"""A week of a house with ten tables and four jackpots, played and closed by the product's own acts.

Saturday ends with the clocks put back, and the day rolls within the hour that comes twice; on Friday nobody does the
office's work, and the worker does not run. On Sunday MAJOR's reset brings other terms into force.
GRAND stands at tables 1 to 6, of which 1 and 2 feed MINI as well; MAJOR has a limit; DRY pays everything from its meter
and begins anew by a house advance.
"""

from __future__ import annotations

import os
import random
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from accounting.days.actions.closing import close_day, sign_day
from accounting.days.actions.explaining import ExplanationWish, explain
from accounting.days.actions.snapshots import snapshot_due_days
from accounting.days.actions.writing import count_chips, read_sign, type_balance
from accounting.days.models import Explanation
from accounting.days.queries.columns import lines_of, played_on
from accounting.days.queries.days import explained, explanations_on
from accounting.days.rules.reconcile import CloseLine
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import ReportPage, report_page
from accounting.reports.rules.asking import read_question
from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.rules.tax import TaxRule
from jackpot.signing.actions import SecondPerson, sign
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.hits.actions.undo import void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.builders import a_card, a_controller, a_jackpot, a_pay_table, a_person, a_property, a_table
from tests.hands import with_cards
from tests.moving_clock import MovingClock
from tests.scenes_adjusting import approved, asked, done, person
from tests.scenes_configure import approved as wanted
from tests.scenes_days import closer
from tests.scenes_wins import EXECUTIVE, LINES, PIN

NEW_YORK = ZoneInfo("America/New_York")
ROLL = 90  # minutes: half past one, which comes twice when the clocks are put back
MONDAY = date(2026, 10, 26)
WEEK = [MONDAY + timedelta(days=number) for number in range(7)]
FRIDAY, SATURDAY, SUNDAY = WEEK[4:]
BACK = SATURDAY + timedelta(days=1)  # the calendar day on which two o'clock becomes one o'clock
CROWD = ("1357", "24", "", "12345", "7", "1", "236", "12", "1234567", "45")  # who plays, table by table
ANOTHER = os.environ.get("FAIRMETER_WEEK", "")  # a seed of another week: other players at the same tables
if ANOTHER:
    _drawn = random.Random(ANOTHER)
    CROWD = tuple(seats and "".join(sorted(_drawn.sample("1234567", _drawn.randint(1, 7)))) for seats in CROWD)
MINI_LINES = [{"code": "mini", "name": "Mini", "part": "1/2"}]
LENT = {"policy": {"dry_meter": "restart"}, "repay_rate": "50", "seed": "1000.00"}


class SimulatedWeek:
    """What happens is written in `play`; everything before it is the house and its people."""

    begins, roll = MONDAY, ROLL

    def __init__(self, clock: MovingClock) -> None:
        self.clock = clock
        self.week = [self.begins + timedelta(days=number) for number in range(7)]
        self.at(self.begins, "05:00")
        self.house: Property = a_property(time_zone=NEW_YORK.key, day_roll_minutes=self.roll)
        rule = TaxRule(self.begins, Money.of("1200.00"), 0, Money.of("5000.00"), 240_000)
        declare_tax(premises=self.house, rule=rule, by="tests")
        odds = a_pay_table(lines=LINES)
        self.grand = a_jackpot("GRAND", meter="18000.00", reserve="600.00", rate="60", pay_table=odds)
        self.mini = a_jackpot("MINI", meter="50.00", seed="50.00", rate="10", reserve_rate="2",
                              pay_table=a_pay_table(code="mini", lines=MINI_LINES))  # fmt: skip
        self.major = a_jackpot("MAJOR", meter="19990.00", reserve="400.00", limit="20000.00", pay_table=odds)
        self.dry = a_jackpot("DRY", meter="2950.00", reserve="20.00", pay_table=a_pay_table(source="meter"), **LENT)
        self.tables = [self._table(number) for number in range(1, 11)]
        self.boxes: list[Device] = [a_controller(table) for table in self.tables]
        for box in self.boxes:
            enrol(code=invite(device=box, by="tests"))
        a_card(a_person("executive", premises=self.house), number=EXECUTIVE, level="executive", pin=PIN)
        self.rounds = [0] * 10
        self.closed: list[date] = []

    @property
    def jackpots(self) -> list[Jackpot]:
        return [self.grand, self.mini, self.major, self.dry]

    def play(self) -> SimulatedWeek:
        for day in WEEK:
            for hour in ("09:00", "15:00", "21:00"):
                self.at(day, hour)
                self.everywhere()
                if hour == "15:00":
                    self.afternoon(day)
            self.at(day, "23:30")
            if day != FRIDAY:
                self.read_every_sign()
                self.close_what_rolled(day)
            if day == SATURDAY:
                self.night()
        self.at(WEEK[-1] + timedelta(days=1), "12:00")
        self.close_what_rolled(WEEK[-1] + timedelta(days=1))
        return self

    def afternoon(self, day: date) -> None:
        """One thing a day that is not a plain round."""
        acts = (self.royal, self.dry_meter, self.undone, self.moved, self.nobody, self.everywhere, self.last_day)
        acts[WEEK.index(day)]()

    def royal(self) -> None:
        """Monday: the table that feeds two jackpots pays from both, seat by seat; one slip is paid with tax."""
        self.won(0, {3: "royal"})
        self.won(1, {2: "mini", 4: "four"})
        redeem(slip=1, payer=person("cage"), premises=self.house, place="window 1", form_seen=True)

    def dry_meter(self) -> None:
        """Tuesday: the board takes more than the meter of DRY holds; the house lends a new one, which play repays."""
        self.won(8, {1: "royal_community", 2: "royal_community"}, seats="12")

    def undone(self) -> None:
        """Wednesday: Monday's royal, paid already, is backed out; a round is void; a limit overflows."""
        row = asked("back_out", self.grand, win=Win.objects.get(slip=1))
        approved(row, seen=True)
        number = self.everywhere(ending=False)[4]
        void_round(table_code=self.tables[4].code, round_number=number, reason="misdeal", by="Test Supervisor")
        self.end(set(range(10)) - {4})

    def moved(self) -> None:
        """Thursday: two people adjust one meter, and send a part of another to a jackpot of the same odds; two people
        sign other terms, which wait for a reset.
        """
        done("adjust", self.mini, amount="-3.25")
        done("transfer", self.major, other=self.grand, amount="1234.56")
        wanted(self.major, names=("operator-1", "operator-2"), rate="60", reserve_rate="10")

    def nobody(self) -> None:
        """Friday: the floor plays and wins, the office is empty."""
        self.won(6, {5: "five"})

    def night(self) -> None:
        """Saturday night: rounds in the hour that comes twice; half past one rolls the day once, at the first time."""
        self.at(BACK, "01:10")
        self.everywhere()
        self.won(2, {1: "five"})
        self.at(BACK, "01:40")
        self.everywhere()
        self.at(BACK, "01:10", again=True)
        self.won(3, {2: "five"})
        self.at(BACK, "01:40", again=True)
        self.everywhere()

    def last_day(self) -> None:
        """Sunday: Friday's slip is paid; MAJOR is won and begins anew; DRY borrows once more."""
        redeem(slip=Win.objects.get(table_code="UTH-07", slip__isnull=False).slip or 0, payer=person("cage"),
               premises=self.house, place="window 2")  # fmt: skip
        self.won(7, {6: "royal"})
        self.won(9, {7: "royal_community"})

    # ---- the floor

    def at(self, day: date, clock: str, *, again: bool = False) -> None:
        """The wall clock of the house; `again` means the hour's second time."""
        wall = datetime.combine(day, time.fromisoformat(clock), NEW_YORK).replace(fold=int(again))
        self.clock.set_to(wall)

    def everywhere(self, *, ending: bool = True) -> list[int]:
        """A round at every table that somebody plays at."""
        asks = []
        for number, seats in enumerate(CROWD):
            if seats:
                self.rounds[number] += 1
                asks.append(self._ask(number, CoinInRequest(self.rounds[number], seats)))
        assert all(isinstance(answer, PostedAnswer) for answer in post_messages(asks))
        if ending:
            self.end(set(range(10)))
        return self.rounds

    def end(self, tables: set[int]) -> None:
        asks = [self._ask(number, EndRequest(self.rounds[number])) for number in sorted(tables) if CROWD[number]]
        assert all(isinstance(answer, PostedAnswer) for answer in post_messages(asks))

    def won(self, table: int, hands: dict[int, str], seats: str = "") -> None:
        """One round in which these seats hold these hands, approved by an executive's card."""
        self.rounds[table] += 1
        coin_in = CoinInRequest(self.rounds[table], seats or "".join(map(str, sorted(hands))))
        assert isinstance(post_messages([self._ask(table, coin_in)])[0], PostedAnswer)
        place = {"table_code": self.tables[table].code, "round_number": self.rounds[table]}
        for seat, hand in hands.items():
            hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
        hit.confirm(**place, by="Test Supervisor")
        with_cards(**place)
        hit.swipe(**place, card=EXECUTIVE, pin=PIN)
        post_messages([self._ask(table, EndRequest(self.rounds[table]))])

    def _table(self, number: int) -> Table:
        """GRAND at 1 to 6, MINI beside it at 1 and 2; MAJOR at 7 and 8, DRY at 9 and 10."""
        levels = [self.grand] if number <= 6 else [self.major] if number <= 8 else [self.dry]
        if number <= 2:
            levels.append(self.mini)
        return a_table(f"UTH-{number:02d}", *levels, premises=self.house)

    def _ask(self, table: int, ask: CoinInRequest | EndRequest) -> DeviceRequest:
        return DeviceRequest(self.tables[table].code, self.boxes[table].id, 1, ask)

    # ---- the office

    def read_every_sign(self) -> None:
        for jackpot in self.jackpots:
            jackpot.refresh_from_db()
            shown = Money.of(jackpot.meter).shown()
            read_sign(jackpot=jackpot, shown=shown, at=self.clock(), by=person("reader"))

    def close_what_rolled(self, today: date) -> None:
        """The worker comes by; two accountants close every day that nobody has closed."""
        snapshot_due_days()
        for day in (day for day in self.week if day < today):
            if day not in self.closed:
                self._work(day)
                self.closed.append(day)

    def _work(self, day: date) -> None:
        one, two = closer("accountant"), closer("second")
        for win in Win.objects.filter(slip__isnull=False, gaming_day=day):
            print_page(win=win, form=Form.LETTER, by=person("cage"))
        for code, (chips, _) in played_on(self.house, day).items():
            for counter in ("one", "two"):
                count_chips(premises=self.house, day=day, table_code=code, chips=chips, by=person(counter))
        type_balance(premises=self.house, amount=Money.of("90000.00"), as_of=day, by=one)
        for jackpot in self.jackpots if day == FRIDAY else ():
            wish = ExplanationWish(f"signs/{jackpot.code}", Explanation.Cause.NOT_DONE, "nobody was there", "rota")
            row = explain(premises=self.house, day=day, wish=wish, by=one)
            sign(request_id=row.pk, approver=SecondPerson(two))
        sign_day(premises=self.house, day=day, by=one)
        close_day(premises=self.house, day=day, by=two)


class SpringNight(SimulatedWeek):
    """A weekend whose night has no hour from two to three, and the day rolls at half past two."""

    begins, roll = date(2027, 3, 13), 150

    def play(self) -> SpringNight:
        saturday, sunday = self.week[:2]
        for day, clocks in (saturday, ("15:00", "23:30")), (sunday, ("01:50", "03:10", "15:00", "23:30")):
            for clock in clocks:
                self.at(day, clock)
                if clock == "23:30":
                    self.read_every_sign()
                    continue
                self.everywhere()
                self.won(sum(self.rounds) % 2 + 2, {1: "five"})
            self.close_what_rolled(day)
        self.at(sunday + timedelta(days=1), "12:00")
        self.close_what_rolled(sunday + timedelta(days=1))
        return self


def report(house: Property, code: str, **words: str) -> ReportPage:
    return report_page(REPORTS[code], read_question(REPORTS[code], words, clock_of(house)), sort="")


def differences(house: Property, day: date) -> dict[str, list[Decimal]]:
    """What the report says the books of each jackpot differ by from what was reckoned."""
    rows = report(house, "meter-equation", period=day.isoformat()).rows
    words = ("meter", "reserve", "overflow")
    return {row["jackpot"]: [row[word] for word in words] for row in rows if row["line"] == "Difference"}


def open_lines(house: Property, day: date) -> list[CloseLine]:
    return lines_of(house, day).unexplained(explained(explanations_on(house, day)))
