from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from jackpot.money import texts_of_stored
from jackpot.money_field import AmountField
from jackpot.property.rules.authority import Thresholds, judging, thresholds_of
from jackpot.property.rules.authority_change import Step, in_force
from jackpot.property.rules.gaming_day import gaming_day, start_of, zone_of
from jackpot.property.rules.witness import WitnessPart

When = tuple[datetime, date]  # a moment and its gaming day, as the books stored it


class Property(models.Model):
    """A casino or card room: its time, its money, its day.

    The columns of authority hold the first values; what two people signed since stands in `authority`. Whoever asks
    what counts reads `thresholds`, never those columns.
    """

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=100)
    address = models.TextField(blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    day_roll_minutes = models.PositiveSmallIntegerField(default=360, help_text="Minutes after midnight, local time.")
    currency = models.CharField(max_length=3, default="USD")
    locale = models.CharField(max_length=20, default="en_US")
    executive_threshold = AmountField(default=5000, help_text="From this sum up an executive's card approves.")
    dual_threshold = AmountField(null=True, help_text="From this sum up two people approve; empty: never.")
    pin_from_level = models.PositiveSmallIntegerField(default=3, help_text="Cards of this level and above need a PIN.")
    cards_from_multiple = models.PositiveIntegerField(default=1000, help_text="Awards of this many wagers need cards.")
    cards_required = models.BooleanField(
        default=True, help_text="Hits are approved only on their cards, or on “cards seen” below that multiple."
    )
    marker_may_verify = models.BooleanField(default=False)
    verifier_may_pay = models.BooleanField(default=False)
    both_need_level = models.BooleanField(default=False, help_text="Of two people both need the level of the sum.")
    old_rounds_need_two = models.BooleanField(
        default=True, help_text="A round of an earlier gaming day is voided or counted again by two people."
    )
    unseen_sum = AmountField(
        null=True, help_text="Signed by one person at one table and day without cards of the hand; empty: no cap."
    )
    unseen_count = models.PositiveIntegerField(null=True, help_text="The same, in hits.")
    kept_alone = models.PositiveIntegerField(
        null=True,
        default=60,
        help_text="Kept-back rounds one person accepts a day, over all tables; empty: no cap.",
    )
    cheque_from = AmountField(null=True, help_text="From this sum on a slip is paid by cheque; empty: cash will do.")
    own_executive = models.JSONField(
        default=dict, blank=True, help_text="The executive threshold of a jackpot (GRAND) or of its row (GRAND/royal)."
    )
    own_dual = models.JSONField(default=dict, blank=True, help_text="The dual threshold of the same.")
    supervisor_witness = AmountField(null=True, help_text="From this sum up one stands by before payment.")
    executive_witness = AmountField(null=True, help_text="The same, an executive.")
    second_person_witness = AmountField(null=True, help_text="The same, a second person.")
    surveillance_witness = AmountField(null=True, help_text="The same, surveillance.")
    regulator_witness = AmountField(null=True, help_text="The same, the regulator.")
    authority = models.JSONField(
        default=list, blank=True, help_text="What two people signed since the first values, setting by setting."
    )
    limit_may_equal_meter = models.BooleanField(default=False, help_text="A new limit may be the present meter itself.")
    raise_limit_at_once = models.BooleanField(default=False, help_text="A higher limit need not wait for a reset.")
    surveillance = ArrayField(
        models.CharField(max_length=20), default=list, blank=True, help_text="What is ticked off at a hit, by code."
    )
    checklist_opens = models.BooleanField(default=False, help_text="A table opens only with its checklist done.")
    evidence_files = models.BooleanField(default=False, help_text="Nobody signs a request without a file of evidence.")
    seed_recovery = models.BooleanField(default=False, help_text="The house may take its seed back out of a meter.")
    plausible_play = models.BooleanField(
        default=True, help_text="Coin-ins faster than a table can deal raise no meter before a supervisor says so."
    )
    most_games = models.PositiveSmallIntegerField(default=4, help_text="Games that a player may wager on at a table.")
    each_wager_a_game = models.BooleanField(
        default=False, help_text="Ante, blind and play count as a game each; else they are one."
    )
    player_dealer_jackpots = models.BooleanField(
        default=False, help_text="A table that a player banks may feed a jackpot."
    )
    approves_game = models.BooleanField(default=False, help_text="A table opens only with the approval of its game.")
    approves_agreement = models.BooleanField(default=False, help_text="… with the agreement of the game's owner.")
    approves_pay_table = models.BooleanField(default=False, help_text="… of the pay tables of its jackpots.")
    approves_jackpot = models.BooleanField(default=False, help_text="… of its jackpots.")
    approves_schedule = models.BooleanField(default=False, help_text="… of its collection schedule.")
    short_cover_suspends = models.BooleanField(
        default=False, help_text="Jackpots suspend themselves while the bank holds less than they require."
    )
    unapproved_closes = models.BooleanField(
        default=False, help_text="A table that plays is closed when something of it is not approved any more."
    )
    terms_wait_for_notice = models.BooleanField(
        default=False, help_text="Other terms count only when whoever has to be told of them was told."
    )
    slips_need_two = models.BooleanField(
        default=True, help_text="What is written down of a book of hand-written slips takes two people."
    )
    surveillance_first = models.BooleanField(
        default=False, help_text="A hit is approved only when surveillance ticked off its list."
    )
    limits_close = models.BooleanField(
        default=False, help_text="A table that plays outside a limit sheet of its day is closed."
    )
    bad_beat_takes_trips = models.BooleanField(
        default=False, help_text="A bad beat wager takes a trips wager beside it, whatever its pay table asks for."
    )
    losers_play_first = models.BooleanField(
        default=False, help_text="Where a player banks a losing hand gives play, ante, blind; else ante, play, blind."
    )
    each_progressive_a_game = models.BooleanField(
        default=True, help_text="Each progressive wager of a table counts as a game; else all of them are one."
    )
    end_waits_for_settling = models.BooleanField(
        default=False, help_text="A hand that a player banks is ended only when it was told what became of it."
    )
    unreasonable_share = models.PositiveIntegerField(
        default=0, help_text="An hour of a table above this per cent of what is expected of it rings; 0: never."
    )
    rule_book = models.CharField(max_length=20, default="NONE", help_text="The rule book it is compared with, by code.")
    demo = models.BooleanField(default=False, help_text="Made by the demo file: served on loopback only.")

    _as_judged: Thresholds | None = None  # by `judge_at`, for this object alone: read anew, the house forgets it

    class Meta:
        verbose_name_plural = "properties"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(day_roll_minutes__lt=1440), name="property_day_rolls_within_a_day"
            ),
            models.CheckConstraint(condition=models.Q(most_games__gte=1), name="property_allows_a_game"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.time_zone)

    @property
    def first_authority(self) -> dict[str, Any]:
        """The values of the casino file, by setting, as plain values."""
        return {
            "executive_threshold": _text(self.executive_threshold), "dual_threshold": _text(self.dual_threshold),
            "pin_from_level": self.pin_from_level, "cards_required": self.cards_required,
            "cards_from_multiple": self.cards_from_multiple, "marker_may_verify": self.marker_may_verify,
            "verifier_may_pay": self.verifier_may_pay, "both_need_level": self.both_need_level,
            "old_rounds_need_two": self.old_rounds_need_two,
            "unseen_sum": _text(self.unseen_sum), "unseen_count": self.unseen_count,
            "kept_alone": self.kept_alone, "cheque_from": _text(self.cheque_from),
            "own_executive": dict(self.own_executive), "own_dual": dict(self.own_dual),
            **{f"{part}_witness": _text(getattr(self, f"{part}_witness")) for part in WitnessPart},
        }  # fmt: skip

    @property
    def authority_steps(self) -> list[Step]:
        return [Step.of(step) for step in self.authority]

    def authority_at(self, when: When) -> dict[str, Any]:
        """Every setting as it stood or stands at a moment of a gaming day."""
        return in_force(self.first_authority, self.authority_steps, *when)

    @property
    def thresholds(self) -> Thresholds:
        """What counts now, or at the time of the act that holds the house to it."""
        if self._as_judged is not None:
            return self._as_judged
        # Most houses have signed nothing since: then no clock is asked.
        if not self.authority:
            return thresholds_of(self.first_authority)
        now = timezone.now()
        return thresholds_of(self.authority_at((now, self.gaming_day(now))))

    @property
    def pin_from(self) -> int:
        """From which card level up a PIN is asked for now."""
        return self.thresholds.pin_from_level if self.authority else self.pin_from_level

    def judging(self, then: When, now: When) -> Thresholds:
        """What an act needs that began then and is done now: the stricter of both moments."""
        if not self.authority:  # nobody signed anything else: at both times the first values stood
            return thresholds_of(self.first_authority)
        return judging(thresholds_of(self.authority_at(then)), thresholds_of(self.authority_at(now)))

    def judge_at(self, coin_in: When, now: When) -> None:
        """One act has one time: from here on this object answers for hits of that coin-in, swiped at that moment."""
        self._as_judged = self.judging(coin_in, now)

    def gaming_day(self, moment: datetime) -> date:
        return gaming_day(moment, self.time_zone, self.day_roll_minutes)

    def day_begins(self, day: date) -> datetime:
        return start_of(day, self.time_zone, self.day_roll_minutes)

    @property
    def writes_month_first(self) -> bool:
        """Whether 11/17/2026 is a day here; elsewhere it is written 17/11/2026."""
        pattern: str = Locale.parse(self.locale).date_formats["short"].pattern
        return pattern.index("M") < pattern.index("d")


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else texts_of_stored(amount)[0]
