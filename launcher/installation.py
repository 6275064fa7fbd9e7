"""One installation: its data folder, its key file, and the PostgreSQL that keeps its books."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from launcher.keys import make_key_file
from launcher.places import Places, make_data_folder
from launcher.postgres import Addresses, Server, given_addresses


@dataclass(frozen=True)
class Installation:
    """`server` is None where the user brings a PostgreSQL."""

    places: Places
    server: Server | None
    addresses: Addresses

    @classmethod
    def found(cls, places: Places, environ: Mapping[str, str]) -> Installation:
        """Ours may also be named in the environment already, by the command that started this one."""
        server = Server(places)
        given = given_addresses(environ)
        if given and given != server.addresses:
            return cls(places, None, given)
        return cls(places, server, server.addresses)

    def make_folders(self) -> None:
        make_data_folder(self.places)
        if not os.environ.get("FAIRMETER_KEY_FILE"):
            make_key_file(self.places.data)

    def environment(self) -> dict[str, str]:
        """What a child needs in order to find the same installation."""
        return self.addresses.environment() | {"FAIRMETER_DATA": str(self.places.data)}

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Settings learn where everything is; nothing is made and nothing is started."""
        os.environ.update(self.environment())
        yield

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """A database for the length of one command: the user's, the one that runs, or one started for it."""
        self.make_folders()
        os.environ.update(self.environment())
        try:
            if self.server:
                self.server.ensure()
            yield
        finally:
            if self.server:
                self.server.stop()
