"""What the progressive remembers. Each subject has its own; Django finds them all here."""

from jackpot.adjusting.models import Adjustment, CoverSuspension
from jackpot.answers.models import StoredAnswer
from jackpot.authority.models import AuthorityChange
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.errands.models import Errand
from jackpot.evidence.models import EvidenceFile, RequestEvidence, RoundEvidence
from jackpot.notices.models import Notice
from jackpot.pacing.models import PacedTries
from jackpot.payees.models import Payee, TaxRecord
from jackpot.people.models import (
    Actor,
    Card,
    KeyRegister,
    NoBadge,
    OneTimeCode,
    Operator,
    RecoveryCode,
    Role,
    SecondFactor,
    person_of,
)
from jackpot.proof.models import ProofReach
from jackpot.property.models.house_rules import DatedNotice, DatedShifts, DatedTax, DatedUnclaimed
from jackpot.property.models.key_mark import KeyMark
from jackpot.property.models.property import Property
from jackpot.requests.models import Request, RequestEntry
from jackpot.software.models import InstalledBuild
from jackpot.terms.models.terms_change import TermsChange
from jackpot.trail.models import Trail, TrailSeal, UnsealedTrail
from jackpot.wins.models import Dispute, Payment, Signature, SlipCounter, UnclaimedNotice, Win, WindowReceipt
from jackpot.witnesses.models import ActWitness

__all__ = [
    "ActWitness",
    "Actor",
    "Adjustment",
    "AuthorityChange",
    "Card",
    "CoverSuspension",
    "DatedNotice",
    "DatedShifts",
    "DatedTax",
    "DatedUnclaimed",
    "Dispute",
    "Entry",
    "EntryKind",
    "Errand",
    "EvidenceFile",
    "InstalledBuild",
    "Jackpot",
    "JackpotState",
    "KeyMark",
    "KeyRegister",
    "NoBadge",
    "Notice",
    "OneTimeCode",
    "Operator",
    "PacedTries",
    "Payee",
    "Payment",
    "ProofReach",
    "Property",
    "RecoveryCode",
    "Request",
    "RequestEntry",
    "RequestEvidence",
    "Role",
    "RoundEvidence",
    "SecondFactor",
    "Signature",
    "SlipCounter",
    "StoredAnswer",
    "TaxRecord",
    "TermsChange",
    "Trail",
    "TrailSeal",
    "UnclaimedNotice",
    "UnsealedTrail",
    "Version",
    "WentBack",
    "Win",
    "WindowReceipt",
    "person_of",
]
