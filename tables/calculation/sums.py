"""The calculations that are too long for a request: plain values in, plain values out. Nothing here needs Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from jackpot.laboratory.answer import Question, answer
from jackpot.laboratory.exposure import worst_rounds
from jackpot.laboratory.findings import find
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting
from jackpot.money import Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.policy import Policy
from tables.games.analysis import line_chances
from tables.games.cards import parse_cards
from tables.games.game import NotInThisGame, Progress
from tables.games.own_table import find_own_table
from tables.games.packs import BetTable
from tables.games.registry import find_game, part_of_game

COUNTING = 10_000  # lives that cost as much as counting the outcomes
Asked = Mapping[str, Any]


def calculate(asked: Asked, folder: Path, progress: Progress) -> dict[str, Any]:
    """One answer. What was calculated before comes from the folder at once."""
    match asked["do"]:
        case "chances":
            chances = line_chances(find_game(asked["game"]), _table(asked), folder, progress)
            return {"chances": [str(chance) for chance in chances]}
        case "base_game":
            return _base_game(asked, folder, progress)
        case "whole_game":
            module = part_of_game(asked["game"], "whole_game")
            return dict(module.count_rounds(_table(asked), folder, progress).plain())
        case "holes":
            solved = part_of_game(asked["game"], "base_game").solve(_table(asked), folder, progress)
            return dict(solved.plain())
        case "decide":
            return _decide(asked, progress)
        case "outcomes":
            return {"hit_frequency": str(_outcomes(asked, folder, progress).hit_frequency)}
        case "laboratory":
            return _laboratory(asked, folder, progress)
        case other:
            raise NotInThisGame(f"Nothing here calculates {other}.")


def setting_of(plain: Mapping[str, Any]) -> LabSetting:
    """A setting as a request carries it: amounts and fractions as text."""
    limit, aggregate = plain["limit"], plain.get("aggregate")
    return LabSetting(
        PayTable.from_plain(plain["pay_table"]),
        Money.of(plain["wager"]),
        Fraction(plain["rate"]),
        Fraction(plain["reserve_rate"]),
        Money.of(plain["seed"]),
        None if limit is None else Money.of(limit),
        Policy.of(plain.get("policy", {})),
        None if aggregate is None else Money.of(aggregate),
        Fraction(plain.get("repay_rate", 0)),
        plain.get("digits", 2),
    )


def question_of(plain: Mapping[str, Any]) -> Question:
    """How it is played, as a request carries it."""
    meters = tuple(Money.of(meter) for meter in plain["meters"])
    return Question(
        plain["seats"], plain["coin_ins_a_day"], plain["days"], meters, plain["paths"], plain.get("dice", 1)
    )


def _laboratory(asked: Asked, folder: Path, progress: Progress) -> dict[str, Any]:
    """The common answer, its findings, and the cards of the worst rounds. Where the outcomes must be counted first,
    that is most of the work, unless many lives are played."""
    setting, question = setting_of(asked["setting"]), question_of(asked["question"])
    counted = COUNTING / (COUNTING + question.paths)
    begun = 0.0

    def counting(part: float) -> None:
        nonlocal begun
        # Only where outcomes were really counted: out of the folder they come at once, and the rest is all the work.
        begun = counted
        progress(part * counted)

    outcomes = _seen_by(setting, _outcomes(asked, folder, counting))
    told = answer(setting, outcomes, question, lambda part: progress(begun + part * (1 - begun)))
    findings = find(setting, outcomes, told, question.seats)
    return {**told, "findings": findings, "witnesses": _witnesses(setting, outcomes, question)}


def _seen_by(setting: LabSetting, outcomes: Outcomes) -> Outcomes:
    """The worst deals are searched for all rows together; of a jackpot that pays only some they would prove nothing."""
    paid = {line.code for line in setting.table}
    return outcomes if paid == set(outcomes.rows) else replace(outcomes, witnesses=None)


def _witnesses(setting: LabSetting, outcomes: Outcomes, question: Question) -> list[dict[str, Any]]:
    if not outcomes.witnesses or question.seats not in outcomes.witnesses:
        return []
    return [
        {
            "total": str(found.total),
            "board": found.witness.board.split(),
            "seats": [{"cards": cards.split(), "row": row} for cards, row in found.witness.seats],
        }
        for found in worst_rounds(setting, outcomes, seats=question.seats, meters=question.meters)
    ]


def _outcomes(asked: Asked, folder: Path, progress: Progress) -> Outcomes:
    module = part_of_game(asked["game"], "outcomes")
    outcomes: Outcomes = module.outcomes_of(_table(asked), folder, progress)
    return outcomes


def _base_game(asked: Asked, folder: Path, progress: Progress) -> dict[str, Any]:
    module = part_of_game(asked["game"], "base_game")
    table = _table(asked)
    played = module.solve(table, folder, progress)
    printed = module.beside_printed(table, played) if "whole_game_house_edge_percent" in table.published else None
    figures = ("house_edge", "average_wager", "element_of_risk", "folded")
    raised = ("raised_before_flop", "raised_on_flop", "raised_on_river")
    return {
        **{name: str(getattr(played, name)) for name in (*figures, *raised)},
        "standard_deviation": played.standard_deviation,
        "published": [] if printed is None else [[printed.what, printed.printed, str(printed.exact)]],
        "explanation": "" if printed is None or printed.reproduces else printed.explanation,
    }


def _decide(asked: Asked, progress: Progress) -> dict[str, Any]:
    module = part_of_game(asked["game"], "decisions")
    spot = module.decide_spot(parse_cards(asked["hole"]), parse_cards(asked["board"]), _table(asked), progress)
    values = [{"action": value.action, "worth": str(value.worth)} for value in spot.values]
    counts = {name: getattr(spot, name) for name in ("deals", "wins", "ties", "losses")}
    return {"values": values, "best": spot.best, **counts}


def _table(asked: Asked) -> BetTable:
    """One of the game's packs, or a table that comes with the question."""
    if "own" in asked:
        return find_own_table(find_game(asked["game"]), asked["own"])
    return find_game(asked["game"]).table(asked["bet"], asked["table"])
