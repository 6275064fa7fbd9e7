"""Acts of two people on a jackpot: one asks, another decides. docs/adjustments.md."""

from jackpot.actions.adjusting.asking import Wish, ask, preview
from jackpot.actions.adjusting.deciding import approve, refuse
from jackpot.actions.adjusting.plan import Preview, jackpots_of
from jackpot.actions.adjusting.word import Word, by_card, by_password

__all__ = ["Preview", "Wish", "Word", "approve", "ask", "by_card", "by_password", "jackpots_of", "preview", "refuse"]
