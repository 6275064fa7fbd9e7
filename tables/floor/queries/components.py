"""What runs in a house beside what may run there: every device by its model, and the server itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from jackpot.property.models.property import Property
from jackpot.software.queries import build_serving
from tables.floor.models.device import ComponentKind, Device, VersionRule
from tables.floor.models.table import Table
from tables.floor.rules.versions import RuleKind, groups_of, version_fits

FITS, FAILS, UNKNOWN, NO_RULE = "fits", "does not fit", "of no known form", "no rule"


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


class VersionRules:
    """The rules of one house: that of a model, else that of its kind."""

    def __init__(self, rules: Iterable[VersionRule]) -> None:
        self._rules: Mapping[tuple[str, str], VersionRule] = {(rule.kind, rule.model): rule for rule in rules}

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

    def verdict(self, kind: str, model: str, version: str) -> str:
        rule = self.rule_of(kind, model)
        if rule is None:
            return NO_RULE
        if version_fits(version, RuleKind(rule.rule), rule.version):
            return FITS
        return FAILS if groups_of(version) is not None else UNKNOWN


def version_rules(premises: Property) -> VersionRules:
    return VersionRules(premises.version_rules.all())


def components_of(premises: Property) -> list[ComponentLine]:
    """The server first, then every device that stands at a table or hangs as a sign."""
    rules = version_rules(premises)
    devices = Device.objects.select_related("table", "sign").order_by("code")
    here = [
        device
        for device in devices
        if premises.pk in (getattr(device.table, "premises_id", None), getattr(device.sign, "premises_id", None))
    ]
    return [_server(rules), *(_device(rules, device) for device in here)]


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
    rule = rules.rule_of(kind, model)
    return ComponentLine(
        code=code, kind=ComponentKind(kind).label, model=model, place=place, serial=serial, version=version,
        wanted="" if rule is None else rule.wanted, verdict=rules.verdict(kind, model, version),
        keeps_closed=rule is not None and rule.keeps_closed, approval="" if rule is None else rule.approval,
        state=state, enrolled_at=enrolled_at, last_seen_at=last_seen_at,
    )  # fmt: skip


def rules_for(table: Table) -> VersionRules:
    """The rules of a table's house."""
    return VersionRules(VersionRule.objects.filter(premises_id=table.premises_id))


def why_kept_closed(table: Table, rules: VersionRules | None = None) -> str | None:
    """The first machine at a table, or the server, whose software keeps the table closed; None where none does."""
    rules = rules or rules_for(table)
    if not rules.any_closes:
        return None
    machines = [_server(rules), *(_device(rules, device) for device in table.devices.order_by("code"))]
    for each in machines:
        if each.keeps_closed and each.state != "blocked" and each.verdict not in (FITS, NO_RULE):
            name = f"{each.kind} {each.model}".strip()
            return (
                f"{each.code} runs “{each.version}”, but every {name} here must run {each.wanted}. "
                "A technician updates it."
            )
    return None
