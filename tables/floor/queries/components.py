"""What runs in a house beside what may run there: every device by its model, and the server itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q, prefetch_related_objects
from django.db.models.functions import Coalesce

from jackpot.property.models.property import Property
from jackpot.software.queries import build_serving
from tables.floor.models.device import ComponentKind, Device, VersionRule
from tables.floor.models.table import Table
from tables.floor.rules.versions import RuleKind, groups_of, version_fits

FITS, FAILS, UNKNOWN, NO_RULE = "fits", "does not fit", "of no known form", "no rule"
NO_OTHER_MODEL = str(VersionRule.Rule.NONE.label)


@dataclass(frozen=True, slots=True)
class ComponentLine:
    """One component of a house with its software, and how its rule judges it."""

    code: str
    kind: str
    model: str
    place: str
    serial: str
    version: str
    wanted: str
    verdict: str
    keeps_closed: bool
    approval: str
    state: str
    enrolled_at: datetime | None = None
    last_seen_at: datetime | None = None


class JudgedSoftware(NamedTuple):
    """What the rules of a house say of one program of one model."""

    kind: str
    verdict: str
    wanted: str
    keeps_closed: bool
    approval: str


class VersionRules:
    """The rules of one house: that of a model, else that of its kind."""

    def __init__(self, rules: Iterable[VersionRule]) -> None:
        self._rules: Mapping[tuple[str, str], VersionRule] = {(rule.kind, rule.model): rule for rule in rules}
        self._judged: dict[tuple[str, str, str], JudgedSoftware] = {}

    @cached_property
    def server(self) -> ComponentLine:
        """The program that serves, which these rules judge too."""
        return _server(self)

    @property
    def any_closes(self) -> bool:
        """Whether any of them keeps a table closed; then its machines have to be looked at."""
        return any(rule.keeps_closed for rule in self._rules.values())

    @property
    def newest(self) -> datetime | None:
        """When the house last said which software may run."""
        return max((rule.at for rule in self._rules.values()), default=None)

    def rule_of(self, kind: str, model: str) -> VersionRule | None:
        return self._rules.get((kind, model)) or self._rules.get((kind, ""))

    def judged(self, kind: str, model: str, version: str) -> JudgedSoftware:
        """A house has thousands of devices and a handful of programs: each is judged once."""
        known = self._judged.get((kind, model, version))
        if known is None:
            rule, label = self.rule_of(kind, model), str(ComponentKind(kind).label)
            said = ("", False, "") if rule is None else (rule.wanted, rule.keeps_closed, rule.approval)
            known = JudgedSoftware(label, self.verdict(kind, model, version), *said)
            self._judged[kind, model, version] = known
        return known

    def verdict(self, kind: str, model: str, version: str) -> str:
        rule = self.rule_of(kind, model)
        if rule is None:
            return NO_RULE
        if version_fits(version, RuleKind(rule.rule), rule.version):
            return FITS
        # Of a model that is on no list nobody asks what it runs.
        listed = RuleKind(rule.rule) is not RuleKind.NONE
        return UNKNOWN if listed and groups_of(version) is None else FAILS


def version_rules(premises: Property) -> VersionRules:
    return VersionRules(premises.version_rules.all())


def components_of(premises: Property) -> list[ComponentLine]:
    """The server first, then every device that stands at a table or hangs as a sign."""
    rules = version_rules(premises)
    here = Device.objects.filter(Q(table__premises=premises) | Q(sign__premises=premises)).order_by("code")
    columns = ("kind", "model", "version", "code", "serial", "state", "enrolled_at", "last_seen_at")
    rows = here.values_list(*columns, Coalesce("table__code", "sign__code"))
    return [
        rules.server,
        *(
            _line(rules, *what, code=code, place=at, serial=serial, state=state, enrolled_at=since, last_seen_at=seen)
            for *what, code, serial, state, since, seen, at in rows
        ),
    ]


def _server(rules: VersionRules) -> ComponentLine:
    name, _, version = settings.PROGRAM.rpartition(" ")
    kind = ComponentKind.SERVER.value
    return _line(rules, kind, name, version, code="server", place="", serial=build_serving(), state="active")


def _device(rules: VersionRules, device: Device) -> ComponentLine:
    place = device.table.code if device.table is not None else device.sign.code if device.sign is not None else ""
    return _line(
        rules, device.kind, device.model, device.version, code=device.code, place=place, serial=device.serial,
        state=device.state, enrolled_at=device.enrolled_at, last_seen_at=device.last_seen_at,
    )  # fmt: skip


def _line(
    rules: VersionRules, kind: str, model: str, version: str, *, code: str, place: str, serial: str, state: str,
    enrolled_at: datetime | None = None, last_seen_at: datetime | None = None,
) -> ComponentLine:  # fmt: skip
    judged = rules.judged(kind, model, version)
    return ComponentLine(
        code=code, kind=judged.kind, model=model, place=place, serial=serial, version=version, wanted=judged.wanted,
        verdict=judged.verdict, keeps_closed=judged.keeps_closed, approval=judged.approval,
        state=state, enrolled_at=enrolled_at, last_seen_at=last_seen_at,
    )  # fmt: skip


def rules_of(houses: Collection[int]) -> dict[int, VersionRules]:
    """By house, its rules."""
    found: dict[int, list[VersionRule]] = {house: [] for house in houses}
    for rule in VersionRule.objects.filter(premises_id__in=houses):
        found[rule.premises_id].append(rule)
    return {house: VersionRules(rules) for house, rules in found.items()}


def rules_at(tables: Sequence[Table]) -> dict[int, VersionRules]:
    """By house, the rules that count at these tables; where one keeps tables closed, their machines come with it."""
    rules = rules_of({table.premises_id for table in tables})
    if any(each.any_closes for each in rules.values()):
        prefetch_related_objects(tables, "devices")
    return rules


def why_kept_closed(table: Table, rules: VersionRules | None = None) -> str | None:
    """The first machine at a table, or the server, whose software keeps the table closed; None where none does."""
    rules = rules or rules_of([table.premises_id])[table.premises_id]
    # Asked whenever a table begins something: where no rule closes tables no machine is read.
    if not rules.any_closes:
        return None
    # Sorted here: an order of the database's would ask again for what was fetched for many tables at once (`rules_at`).
    devices = sorted(table.devices.all(), key=lambda device: device.code)
    machines = [rules.server, *(_device(rules, device) for device in devices)]
    for each in machines:
        # A blocked machine is heard by nobody, so what it runs keeps no table closed.
        if each.keeps_closed and each.state != "blocked" and each.verdict not in (FITS, NO_RULE):
            name = f"{each.kind} {each.model}".strip()
            if each.wanted == NO_OTHER_MODEL:
                return (
                    f"{each.code} is a {name}, and the rules of this house name no such model. "
                    "A technician puts one of the approved models there, or two people add a rule for this one."
                )
            return (
                f"{each.code} runs “{each.version}”, but every {name} here must run {each.wanted}. "
                "A technician updates it."
            )
    return None
