from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.money import Money, units_of
from jackpot.money_field import AmountField


class TableState(models.TextChoices):
    OPEN = "open", "open"
    CLOSED = "closed", "closed"
    HELD = "held", "held"
    MAINTENANCE = "maintenance", "maintenance"


class Profile(models.TextChoices):
    KEY = "key", "key profile"
    CARD = "card", "card profile"


class Bank(models.TextChoices):
    HOUSE = "house", "the house banks"
    PLAYER_DEALER = "player_dealer", "a player banks"


class Table(models.Model):
    """A gaming table: its seats are counted from the dealer's left."""

    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=60, blank=True)
    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="tables")
    game = models.CharField(max_length=20, help_text="Code of the game pack, such as uth.")
    seats = models.PositiveSmallIntegerField(default=7)
    wager = AmountField(help_text="Size of the progressive chip; of the first where there are several wagers.")
    wager_name = models.CharField(max_length=60, blank=True, help_text="Of the first wager, where there are several.")
    wagers = models.PositiveSmallIntegerField(
        default=1, help_text="How many wagers it takes: the first and the further."
    )
    profile = models.CharField(max_length=4, choices=Profile.choices, default=Profile.CARD)
    bank = models.CharField(max_length=13, choices=Bank.choices, default=Bank.HOUSE)
    shuffler = models.CharField(max_length=20, blank=True)
    deck_colours = ArrayField(models.CharField(max_length=20), default=list)
    games = ArrayField(
        models.CharField(max_length=61), default=list, blank=True, db_default=[],
        help_text="Games declared beside the progressive, by bet and pay table, such as trips/UTH-02.",
    )  # fmt: skip
    drop_box = models.CharField(max_length=20, blank=True)
    state = models.CharField(max_length=12, choices=TableState.choices, default=TableState.OPEN)
    key_at_jph = models.CharField(max_length=20, blank=True, help_text="Number of the key that stands at JPH.")
    held_why = models.CharField(max_length=200, blank=True)
    for_people = models.BooleanField(default=False, help_text="Simulated players leave it to people.")
    most_a_minute = models.PositiveSmallIntegerField(default=4, help_text="Rounds that can be dealt in a minute.")
    unsettled = models.BigIntegerField(
        default=0, db_default=0, help_text="The round whose banked hand END waits for; 0: for none."
    )
    most_in_ten = models.PositiveSmallIntegerField(default=20, help_text="Rounds that can be dealt in ten minutes.")
    most_seats = models.PositiveSmallIntegerField(default=9, help_text="Seats that play in one round at most.")
    opened_at = models.DateTimeField(
        null=True, help_text="When it was opened last, by the database; empty: it was never closed."
    )
    jackpots = models.ManyToManyField("jackpot.Jackpot", through="tables.Link", related_name="tables")

    class Meta:
        ordering = ["code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(seats__gte=1, seats__lte=9), name="table_has_one_to_nine_seats"),
            models.CheckConstraint(condition=models.Q(wager__gt=0), name="table_wager_above_zero"),
            models.CheckConstraint(
                condition=models.Q(wagers__gte=1, wagers__lte=9), name="table_has_one_wager_to_nine"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def wager_money(self) -> Money:
        return Money(units_of(self.wager))


class FurtherWager(models.Model):
    """A wager beside a table's first: a chip of its own size on sensors of its own. A seat may play any of them."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="further_wagers")
    place = models.PositiveSmallIntegerField(help_text="Among the table's wagers; the first one is 1.")
    code = models.CharField(max_length=20, help_text="As its controller names it.")
    name = models.CharField(max_length=60, blank=True)
    chip = AmountField()

    class Meta:
        ordering = ["table_id", "place"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "place"], name="further_wager_place_once"),
            models.UniqueConstraint(fields=["table", "code"], name="further_wager_code_once"),
            models.CheckConstraint(condition=models.Q(place__gte=2, place__lte=9), name="further_wager_from_two"),
            models.CheckConstraint(condition=models.Q(chip__gt=0), name="further_chip_above_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.code} at {self.table.code}"

    @property
    def shown(self) -> str:
        """As people call it."""
        return self.name or self.code

    @property
    def chip_money(self) -> Money:
        return Money(units_of(self.chip))


class Link(models.Model):
    """A table feeds a jackpot with one of its wagers, in the order of its levels."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="links")
    jackpot = models.ForeignKey("jackpot.Jackpot", on_delete=models.PROTECT, related_name="links")
    level = models.PositiveSmallIntegerField(default=1)
    wager = models.PositiveSmallIntegerField(default=1, help_text="Place of the table's wager that feeds it.")

    class Meta:
        ordering = ["table_id", "level"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["table", "jackpot"], name="link_once"),
            models.UniqueConstraint(fields=["table", "level"], name="link_level_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table.code} → {self.jackpot.code}"
