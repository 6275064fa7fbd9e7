"""What the laboratory said before two people signed, as a record: of a form of its own, under its digest."""

from collections.abc import Mapping
from typing import Any, Final

from jackpot.canonical import canonical, digest_of

FORM: Final = 1  # of what stands in a record; a later form is another number, and older ones stay readable


def sealed_record(said: Mapping[str, Any]) -> dict[str, Any]:
    """Kept with the request; the trail says the digest too, so that an exchanged record is seen."""
    told = {"form": FORM, **said}
    return {**told, "digest": digest_of(canonical(told))}


def is_sound(record: Mapping[str, Any]) -> bool:
    """Whether the digest still fits what stands there."""
    told = {name: value for name, value in record.items() if name != "digest"}
    return bool(record.get("digest") == digest_of(canonical(told)))
