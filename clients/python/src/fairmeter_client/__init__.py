"""A small client of Fairmeter: what a house shows to programs, what happens in it, and who signed a webhook."""

from fairmeter_client.errors import (
    Clash,
    FairmeterRefused,
    HouseError,
    HouseUnreachable,
    NotAHouse,
    NotAllowedHere,
    NotFoundHere,
    NotUnderstoodThere,
    TokenNotTaken,
    TryAgainLater,
)
from fairmeter_client.events import FeedPage, HouseEvent
from fairmeter_client.house import House
from fairmeter_client.listing import Listing
from fairmeter_client.webhooks import Delivery, NotSigned, read_delivery

__all__ = [
    "Clash",
    "Delivery",
    "FairmeterRefused",
    "FeedPage",
    "House",
    "HouseError",
    "HouseEvent",
    "HouseUnreachable",
    "Listing",
    "NotAHouse",
    "NotAllowedHere",
    "NotFoundHere",
    "NotSigned",
    "NotUnderstoodThere",
    "TokenNotTaken",
    "TryAgainLater",
    "read_delivery",
]
