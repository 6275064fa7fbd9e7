"""Versions as a proof knows them: a digest that is checked, and terms that are believed only if it holds."""

from __future__ import annotations

import json

from jackpot.canonical import digest_of
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.proof import KnownVersion
from jackpot.terms.rules.terms import Terms


def known_version(where: str, terms: str, digest: str, findings: Findings) -> KnownVersion:
    """A version whose text is not its digest is a finding; its entries are then sealed again but not judged by it."""
    try:
        expected = digest_of(terms)
    # What we digest is ASCII: another text was not written by us.
    except UnicodeEncodeError:
        expected = "a text of ASCII only"
    if expected != digest:
        findings.add(Promise.VERSION, where, "the digest of its terms", expected, digest)
        return KnownVersion(digest, None)
    try:
        return KnownVersion(digest, Terms.of(json.loads(terms)))
    except (ValueError, TypeError) as problem:
        findings.add(Promise.UNREADABLE, where, "its terms", "terms of a jackpot", problem)
        return KnownVersion(digest, None)
