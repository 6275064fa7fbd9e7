"""What the progressive remembers."""

from jackpot.models.adjustment import Adjustment
from jackpot.models.authority import AuthorityChange
from jackpot.models.books import Entry, EntryKind
from jackpot.models.change import Change
from jackpot.models.house_rules import DatedShifts, DatedTax
from jackpot.models.people import Card, KeyRegister, Operator, Role
from jackpot.models.pool import Jackpot, JackpotState, Version
from jackpot.models.property import Property
from jackpot.models.trail import Trail
from jackpot.models.win import Signature, SlipCounter, Win

__all__ = [
    "Adjustment",
    "AuthorityChange",
    "Card",
    "Change",
    "DatedShifts",
    "DatedTax",
    "Entry",
    "EntryKind",
    "Jackpot",
    "JackpotState",
    "KeyRegister",
    "Operator",
    "Property",
    "Role",
    "Signature",
    "SlipCounter",
    "Trail",
    "Version",
    "Win",
]
