"""One wager decided: won, lost, pushed or returned, how much, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, assert_never

from jackpot.money import UNIT, Money, Rounding
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from tables.games.game import NotInThisGame
from tables.games.limits import dollars
from tables.games.packs import BetTable, PrintedLine, ToOne
from tables.games.uth.hands import Spot, dealer_qualifies, winning_line
from tables.games.uth.rules import HouseRules
from tables.games.uth.verify import verdict_on

Outcome = Literal["won", "lost", "push", "returned"]


@dataclass(frozen=True, slots=True)
class WagerDecision:
    """What becomes of one wager: the net is won above zero, lost below, and nothing when pushed or returned."""

    wager: str
    stake: Fraction
    net: Fraction
    outcome: Outcome
    reason: str
    uncovered: Fraction = Fraction(0)


@dataclass(slots=True)
class Meter:
    """The meter as the round sees it: awards drawn from it lower what the next seat's part is taken of."""

    amount: Money | None
    fixed_awards_from: Literal["tray", "meter"]
    digits: int = 2

    def award(self, line: PrintedLine, stake: Fraction) -> Fraction:
        match line.pays:
            case ForOne(times):
                due = stake * times
                return self._draw(due) if self.fixed_awards_from == "meter" else due
            case PartOfMeter(part):
                if self.amount is None:
                    raise NotInThisGame(f"{line.name} pays {line.pays} of the meter; give the meter to settle it.")
                # Of the meter as the sign shows it: 100 % pays what it promised, and the page can be added up again.
                shown = self.amount.shown(self.digits)
                return self._draw(Fraction(shown.share(part, Rounding.HALF_UP, self.digits).units, UNIT))
            case ToOne():
                raise NotInThisGame(f"{line.name} pays {line.pays}; a progressive pays for one or a part.")
            case _:
                assert_never(line.pays)

    def _draw(self, due: Fraction) -> Fraction:
        if self.amount is not None:
            # Below zero is the books' business: the player is paid in full all the same.
            self.amount = Money(max(self.amount.units - int(due * UNIT), 0))
        return due


def decide(
    wager: str,
    stake: Fraction,
    result: str,
    spot: Spot,
    tables: Mapping[str, BetTable],
    rules: HouseRules,
    meter: Meter,
) -> WagerDecision:
    """The decision on one wager of one seat, before the bank's coverage is looked at."""
    match wager:
        case "ante":
            return _ante(stake, result, spot, rules)
        case "play":
            return _even_money("play", stake, result, spot)
        case "blind":
            return _blind(stake, result, spot, tables.get("blind"))
        case "progressive":
            return _progressive(stake, result, spot, tables["progressive"], rules, meter)
        case "bad_beat" if result == "fold" and rules.bad_beat_after_fold == "dead":
            return _lost(wager, stake, "The player folded, and this house takes the bad beat wager with the hand.")
        case _:
            return _side_bet(wager, stake, spot, tables[wager])


def _ante(stake: Fraction, result: str, spot: Spot, rules: HouseRules) -> WagerDecision:
    if dealer_qualifies(spot.dealer_hand):
        return _even_money("ante", stake, result, spot)
    # Rule books differ on a folded ante when the dealer fails, so it is a switch; lost is our default.
    if result != "fold" or rules.folded_ante_when_dealer_fails == "returned":
        return _pushed("ante", stake, "The dealer has no pair and does not qualify: the ante is returned.")
    return _lost("ante", stake, "The player folded: the ante is lost although the dealer does not qualify.")


def _even_money(wager: str, stake: Fraction, result: str, spot: Spot) -> WagerDecision:
    contest = _contest(result, spot)
    match result:
        case "win":
            return WagerDecision(wager, stake, stake, "won", f"{contest}: the {wager} pays 1 to 1, {dollars(stake)}.")
        case "tie":
            return _pushed(wager, stake, f"{contest}: the {wager} is returned.")
        case _:
            return _lost(wager, stake, f"{contest}: the {wager} is lost.")


def _blind(stake: Fraction, result: str, spot: Spot, table: BetTable | None) -> WagerDecision:
    if result != "win":
        return _even_money("blind", stake, result, spot)
    if table is None:
        raise NotInThisGame("The table has no blind pay table in force; a winning blind cannot be settled.")
    line = winning_line(table, spot)
    if line is None:
        return _pushed(
            "blind", stake, f"{_contest(result, spot)}, but with less than a straight: the blind is returned."
        )
    return _won("blind", stake, line, f"{_contest(result, spot)} with {line.name.lower()}: {line.pays}.")


def _side_bet(wager: str, stake: Fraction, spot: Spot, table: BetTable) -> WagerDecision:
    verdict = verdict_on(table, spot)
    if verdict.line is None:
        return _lost(wager, stake, verdict.why)
    return _won(wager, stake, verdict.line, verdict.why)


def _progressive(
    stake: Fraction, result: str, spot: Spot, table: BetTable, rules: HouseRules, meter: Meter
) -> WagerDecision:
    if result == "fold" and rules.progressive_after_fold == "dead":
        return _lost("progressive", stake, "The player folded, and this house takes the progressive with the hand.")
    verdict = verdict_on(table, spot)
    if verdict.line is None:
        return _lost("progressive", stake, verdict.why)
    award = meter.award(verdict.line, stake)
    reason = f"{verdict.why} The award is {dollars(award)}; the wager is not returned."
    return WagerDecision("progressive", stake, award - stake, "won", reason)


def _won(wager: str, stake: Fraction, line: PrintedLine, reason: str) -> WagerDecision:
    if not isinstance(line.pays, ToOne):
        raise NotInThisGame(f"{line.name} pays {line.pays}; a {wager} line pays to one.")
    return WagerDecision(wager, stake, stake * line.pays.times, "won", reason)


def _lost(wager: str, stake: Fraction, reason: str) -> WagerDecision:
    return WagerDecision(wager, stake, -stake, "lost", reason)


def _pushed(wager: str, stake: Fraction, reason: str) -> WagerDecision:
    return WagerDecision(wager, stake, Fraction(0), "push", reason)


def _contest(result: str, spot: Spot) -> str:
    mine, dealers = spot.hand.described, spot.dealer_hand.described
    match result:
        case "fold":
            return "The player folded"
        case "win":
            return f"{mine} ({spot.hand.text}) beats the dealer's {dealers} ({spot.dealer_hand.text})"
        case "lose":
            return f"{mine} ({spot.hand.text}) loses to the dealer's {dealers} ({spot.dealer_hand.text})"
        case _:
            return f"Both hold {mine} ({spot.hand.text})"
