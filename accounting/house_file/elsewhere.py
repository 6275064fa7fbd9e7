"""Codes are one over all houses of a database: what stands in another house is not this file's to alter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from accounting.house_file.parts import CasinoFile, FilePart
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from tables.floor.models.device import Device
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table

Standing = tuple[str, str, Sequence[FilePart], QuerySet[Any]]


def refuse_elsewhere(casino: CasinoFile) -> None:
    """Before anything is made: a part that another house has is refused in its line."""
    for what, known_by, parts, rows in _kinds(casino):
        codes = {part.code for part in parts}
        named = rows.filter(**{f"{known_by}__in": codes}) if codes else rows.none()
        # A person of no house serves all of them, so nobody’s house is none.
        found = set(
            named.exclude(stands_in=None).exclude(stands_in=casino.premises.code).values_list(known_by, flat=True)
        )
        for part in parts:
            if part.code in found:
                why = f"There is already a {what} {part.code} in another house. Choose another code."
                raise part.refused(NotAllowedNow(why, "username" if known_by == "username" else "code"))


def _kinds(casino: CasinoFile) -> Iterator[Standing]:
    its = F("premises__code")
    yield "jackpot", "code", casino.jackpots, Jackpot.objects.annotate(stands_in=its)
    yield "table", "code", casino.tables, Table.objects.annotate(stands_in=its)
    yield "sign", "code", casino.signs, Sign.objects.annotate(stands_in=its)
    place = Coalesce("table__premises__code", "sign__premises__code")
    yield "device", "code", casino.devices, Device.objects.annotate(stands_in=place)
    yield "person", "username", casino.people, Operator.objects.annotate(stands_in=its)
