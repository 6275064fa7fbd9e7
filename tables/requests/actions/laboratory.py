"""What the laboratory is asked before terms are signed, and how its answers are waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any, Final

from jackpot.money import MILLION, Money
from jackpot.terms.rules.terms import Terms
from tables.calculation.desk import desk
from tables.floor.queries.known_rows import pack_with_rows_of
from tables.games.game import Game

COIN_INS_A_DAY: Final = 4_000
DAYS: Final = 180
PATHS: Final = 200
# As many as outcomes are counted for (`tables/games/uth/outcomes.py`).
MOST_SEATS: Final = 7
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LaboratoryAnswers:
    """All of them, or how far the slowest is."""

    answers: list[Answer]
    percent: int = 100

    @property
    def ready(self) -> bool:
        return self.percent == 100


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """Terms to be asked about: the meter they begin with, the game and the seats they are played at."""

    terms: Terms
    meter: Money
    game: Game
    seats: int = MOST_SEATS


def ask_laboratory(questions: Sequence[Answer], wait: float) -> LaboratoryAnswers:
    """One deadline for all of them. What no pack knows is refused in a sentence."""
    until = monotonic() + wait
    # All begin before the first is waited for.
    for question in questions:
        desk().ask(question, lane="short", wait=0)
    jobs = [desk().ask(question, lane="short", wait=max(0.0, until - monotonic())) for question in questions]
    answers = [job.answer for job in jobs if job.answer is not None]
    if len(answers) < len(jobs):
        return LaboratoryAnswers([], min(job.percent for job in jobs if job.answer is None))
    return LaboratoryAnswers(answers)


def question_of(asked: AskedTerms) -> Answer:
    """One configuration: played as the jackpot's tables are, from its meter."""
    terms, seed = asked.terms, asked.terms.seed
    pack, meter = pack_with_rows_of(asked.game, terms.pay_table), asked.meter.shown(terms.digits)
    setting = {
        "pay_table": terms.pay_table.plain(), "wager": str(terms.wager), "rate": str(Fraction(terms.rate, MILLION)),
        "reserve_rate": str(Fraction(terms.reserve_rate, MILLION)), "seed": str(seed),
        "limit": None if terms.limit is None else str(terms.limit), **switches_of(terms),
    }  # fmt: skip
    # Each meter once: a meter may stand at its seed.
    question = {
        "seats": min(asked.seats, MOST_SEATS), "coin_ins_a_day": COIN_INS_A_DAY, "days": DAYS, "paths": PATHS,
        "meters": [str(one) for one in dict.fromkeys([meter, seed, seed * 2, seed * 5, seed * 10]) if one > Money(0)],
    }  # fmt: skip
    told = {"do": "laboratory", "game": asked.game.code, "bet": pack.bet, "table": pack.code}
    return {**told, "setting": setting, "question": question}


def switches_of(terms: Terms | None) -> Answer:
    """The switches that move money, and the terms they need, as the calculation reads them; none for a bare pack."""
    if terms is None:
        return {}
    return {
        "policy": terms.policy.switches(), "aggregate": None if terms.aggregate is None else str(terms.aggregate),
        "repay_rate": str(Fraction(terms.repay_rate or 0, MILLION)),
        # Only where it is another one: an answer that is known stays known.
        **({} if terms.digits == 2 else {"digits": terms.digits}),
    }  # fmt: skip
