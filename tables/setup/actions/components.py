"""Which software a house lets run, model by model: said with the approval it stands on."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils import timezone

from jackpot.property.models.property import Property
from jackpot.refusals import NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.device import ComponentKind, VersionRule
from tables.floor.rules.versions import groups_of


@dataclass(frozen=True, slots=True)
class ComponentRule:
    """The rule of one model of a kind; without a model it is that of every model that has none of its own."""

    kind: str
    model: str = ""
    rule: str = VersionRule.Rule.MINIMUM.value
    version: str = ""
    keeps_closed: bool = False
    approval: str = ""


@transaction.atomic
def set_version_rule(*, premises: Property, rule: ComponentRule, by: str) -> VersionRule:
    """Counts within a second, also for machines that stand and speak; what ran before stays in the trail."""
    _check(rule)
    # The row is written over, so the trail is the only place where the rule before stays.
    before = VersionRule.objects.filter(premises=premises, kind=rule.kind, model=rule.model).first()
    row, _ = VersionRule.objects.update_or_create(
        premises=premises, kind=rule.kind, model=rule.model,
        defaults={"rule": rule.rule, "version": rule.version, "keeps_closed": rule.keeps_closed,
                  "approval": rule.approval, "at": timezone.now()},
    )  # fmt: skip
    details = {"before": "" if before is None else str(before), "after": asdict(rule)}
    record(actor=by, act="set_version_rule", about=objects.house(premises.code), details=details)
    return row


def _check(rule: ComponentRule) -> None:
    if rule.kind not in ComponentKind.values:
        raise NotUnderstood(f"“{rule.kind}” is no kind. Choose one of: {', '.join(ComponentKind.values)}.", "kind")
    if rule.rule not in VersionRule.Rule.values:
        why = f"“{rule.rule}” is no rule. Choose one of: {', '.join(VersionRule.Rule.values)}."
        raise NotUnderstood(why, "rule")
    if rule.rule == VersionRule.Rule.NONE:
        # “Either of these two and no third”: the models that may run have rules of their own beside it.
        if rule.version or rule.model:
            why = "“none” is about every model without a rule of its own. Leave model and version out."
            raise NotUnderstood(why, "version" if rule.version else "model")
    elif rule.rule == VersionRule.Rule.ANY:
        if rule.version or rule.keeps_closed:
            raise NotUnderstood("Where any version may run, none is named and nothing is kept closed.", "version")
    # A wanted version that nobody can read would fit no machine, and every table would stay closed.
    elif groups_of(rule.version) is None:
        why = f"“{rule.version}” is no version. Write it as on the approval: 6.10, 6.6 Build 520 or 1.66P."
        raise NotUnderstood(why, "version")
