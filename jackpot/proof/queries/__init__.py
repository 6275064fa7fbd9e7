"""The proof of the books: re-adds and re-seals every entry and names each row that disagrees."""

from jackpot.proof.queries.database import one_moment, prove, prove_jackpots
from jackpot.proof.queries.verdict import Progress, ProofReport, Proven

__all__ = ["Progress", "ProofReport", "Proven", "one_moment", "prove", "prove_jackpots"]
