"""The form of a draft: every term as a field, filled from the terms in force, read back as what should differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.reading import NotANumber, read_amount, read_percent
from jackpot.refusals import NotUnderstood
from jackpot.signing.rules import AskField, FieldLook
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.policy import CHOICES
from jackpot.terms.rules.switch_words import SWITCH_WORDS
from jackpot.terms.rules.terms import Terms, percent_text
from jackpot.terms.rules.terms_change import NAMES, RATES
from tables.floor.queries.known_rows import progressives_of
from tables.games.registry import find_games
from tables.par.actions.own_tables import ready_progressives

# Not the code of the table in force: its lines may differ from the pack of the same code.
KEEP: Final = "keep"
SOURCES: Final = ("tray", "meter")
LONGEST: Final = 40
MONEY: Final = (
    ("rate", "To the meter", "% of the chip"),
    ("reserve_rate", "To the reserve", "% of the chip"),
    ("seed", "Seed of a new meter", ""),
    ("limit", "Limit", "empty: none"),
    ("wager", "Wager", "a chip"),
    ("aggregate", "Fixed awards of one round together", "empty: no aggregate"),
    ("preset_rate", "Preset of the par sheet", "% of the chip; empty: none"),
    ("preset_seed", "Preset seed of the pay table", "empty: none"),
    ("par_sheet", "Approved par sheet", "its reference, where the rate is above the preset"),
    ("repay_rate", "Repays a house advance", "% of what a chip adds; only where a dry meter begins anew"),
)
MAY_LACK: Final = frozenset({"limit", "aggregate", "preset_rate", "preset_seed", "repay_rate"})


def stands_of(terms: Terms) -> dict[str, str]:
    """The form as it is first shown: the terms in force."""
    return {
        "rate": percent_text(terms.rate), "reserve_rate": percent_text(terms.reserve_rate), "seed": str(terms.seed),
        "limit": "" if terms.limit is None else str(terms.limit), "wager": str(terms.wager),
        "aggregate": "" if terms.aggregate is None else str(terms.aggregate),
        "preset_rate": "" if terms.preset_rate is None else percent_text(terms.preset_rate),
        "preset_seed": "" if terms.preset_seed is None else str(terms.preset_seed),
        "par_sheet": terms.par_sheet,
        "repay_rate": "" if terms.repay_rate is None else percent_text(terms.repay_rate),
        "pay_table": KEEP, "fixed_from": KEEP, "rounding": terms.rounding.value,
        **terms.policy.switches(), "how": TermsChange.How.NEXT_RESET.value,
    }  # fmt: skip


def values_of(terms: Terms, typed: Mapping[str, str]) -> dict[str, str]:
    """What the form holds: what was typed over the terms in force."""
    return {name: typed.get(name, value).strip()[:LONGEST] for name, value in stands_of(terms).items()}


def changes_of(jackpot: Jackpot, terms: Terms, values: Mapping[str, str]) -> dict[str, Any]:
    """The typed form as terms; a pay table only where another one or another source is chosen."""
    told: dict[str, Any] = {name: _read(name, values[name]) for name, *_ in MONEY}
    told["rounding"] = values["rounding"]
    told["policy"] = {switch: values[switch] for switch in CHOICES}
    if values["pay_table"] != KEEP:
        told["pay_table"] = _from_pack(jackpot, values)
    # The table as it stands, with its fixed awards from elsewhere: lines that were altered by hand are not lost.
    elif values["fixed_from"] == "tray":
        told["pay_table"] = terms.pay_table.paid_from("tray").plain()
    elif values["fixed_from"] == "meter":
        told["pay_table"] = terms.pay_table.paid_from("meter").plain()
    return told


def money_fields(terms: Terms, values: Mapping[str, str]) -> list[AskField]:
    stands = stands_of(terms)
    return [
        AskField(
            name, label, FieldLook.AMOUNT, values[name], stands=stands[name], unit=unit, required=False, longest=LONGEST
        )
        for name, label, unit in MONEY
    ]


def rule_fields(jackpot: Jackpot, terms: Terms, values: Mapping[str, str]) -> list[AskField]:
    """Chosen: the pay table and its source, rounding, the switches."""
    packs = [(code, f"{code} · {title}") for code, title, _ in _packs(jackpot)]
    own = [(KEEP, f"{terms.pay_table.code}, as it is")]
    sources = [(KEEP, "as it is"), *((source, f"the {source}") for source in SOURCES)]
    rounding = [("half_up", "half a cent up"), ("down", "down")]
    return [
        AskField("pay_table", "Pay table", FieldLook.CHOICE, values["pay_table"], [*own, *packs]),
        AskField("fixed_from", "Fixed awards come from", FieldLook.CHOICE, values["fixed_from"], sources),
        AskField("rounding", "Rounding of awards", FieldLook.CHOICE, values["rounding"], rounding),
        *(
            AskField(
                switch, label, FieldLook.CHOICE, values[switch], [(value, words[value]) for value in CHOICES[switch]]
            )
            for switch, (label, words) in SWITCH_WORDS.items()
        ),
    ]


def _read(name: str, typed: str) -> str | None:
    """As every other amount is read: a comma that parts no thousands is refused, for it may be meant as a point."""
    if name == "par_sheet":
        return typed
    if not typed and name in MAY_LACK:
        return None
    what = f"{NAMES[name][0].lower()}{NAMES[name][1:]}"
    try:
        # The terms themselves say how many decimals they take.
        return percent_text(read_percent(typed, what)) if name in RATES else str(read_amount(typed, what, digits=8))
    except NotANumber as why:
        raise NotUnderstood(str(why), name) from None


def _from_pack(jackpot: Jackpot, values: Mapping[str, str]) -> dict[str, str]:
    game = next((game for code, _, game in _packs(jackpot) if code == values["pay_table"]), "")
    source = values["fixed_from"] if values["fixed_from"] in SOURCES else "tray"
    return {"game": game, "code": values["pay_table"], "fixed_from": source}


def _packs(jackpot: Jackpot) -> list[tuple[str, str, str]]:
    """Code, title and game of the progressives that the jackpot's tables could carry."""
    played = set(jackpot.links.values_list("table__game", flat=True))
    # A jackpot without tables may still get any; with tables, a pay table of another game would fit none of them.
    games = [game for code, game in find_games().items() if code in played or not played]
    of_games = {game.code for game in games}
    published = [(pack.code, pack.title, game.code) for game in games for pack in progressives_of(game)]
    return [
        *published,
        *((code, title, game) for code, title, game in ready_progressives(jackpot.premises) if game in of_games),
    ]
