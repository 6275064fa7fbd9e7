from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from tables.custody.rules import (
    ACT_WORDS,
    BEGINS,
    LIFE,
    PLACE_WORDS,
    CustodyAct,
    CustodyKind,
    CustodyState,
    GuardedPlace,
)

PERSON = "jackpot.Operator"


class CustodyItem(models.Model):
    """A key or a seal of the house, and the two departments that touch it only together. It never changes."""

    premises = models.ForeignKey("jackpot.Property", on_delete=models.PROTECT, related_name="custody_items")
    code = models.CharField(max_length=20)
    kind = models.CharField(max_length=4, choices=[(kind.value, kind.value) for kind in CustodyKind])
    place = models.CharField(max_length=10, choices=[(place.value, words) for place, words in PLACE_WORDS.items()])
    where = models.CharField(max_length=60, help_text="Which cabinet, table or hall.")
    holder = models.CharField(max_length=20, help_text="Code of the role that takes it.")
    countersigner = models.CharField(max_length=20, help_text="Code of the role that lets it be taken.")
    hours = models.PositiveSmallIntegerField(null=True, help_text="A key: after so many hours out it rings.")
    added_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar[list[str]] = ["premises_id", "code"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["premises", "code"], name="custody_code_once"),
            models.CheckConstraint(
                condition=~models.Q(holder=models.F("countersigner")), name="custody_of_two_departments"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.code}"

    @property
    def guards(self) -> str:
        return f"{PLACE_WORDS[GuardedPlace(self.place)]} {self.where}"

    @property
    def first_state(self) -> CustodyState:
        return BEGINS[CustodyKind(self.kind)]


class CustodyMove(models.Model):
    """What two people wrote down of a key or a seal. Added, never changed: the last one says how it stands."""

    item = models.ForeignKey(CustodyItem, on_delete=models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField(help_text="Counts the moves of this key or seal.")
    act = models.CharField(max_length=8, choices=[(act.value, words) for act, words in ACT_WORDS.items()])
    state = models.CharField(max_length=7, choices=[(state.value, state.value) for state in CustodyState])
    purpose = models.CharField(max_length=120)
    old_seal = models.CharField(max_length=30, blank=True, help_text="As it was read off the seal that came off.")
    new_seal = models.CharField(max_length=30, blank=True)
    differs = models.BooleanField(default=False, help_text="The number that came off is not the one that went on.")
    person = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    person_name = models.CharField(max_length=100)
    second = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    second_name = models.CharField(max_length=100)
    at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(null=True, help_text="Out: when it has to be back.")

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["item", "number"], name="custody_move_once"),
            models.CheckConstraint(
                condition=~models.Q(person=models.F("second")), name="custody_takes_two_people"
            ),
            models.CheckConstraint(
                # “Missing” and whatever else no act leads to can be written by nobody, not even past this program.
                condition=models.Q(state__in=sorted({state.value for state in LIFE.values()})),
                name="custody_state_follows",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.item}: {self.words}"

    @property
    def words(self) -> str:
        return ACT_WORDS[CustodyAct(self.act)]
