"""The collection schedules and dated limits of the player-dealer rule sets, read from their pack."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tables.games.fees import Bracket, NoFee, Schedule, ScheduleStatus
from tables.games.limits import Limits
from tables.games.packs import PackRefused, read_toml, seal

PACK = Path(__file__).parent / "packs" / "collection.toml"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One printed rule set: its schedules by option, the wagers it counts, its limits and its seats."""

    code: str
    title: str
    source: str
    seats: int
    counted: tuple[str, ...]
    schedules: Mapping[int, Schedule]
    limits: Mapping[int, Limits]
    standing: ScheduleStatus
    standing_source: str
    back_line: bool
    digest: str

    def schedule(self, option: int) -> Schedule:
        if option not in self.schedules:
            raise NoFee(f"Rule set {self.code} has the options 1 to {max(self.schedules)}, not {option}.")
        return self.schedules[option]


@cache
def rule_sets(path: Path = PACK) -> Mapping[str, RuleSet]:
    """All rule sets of the pack, or none: a wrong file is refused whole with the reason."""
    content = read_toml(path)
    try:
        return {entry["code"]: _rule_set(entry) for entry in content["set"]}
    except (KeyError, TypeError, ValueError) as wrong:
        what = f"it lacks {wrong}" if isinstance(wrong, KeyError) else str(wrong).rstrip(".")
        raise PackRefused(f"Pack {path.name} is refused whole: {what}.") from None


def rule_set(code: str) -> RuleSet:
    sets = rule_sets()
    if code not in sets:
        raise NoFee(f"There is no collection rule set {code}; there is {', '.join(sets)}.")
    return sets[code]


def _rule_set(entry: Mapping[str, Any]) -> RuleSet:
    code = entry["code"]
    options = {option["number"]: option for option in entry["option"]}
    return RuleSet(
        code=code,
        title=entry["title"],
        source=entry["source"],
        seats=entry["seats"],
        counted=tuple(entry["counted"]),
        schedules={number: _schedule(code, option) for number, option in options.items()},
        limits={number: _limits(entry, option) for number, option in options.items()},
        standing=ScheduleStatus(entry["standing"]),
        standing_source=entry["standing_source"],
        back_line=entry.get("back_line", True),
        digest=seal(entry),
    )


def _schedule(code: str, option: Mapping[str, Any]) -> Schedule:
    brackets = tuple(Bracket(start, fee) for start, fee in option["brackets"])
    return Schedule(code, option["number"], brackets, _range(option.get("per_spot")))


def _limits(entry: Mapping[str, Any], option: Mapping[str, Any]) -> Limits:
    return Limits(
        source=entry["limits_source"],
        from_date=entry.get("from"),
        until_date=entry.get("until"),
        wager_minimum=_range(entry.get("wager_minimum")),
        wager_maximum=_range(entry.get("wager_maximum")),
        per_spot=_range(option.get("per_spot")),
    )


def _range(pair: list[int] | None) -> tuple[int, int] | None:
    return None if pair is None else (pair[0], pair[1])
