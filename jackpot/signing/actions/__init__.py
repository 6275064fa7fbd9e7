"""What two people do with a request of any kind: one asks, another proves to be there and signs. docs/requests.md."""

from jackpot.signing.actions.approver import Proof, SecondPerson, authenticate_approver
from jackpot.signing.actions.deciding import refuse, sign, turn_down, withdraw
from jackpot.signing.actions.kinds import RequestKind, kind_of, known_kinds, register

__all__ = [
    "Proof",
    "RequestKind",
    "SecondPerson",
    "authenticate_approver",
    "kind_of",
    "known_kinds",
    "refuse",
    "register",
    "sign",
    "turn_down",
    "withdraw",
]
