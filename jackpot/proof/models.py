from __future__ import annotations

from django.db import models


class ProofReach(models.Model):
    """Up to which entry the rolling proof has added and sealed a jackpot's books again."""

    jackpot = models.OneToOneField("jackpot.Jackpot", models.PROTECT, primary_key=True, related_name="+")
    seq = models.BigIntegerField()
    seal = models.BinaryField()
    at = models.DateTimeField(help_text="When it was reached.")

    def __str__(self) -> str:
        return f"{self.jackpot_id}/{self.seq}"
