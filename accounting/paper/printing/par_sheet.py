"""A par sheet on paper: the sealed figures as text, its digest and signature, who printed it and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from accounting.paper.printing.typeset import par_sheet_document
from accounting.paper.rules.copies import Form
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import moment
from tables.games.edge import percent
from tables.games.par_sheet import ParSheet

RULES: Final[Mapping[str, str]] = {
    "play": "Played so", "fold": "After a fold the wager is", "meter": "At a meter of", "wager": "Wager",
    "jackpot": "Jackpot", "version": "Version of its terms", "terms_digest": "Digest of its terms",
}  # fmt: skip


def spoken_rules(sheet: ParSheet) -> list[tuple[str, str]]:
    """The switches that the sheet was counted by, as people read them."""
    words = {"dead": "forfeited"}
    return [(RULES[name], words.get(value, value)) for name, value in sheet.rules.items()]


def par_sheet_paper(
    sheet: ParSheet, coin_ins: int, signature: str, form: Form, house: Property | None, *, by: str, now: datetime
) -> bytes:
    """A PDF of one page or more; its foot says by whom and when it was printed."""
    return par_sheet_document(facts_of(sheet, coin_ins, signature, house, by, now), form)


def facts_of(
    sheet: ParSheet, coin_ins: int, signature: str, house: Property | None, by: str, now: datetime
) -> dict[str, Any]:
    """All that stands on the sheet, as text."""
    plain = sheet.plain
    bands = [
        {"within": f"{each.within} %", "least": f"{each.least:.4%}"[:-1], "most": f"{each.most:.4%}"[:-1]}
        for each in sheet.bands(coin_ins)
    ]
    rules = [list(each) for each in spoken_rules(sheet)]
    rare = [row.name for row in sheet.rare(coin_ins)]
    return {
        "title": f"Par sheet · {sheet.title}", "property": house.name if house else "", "sheet": _spaced(plain),
        "edge_label": "House edge at this meter" if "meter" in plain["rules"] else "House edge",
        "bet": sheet.bet.replace("_", " "), "return_percent": percent(sheet.player_return, 6),
        "hit_percent": percent(sheet.hit_frequency, 6), "hit_exact": plain["hit_frequency"],
        "lost_percent": percent(_lost(sheet), 8), "rules": rules,
        "coin_ins": f"{coin_ins:,}", "bands": bands, "rare": ", ".join(rare), "digest": sheet.digest,
        "signature": signature, "printed": f"Printed by {by}, {moment(now, house)}", "at": int(now.timestamp()),
    }  # fmt: skip


def _lost(sheet: ParSheet) -> Fraction:
    return Fraction(sheet.lost, sheet.deals)


def _spaced(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Whole numbers with thousands, as paper shows them."""
    whole = {name: f"{int(plain[name]):,}" for name in ("combinations", "lost")}
    rows = {
        name: [{**row, "combinations": f"{int(row['combinations']):,}"} for row in plain[name]]
        for name in ("rows", "paid")
    }
    return {**plain, **whole, **rows}
