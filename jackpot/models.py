"""What the progressive remembers. Each subject has its own; Django finds them all here."""

from jackpot.authority.models import AuthorityChange
from jackpot.books.models.entry import Entry, EntryKind
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.errands.models import Errand
from jackpot.people.models import Actor, Card, KeyRegister, NoBadge, Operator, Role, person_of
from jackpot.property.models.house_rules import DatedShifts, DatedTax, DatedUnclaimed
from jackpot.property.models.property import Property
from jackpot.requests.models import Adjustment
from jackpot.terms.models.change import Change
from jackpot.trail.models import Trail
from jackpot.wins.models import Dispute, Payment, Signature, SlipCounter, UnclaimedNotice, Win

__all__ = [
    "Actor",
    "Adjustment",
    "AuthorityChange",
    "Card",
    "Change",
    "DatedShifts",
    "DatedTax",
    "DatedUnclaimed",
    "Dispute",
    "Entry",
    "EntryKind",
    "Errand",
    "Jackpot",
    "JackpotState",
    "KeyRegister",
    "NoBadge",
    "Operator",
    "Payment",
    "Property",
    "Role",
    "Signature",
    "SlipCounter",
    "Trail",
    "UnclaimedNotice",
    "Version",
    "Win",
    "person_of",
]
