"""Whereto events may go at all: the hosts and networks that this installation names, or anywhere if it names none."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
BROADCAST: Final = ipaddress.IPv4Address("255.255.255.255")


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
            return [number for number in found if not is_nobodys(_number(number)) or self._inside(number)]
        return [number for number in found if self._inside(number)]

    def _inside(self, number: str) -> bool:
        address = _number(number)
        return any(address in network for network in self.networks)


def _number(text: str) -> IPAddress:
    """Without its zone; an old number in a new one's clothes is the old one."""
    address = ipaddress.ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def is_nobodys(address: IPAddress) -> bool:
    """Of no single program: where a cloud tells a machine its secrets, where everybody listens, where nobody does."""
    return address.is_unspecified or address.is_multicast or address.is_link_local or address == BROADCAST
