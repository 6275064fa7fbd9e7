"""Acts of two people on a jackpot: one asks, another decides. docs/adjustments.md."""

from jackpot.requests.actions.asking import Wish, ask, preview
from jackpot.requests.actions.deciding import approve, refuse
from jackpot.requests.actions.difference import undecided
from jackpot.requests.actions.plan import Preview, jackpots_of
from jackpot.requests.actions.word import Word, spoken

__all__ = ["Preview", "Wish", "Word", "approve", "ask", "jackpots_of", "preview", "refuse", "spoken", "undecided"]
