from __future__ import annotations

from datetime import UTC, date
from typing import Any, ClassVar

from django.db import models
from django.db.models.functions import Now

from jackpot.canonical import digest_of_value
from jackpot.money import Money, texts_of_stored, units_of
from jackpot.money_field import AmountField
from jackpot.people.rules.card_level import word_worth
from jackpot.property.rules.tax import SlipSum, TaxDue
from jackpot.wins.rules.award_record import AwardRecord
from jackpot.wins.rules.win_life import STANDING, WinState

LONGEST_NAME = 80


def shown_name(name: str) -> str:
    """The name of a hand as its row and its page have space for it."""
    return name[:LONGEST_NAME]


class Win(models.Model):
    """A hit of one seat on one jackpot, from its mark to its payment. Amounts are computed, never typed."""

    State = WinState

    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="wins")
    table_code = models.CharField(max_length=20)
    round_number = models.BigIntegerField()
    seat = models.PositiveSmallIntegerField(help_text="0: a lit key; the pit page says which seats hold the hand.")
    line = models.CharField(max_length=40)
    line_name = models.CharField(max_length=LONGEST_NAME)
    part = models.BooleanField(help_text="Paid as a part of the meter: such hits wait for each other.")
    ranked = models.BooleanField(
        default=False, help_text="Its round had a part-of-the-meter hit: it counts for later ones."
    )
    front_seq = models.BigIntegerField(
        null=True, help_text="The entry by which an executive and a second person let it pass the queue."
    )
    envy_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="envied")
    difference_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="made_up")
    adjustment = models.ForeignKey(
        "jackpot.Adjustment", on_delete=models.PROTECT, null=True, related_name="pages",
        help_text="Of a difference: the act of two people that owes it.",
    )  # fmt: skip
    version = models.ForeignKey("jackpot.Version", on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=[(state.value, state.value) for state in WinState])
    mark_seq = models.BigIntegerField(help_text="Number of its mark in the books, or of its lit key's: its rank.")
    frozen_seq = models.BigIntegerField(
        help_text="The entry whose balances it counts from; from the approval on, its round's."
    )
    marked_at = models.DateTimeField()
    marked_by = models.CharField(max_length=100, help_text="The name as it was then; people are compared by key.")
    marker = models.ForeignKey(
        "jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+",
        help_text="Empty: nobody was badged in.",
    )  # fmt: skip
    asked_at = models.DateTimeField(null=True)
    asked_by = models.CharField(max_length=100, blank=True)
    asker = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    cards_checked = models.BooleanField(default=False)
    number = models.BigIntegerField(null=True, help_text="Win number of the property, given at approval.")
    slip = models.BigIntegerField(null=True, help_text="Slip number of the property, gapless, given at approval.")
    premises = models.ForeignKey(
        "jackpot.Property", on_delete=models.PROTECT, null=True, related_name="+", help_text="Whose slip it is."
    )
    place = models.PositiveSmallIntegerField(null=True, help_text="Its place in the order of its act.")
    amount = AmountField(null=True)
    paper = models.JSONField(null=True, help_text="What its page prints: the record of its award, from approval on.")
    override = models.JSONField(null=True, help_text="Two people’s word for it in spite of its cards, and on which.")
    award_seq = models.BigIntegerField(null=True)
    logged_at = models.DateTimeField(null=True)
    gaming_day = models.DateField(null=True)
    moved_at = models.DateTimeField(null=True)
    paid_at = models.DateTimeField(null=True)
    paid_by = models.CharField(max_length=100, blank=True)
    payer = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    paid_method = models.CharField(max_length=20, blank=True)
    paid_cheque = models.CharField(max_length=40, blank=True, help_text="Number of the cheque.")
    paid_window = models.CharField(max_length=40, blank=True, help_text="The window that paid it.")

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["jackpot", "table_code", "round_number", "seat", "line"],
                condition=models.Q(state__in=["marked", "asked"]),
                name="win_marked_once",
            ),
            # A seat that another's hand pays, and the rest of an earlier award, stand beside the seat's own award.
            models.UniqueConstraint(
                fields=["jackpot", "table_code", "round_number", "seat"],
                condition=models.Q(
                    state__in=["logged", "owed", "paid"], envy_of__isnull=True, difference_of__isnull=True
                ),
                name="win_one_award_a_seat",
            ),
            models.UniqueConstraint(
                fields=["adjustment"], condition=models.Q(adjustment__isnull=False), name="win_difference_once"
            ),
            models.CheckConstraint(
                condition=models.Q(difference_of__isnull=True, adjustment__isnull=True)
                | models.Q(difference_of__isnull=False, adjustment__isnull=False),
                name="win_difference_of_two_people",
            ),
            models.UniqueConstraint(
                fields=["premises", "slip"], condition=models.Q(slip__isnull=False), name="win_slip_once"
            ),
            models.CheckConstraint(
                condition=models.Q(slip__isnull=True) | models.Q(premises__isnull=False), name="win_slip_of_a_house"
            ),
            models.CheckConstraint(
                condition=models.Q(amount__isnull=True) | models.Q(amount__gte=0), name="win_amount_not_negative"
            ),
        ]
        indexes = [
            models.Index(fields=["table_code", "round_number"], name="win_by_round"),
            models.Index(fields=["jackpot", "moved_at"], name="win_by_time"),
            models.Index(fields=["gaming_day", "id"], name="win_by_day"),
            models.Index(fields=["amount"], condition=models.Q(amount__isnull=False), name="win_by_amount"),
            models.Index(fields=["jackpot", "moved_at"], condition=models.Q(part=True), name="win_part_by_time"),
            models.Index(
                fields=["jackpot", "mark_seq"],
                condition=models.Q(state__in=["marked", "asked", "logged"]),
                name="win_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{f'slip {self.slip}' if self.slip else 'hit'}: {self.line_name}, seat {self.seat} at {self.table_code}"

    @property
    def amount_money(self) -> Money | None:
        return None if self.amount is None else Money(units_of(self.amount))

    @property
    def record(self) -> AwardRecord:
        """What its page prints of its award; what was approved has one."""
        assert self.paper is not None, "what was approved has the record of its award"
        return AwardRecord.of(self.paper)

    @property
    def stands(self) -> bool:
        return self.state in STANDING


class Signature(models.Model):
    """One person's word for one win. The database takes each person once for each part of it."""

    class Part(models.TextChoices):
        APPROVE = "approve", "approved"
        TAKEN_BACK = "taken_back", "approved, taken back with the key"
        CLAIM = "claim", "opened as a late claim"
        OVERRIDE = "override", "override"
        REJOIN = "rejoin", "back in the queue"
        CARDS = "cards", "override of the cards"
        PAY = "pay", "paid"
        BACK_OUT = "back_out", "backed out"
        DIFFERENCE = "difference", "difference"

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="signatures")
    operator = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="signatures")
    card = models.ForeignKey("jackpot.Card", on_delete=models.PROTECT, null=True, related_name="signatures")
    level = models.PositiveSmallIntegerField()
    part = models.CharField(max_length=10, choices=Part.choices)
    at = models.DateTimeField()
    why = models.CharField(max_length=200, blank=True)
    entry = models.BigIntegerField(null=True, help_text="Of a changed order: the entry that notes it.")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # To a unique key two empty entries differ, and one person could sign twice; here they are the same.
            models.UniqueConstraint(
                fields=["win", "operator", "part", "entry"], nulls_distinct=False, name="signature_of_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operator} {self.get_part_display()} {self.win}"

    def worth(self, day: date) -> int:
        """The level it counts for while another word is awaited: nothing when its person is dismissed or its card is
        blocked, and never more than the card may do on this gaming day."""
        if not self.operator.is_active:
            return 0
        card = self.card
        stands, blocked = (None, False) if card is None else (card.level_on(day), card.blocked_at is not None)
        return word_worth(self.level, stands, blocked=blocked)


class SlipCounter(models.Model):
    """The next slip and win number of a property; locked last, so numbers have no gap."""

    premises = models.OneToOneField("jackpot.Property", on_delete=models.PROTECT, primary_key=True)
    next_slip = models.BigIntegerField(default=1)
    next_win = models.BigIntegerField(default=1)

    def __str__(self) -> str:
        return f"next slip {self.next_slip}"


class Payment(models.Model):
    """One slip paid at a window: sealed when it is written, never changed. The database refuses anything else.

    The books move the whole sum from winners to paid; here stands what of it the player got and what was withheld.
    """

    win = models.OneToOneField(Win, on_delete=models.PROTECT, related_name="payment")
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    slip = models.BigIntegerField()
    entry = models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")
    entry_seal = models.CharField(max_length=64)
    gross = AmountField()
    withheld = AmountField()
    net = AmountField()
    taxable = AmountField(null=True, help_text="Empty: the house had no tax rule on that day.")
    tax_rule = models.ForeignKey("jackpot.DatedTax", on_delete=models.PROTECT, null=True, related_name="+")
    reported = models.BooleanField()
    form_seen = models.BooleanField(help_text="The payer ticked that identity and form are in hand.")
    method = models.CharField(max_length=20)
    cheque = models.CharField(max_length=40, blank=True)
    place = models.CharField(max_length=40, blank=True, help_text="The window.")
    payer = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    payer_name = models.CharField(max_length=100)
    paid_at = models.DateTimeField()
    gaming_day = models.DateField()
    seal = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "slip"], name="payment_of_a_slip_once"),
            models.CheckConstraint(
                condition=models.Q(gross=models.F("net") + models.F("withheld")), name="payment_adds_up"
            ),
            models.CheckConstraint(condition=models.Q(net__gte=0, withheld__gte=0), name="payment_not_negative"),
        ]
        indexes = [
            models.Index(fields=["premises", "gaming_day"], name="payment_by_day"),
            models.Index(fields=["premises", "paid_at"], name="payment_by_time"),
            models.Index(fields=["premises", "gross"], name="payment_by_amount"),
        ]

    def __str__(self) -> str:
        return f"payment of slip {self.slip}"

    @property
    def sum(self) -> SlipSum:
        """The split as it was made then, with the rule that made it."""
        if self.tax_rule is None or self.taxable is None:
            return SlipSum.of(Money(units_of(self.gross)))
        taxable, withheld = Money(units_of(self.taxable)), Money(units_of(self.withheld))
        return SlipSum.of(Money(units_of(self.gross)), TaxDue(self.tax_rule.value, taxable, self.reported, withheld))

    def plain(self) -> dict[str, Any]:
        """What is sealed: everything, with the seal of the entry that moved the sum in the books."""
        taxable = None if self.taxable is None else texts_of_stored(self.taxable)[0]
        rule = self.tax_rule
        return {
            "v": 1, "house": self.premises.code, "slip": self.slip, "win": self.win_id, "entry": self.entry,
            "entry_seal": self.entry_seal, **_split(self), "taxable": taxable,
            "rule": None if rule is None else [rule.pk, str(rule.begins)],
            "reported": self.reported, "form_seen": self.form_seen, "method": self.method, "cheque": self.cheque,
            "window": self.place, "payer": self.payer.username, "payer_name": self.payer_name,
            "paid_at": self.paid_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "gaming_day": str(self.gaming_day),
        }  # fmt: skip

    def seal_found(self) -> str:
        return digest_of_value(self.plain())


class WindowReceipt(models.Model):
    """Money that a window paid in error and got back, all of it or a part: sealed as a payment is, never changed.

    The books move the whole sum back from paid to house; here stands what of it came from the player and what of it
    had been withheld.
    """

    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="receipts")
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="1, 2, 3 … of its slip.")
    entry = models.BigIntegerField(help_text="Number of its entry in the books of the win's jackpot.")
    entry_seal = models.CharField(max_length=64)
    gross = AmountField()
    withheld = AmountField(help_text="What had been withheld and is not owed to the tax office any more.")
    net = AmountField(help_text="What came over the window.")
    method = models.CharField(max_length=20)
    reference = models.CharField(max_length=40, blank=True, help_text="Number of the cheque or of the transfer.")
    place = models.CharField(max_length=40, blank=True, help_text="The window.")
    taker = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    taker_name = models.CharField(max_length=100)
    taken_at = models.DateTimeField()
    gaming_day = models.DateField()
    seal = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["payment", "number"], name="receipt_named_once"),
            models.CheckConstraint(
                condition=models.Q(gross=models.F("net") + models.F("withheld")), name="receipt_adds_up"
            ),
            models.CheckConstraint(
                condition=models.Q(net__gte=0, withheld__gte=0, gross__gt=0), name="receipt_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["premises", "gaming_day"], name="receipt_by_day")]

    def __str__(self) -> str:
        return f"receipt {self.number} for slip {self.payment.slip}"

    def plain(self) -> dict[str, Any]:
        """What is sealed: everything, with the seals of the payment that it gives back and of its own entry."""
        return {
            "v": 1, "house": self.premises.code, "slip": self.payment.slip, "number": self.number,
            "payment_seal": self.payment.seal, "entry": self.entry, "entry_seal": self.entry_seal, **_split(self),
            "method": self.method, "reference": self.reference, "window": self.place, "taker": self.taker.username,
            "taker_name": self.taker_name, "gaming_day": str(self.gaming_day),
            "taken_at": self.taken_at.astimezone(UTC).isoformat(timespec="microseconds"),
        }  # fmt: skip

    def seal_found(self) -> str:
        return digest_of_value(self.plain())


def _split(row: Payment | WindowReceipt) -> dict[str, str]:
    """What of the whole sum went over the window and what was withheld, as it is sealed."""
    gross, withheld, net = texts_of_stored(row.gross, row.withheld, row.net)
    return {"gross": gross, "withheld": withheld, "net": net}


class Dispute(models.Model):
    """Somebody contests a slip: until another person has settled it, no window pays."""

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="disputes")
    why = models.CharField(max_length=200)
    opened_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(db_default=Now())
    settled_by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, null=True, related_name="+")
    settled_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["win"], condition=models.Q(settled_at__isnull=True), name="dispute_open_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(settled_by=models.F("opened_by")), name="dispute_settled_by_another"
            ),
            models.CheckConstraint(
                condition=models.Q(settled_by__isnull=True, settled_at__isnull=True)
                | models.Q(settled_by__isnull=False, settled_at__isnull=False),
                name="dispute_settled_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"dispute over slip {self.win.slip}"


class UnclaimedNotice(models.Model):
    """The owner of an unpaid slip was told. Added, never changed."""

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="notices")
    how = models.CharField(max_length=200)
    by = models.ForeignKey("jackpot.Operator", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"notice for slip {self.win.slip}"
