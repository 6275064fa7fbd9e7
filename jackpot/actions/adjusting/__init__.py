"""Acts of two people on a jackpot: one asks, another decides. docs/adjustments.md."""

from jackpot.actions.adjusting.asking import Wish, ask, preview
from jackpot.actions.adjusting.deciding import approve, refuse
from jackpot.actions.adjusting.difference import undecided
from jackpot.actions.adjusting.plan import Preview, jackpots_of
from jackpot.actions.adjusting.word import Word, spoken

__all__ = ["Preview", "Wish", "Word", "approve", "ask", "jackpots_of", "preview", "refuse", "spoken", "undecided"]
