"""Whereto events may go at all: the hosts and networks that this installation names, or anywhere if it names none."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
BROADCAST: Final = ipaddress.IPv4Address("255.255.255.255")
# Where clouds tell a machine its secrets besides link-local: numbers that look like those of any private network.
TELLS_SECRETS: Final = frozenset(
    map(ipaddress.ip_address, ("fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192"))
)
# An old number in the last 32 bits: written so of old, and behind a translator between the two worlds (RFC 6052, 8215).
WORN_BEHIND: Final = tuple(map(ipaddress.IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48")))
OF_ITS_OWN: Final = frozenset(map(ipaddress.IPv6Address, ("::", "::1")))


@dataclass(frozen=True, slots=True)
class WebhookReach:
    """Names are hosts (`books.example`) or whole domains (`.example`); networks are numbers (`10.2.0.0/16`)."""

    names: tuple[str, ...] = ()
    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()

    @classmethod
    def of(cls, text: str) -> WebhookReach:
        """As an installation writes it: hosts, domains and networks with commas between. ValueError names what is
        neither."""
        names, networks = [], []
        for word in filter(None, (each.strip().lower() for each in text.split(","))):
            if word[0].isdigit() or ":" in word:
                networks.append(ipaddress.ip_network(word))
            else:
                names.append(word)
        return cls(tuple(names), tuple(networks))

    @property
    def is_anywhere(self) -> bool:
        return not self.names and not self.networks

    def chosen(self, host: str, found: Sequence[str]) -> list[str]:
        """The numbers that a host may be spoken to at, of those that its name leads to now. A name that is allowed is
        believed; any other only where it leads into a network that is named. A number that is of no single program is
        spoken to in a named network only: a name, or a number written otherwise, may lead to a machine's own services.
        """
        name = host.lower().rstrip(".")
        # By the point in front: “.example” is a domain, and “notexample” is not in it.
        if self.is_anywhere or any(name == each or (each[0] == "." and name.endswith(each)) for each in self.names):
            return [number for number in found if not is_nobodys(number_worn(number)) or self._inside(number)]
        return [number for number in found if self._inside(number)]

    def _inside(self, number: str) -> bool:
        address = number_worn(number)
        return any(address in network for network in self.networks)


def number_worn(text: str) -> IPAddress:
    """Without its zone; an old number in a new one's clothes is the old one: mapped, or behind a translator."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if any(address in network for network in WORN_BEHIND) and address not in OF_ITS_OWN:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or address


def is_nobodys(address: IPAddress) -> bool:
    """Of no single program: where a cloud tells a machine its secrets, where everybody listens, where nobody does."""
    nobody = address.is_unspecified or address.is_multicast or address.is_link_local or address == BROADCAST
    return nobody or address in TELLS_SECRETS
