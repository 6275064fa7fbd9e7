"""A pay table of a house's own: read from what a person typed, refused in sentences, sealed as a pack's is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from jackpot.terms.rules.paytable import ForOne, NotAPayTable, PartOfMeter
from tables.games.game import Game, NotInThisGame
from tables.games.line_order import LineFinding, order_findings
from tables.games.packs import BetTable, PackRefused, Pays, PrintedLine, ToOne, parse_pays, seal

CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{1,19}", re.ASCII)
WRITTEN: Final = re.compile(r"(\d{1,3}(,\d{3})+|\d{1,7}) (to \d{1,3}|for 1)|\d{1,3}(\.\d{1,6})? ?%", re.ASCII)
LONGEST: Final = {"title": 80, "name": 60, "pays": 20}
MOST_LINES: Final = 20
LARGEST_PAY: Final = 1_000_000
LARGEST_BLIND: Final = 2_000  # the squares of all rounds of a starting hand still fit 64 bits
# What each bet's pays look like: a side bet returns the stake, a progressive pays for one or a part of the meter.
FORMS: Final[Mapping[str, str]] = {"progressive": "“250 for 1” or “5 %”"}
USUAL_FORM: Final = "“50 to 1” or “3 to 2”"


def read_own_table(game: Game, plain: Mapping[str, Any]) -> BetTable:
    """The table as typed: bet, code, title and its lines in rank order, each with hand, name and pays."""
    bet, code = _text(plain, "bet", "A pay table", 40), _text(plain, "code", "A pay table", 20)
    if bet not in game.hands:
        raise PackRefused(f"{game.title} has no bet {bet}; it has {', '.join(game.hands)}.")
    if not CODE.fullmatch(code):
        raise PackRefused(
            f"“{code}” is no code for a pay table. Take 2 to 20 capital letters, digits and hyphens, such as HOUSE-01."
        )
    # Or a win page could name a published table and pay by another.
    if any((table.bet, table.code) == (bet, code) for table in game.tables):
        raise PackRefused(f"{code} is a published {_spoken(bet)} table already. Take another code.")
    title = _text(plain, "title", f"Pay table {code}", LONGEST["title"])
    lines = _lines(game, bet, plain.get("lines"))
    return own_table(game, bet=bet, code=code, title=title, lines=lines)


def own_table(game: Game, *, bet: str, code: str, title: str, lines: Sequence[PrintedLine]) -> BetTable:
    """The sealed value: the same words and lines give the same digest."""
    told = {"game": game.code, "bet": bet, "code": code, "title": title, "lines": plain_lines(lines)}
    return BetTable(
        game=game.code, bet=bet, code=code, title=title, owner="the house", licence="Of the house’s own.",
        status="offered", from_date=None, until_date=None, approval="", source="written by the house",
        needs=_needs(game, bet), lines=tuple(lines), published=MappingProxyType({}), digest=seal(told),
    )  # fmt: skip


def plain_lines(lines: Sequence[PrintedLine]) -> list[list[str]]:
    return [[line.hand, line.name, spoken_pays(line.pays)] for line in lines]


def spoken_pays(pays: Pays) -> str:
    """As it is typed and read again: a part with decimals is percent too, never a fraction of the meter."""
    if isinstance(pays, PartOfMeter):
        percent = (pays.part * 100).limit_denominator(10**6)
        text = f"{percent.numerator * 10**6 // percent.denominator:07d}"
        return f"{text[:-6]}.{text[-6:]}".rstrip("0").rstrip(".") + " %"
    return str(pays)


def own_findings(game: Game, table: BetTable) -> list[LineFinding]:
    """What speaks against the table before anything is calculated."""
    found = order_findings(game, table.bet, table.lines)
    held = {line.hand for line in table.lines}
    if table.bet == "progressive" and "royal_first_7" in held and "royal_first_5" not in held:
        why = (
            "A royal on the first five cards would win the line of the first seven, and the laboratory counts each by "
            "itself. Add a line for the first five; it may pay the same."
        )
        found.append(LineFinding("royal_left_out", "refused", why))
    if table.bet == "blind":
        found += [finding for line in table.lines for finding in _of_blind(line)]
    return found


HALF: Final = Fraction(1, 2)


def _of_blind(line: PrintedLine) -> Iterator[LineFinding]:
    """The base game is summed in whole numbers of half antes and their squares; what does not fit is not counted."""
    times = line.pays.times if isinstance(line.pays, ToOne) else Fraction(0)
    if times % HALF:
        why = (
            f"“{line.name}” pays {line.pays}. A Blind is counted in whole and half antes: pay 1 to 1, 3 to 2, 2 to 1 …"
        )
        yield LineFinding("odd_blind", "refused", why)
    if times > LARGEST_BLIND:
        why = f"“{line.name}” pays {line.pays}. The base game is counted for a Blind of up to {LARGEST_BLIND:,} to 1."
        yield LineFinding("large_blind", "refused", why)


def _lines(game: Game, bet: str, lines: object) -> tuple[PrintedLine, ...]:
    if not isinstance(lines, list) or not lines:
        raise PackRefused("A pay table has at least one line; write the highest hand first.")
    if len(lines) > MOST_LINES:
        raise PackRefused(f"A pay table has at most {MOST_LINES} lines.")
    read = tuple(_line(game, bet, line, place) for place, line in enumerate(lines, 1))
    for what, words in (("hand", [line.hand for line in read]), ("name", [line.name.lower() for line in read])):
        twice = next((place for place, word in enumerate(words) if word in words[:place]), None)
        if twice is not None:
            raise PackRefused(
                f"Line {twice + 1} has the same {what} as a line above it: “{read[twice].name}”. Once is enough."
            )
    return read


def _line(game: Game, bet: str, line: object, place: int) -> PrintedLine:
    if not isinstance(line, Mapping):
        raise PackRefused(f"Line {place} names a hand, a name and what it pays.")
    unknown = sorted(set(map(str, line)) - {"hand", "name", "pays"})
    if unknown:
        raise PackRefused(f"Line {place} has an unknown entry “{unknown[0][:40]}”; it has hand, name and pays.")
    hand = _text(line, "hand", f"Line {place}", 40)
    if hand not in game.hands[bet]:
        known = ", ".join(sorted(game.hands[bet]))
        raise PackRefused(
            f"Line {place} asks for the hand “{hand}”, which {_spoken(bet)} does not know. Known: {known}."
        )
    name = _text(line, "name", f"Line {place}", LONGEST["name"])
    return PrintedLine(hand, name, _pays(bet, _text(line, "pays", f"Line “{name}”", LONGEST["pays"]), name))


def _pays(bet: str, text: str, name: str) -> Pays:
    form = FORMS.get(bet, USUAL_FORM)
    if text.startswith(("-", "−")) or re.match(r"0+(?![\d.,])", text):
        raise PackRefused(f"“{name}” pays {text}. A line pays more than nothing; write {form}.")
    try:
        pays = parse_pays(text) if WRITTEN.fullmatch(text) else None
    except (PackRefused, NotAPayTable) as why:
        if isinstance(why, NotAPayTable):
            raise PackRefused(f"“{name}” cannot pay {text}: {why}") from None
        pays = None
    # In the other's form a line would pay one wager too many or too few: “to 1” returns the stake, “for 1” does not.
    if pays is None or isinstance(pays, ToOne) == (bet in FORMS):
        raise PackRefused(f"“{name}” cannot pay “{text}” on {_spoken(bet)}; write {form}.")
    if isinstance(pays, ToOne | ForOne) and pays.times > LARGEST_PAY:
        raise PackRefused(f"“{name}” pays {text}. The largest pay is {LARGEST_PAY:,}.")
    return pays


def _needs(game: Game, bet: str) -> tuple[str, ...]:
    return next((table.needs for table in game.tables if table.bet == bet), ())


def _text(plain: Mapping[str, Any], name: str, whose: str, longest: int) -> str:
    text = plain.get(name)
    if not isinstance(text, str) or not text.strip():
        raise PackRefused(f"{whose} needs its {name}.")
    text = text.strip()
    if len(text) > longest or not text.isprintable():
        raise PackRefused(f"The {name} of {whose[0].lower()}{whose[1:]} is at most {longest} printable letters long.")
    return text


def _spoken(bet: str) -> str:
    return bet.replace("_", " ")


def find_own_table(game: Game, plain: Mapping[str, Any]) -> BetTable:
    """The same value again from what was kept; the digest says that nothing was changed."""
    lines = tuple(PrintedLine(hand, name, parse_pays(pays)) for hand, name, pays in plain["lines"])
    table = own_table(game, bet=plain["bet"], code=plain["code"], title=plain["title"], lines=lines)
    # Rows can be changed behind the program's back, and by such a table nothing may be counted or paid.
    if table.digest != plain["digest"]:
        raise NotInThisGame(f"Pay table {table.code} is not what its digest says. Write it anew.")
    return table


def plain_own_table(table: BetTable) -> dict[str, Any]:
    """All that is needed to read it again, in another process too."""
    lines = plain_lines(table.lines)
    return {"bet": table.bet, "code": table.code, "title": table.title, "lines": lines, "digest": table.digest}
