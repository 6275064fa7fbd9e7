from __future__ import annotations

from typing import ClassVar

from django.db import models


class NaiveMeter(models.Model):
    amount = models.DecimalField(max_digits=20, decimal_places=8)

    objects: ClassVar[models.Manager[NaiveMeter]] = models.Manager()

    def __str__(self) -> str:
        return str(self.amount)


class NaiveTable(models.Model):
    code = models.CharField(max_length=20, unique=True)
    meter = models.ForeignKey(NaiveMeter, on_delete=models.PROTECT)
    meter_id: int

    objects: ClassVar[models.Manager[NaiveTable]] = models.Manager()

    def __str__(self) -> str:
        return self.code


class NaiveRound(models.Model):
    table = models.ForeignKey(NaiveTable, on_delete=models.PROTECT, related_name="rounds")
    number = models.BigIntegerField()
    seats = models.CharField(max_length=9)
    spots = models.CharField(max_length=20)
    amount = models.DecimalField(max_digits=20, decimal_places=8)
    meter_after = models.DecimalField(max_digits=20, decimal_places=8)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager[NaiveRound]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="naive_round_once")]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"
