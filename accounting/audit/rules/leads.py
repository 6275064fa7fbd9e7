"""Where a thing of the trail has its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.trail.rules.objects import ObjectKind

PAGES: Final[Mapping[str, str]] = {
    ObjectKind.SLIP: "/wins/{}/", ObjectKind.ROUND: "/rounds/{}/", ObjectKind.JACKPOT: "/jackpots/{}/",
    ObjectKind.TABLE: "/pit/tables/{}/", ObjectKind.DEVICE: "/devices/{}/", ObjectKind.PERSON: "/office/people/{}/",
    ObjectKind.REQUEST: "/office/requests/{}/", ObjectKind.DAY: "/office/days/{}/",
    ObjectKind.REPORT: "/office/reports/{}/",
    ObjectKind.PARCEL: "/audit/parcels/{}/", ObjectKind.PROOF: "/audit/proof/",
}  # fmt: skip


def page_of_thing(kind: str, key: str) -> str:
    """Its address, or nothing where it has no page of its own."""
    # A key is what somebody once wrote into a line: only one that can be no other address becomes a link.
    return PAGES[kind].format(key) if kind in PAGES and key.replace("/", "").replace("-", "").isalnum() else ""
