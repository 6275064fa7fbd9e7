"""The whole cluster, raised and taken down again: what a drill plays on, as it plays on a house of one machine."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import psycopg

from launcher.house import BLINK
from launcher.places import Places, make_data_folder, make_key_file
from launcher.postgres import APP, DATABASE, OWNER, WORKER, make_roles_and_database
from proving.cluster.certificates import certify
from proving.cluster.machines import DATABASES, ETCDS, FRONT, MACHINES, PASSWORD, WEB_PORT, WEBS, Machines, clean
from proving.cluster.network import Network
from proving.house import PROJECT, NotCarriedOut

LONGEST_RAISING: Final = 120.0
REPLICATION: Final = b"""
SELECT count(*), count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')), current_setting('synchronous_standby_names')
  FROM pg_stat_replication WHERE state = 'streaming'
"""


class ClusterHouse:
    """Three databases under Patroni and etcd, two web machines, and a front with HAProxy and Redis."""

    def __init__(self, folder: Path, network: Network) -> None:
        self.project, self.places = PROJECT, Places(folder)
        make_data_folder(self.places)
        make_key_file(folder)
        self.network, self.strict = network, True
        papers = certify(folder, ["127.0.0.1", *network.addresses.values()])
        self.machines = Machines(folder, network, papers)
        self.ports, self.scheme = [WEB_PORT], "https"
        self.environ = clean() | self.machines.web_words("desk") | {
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(PROJECT),
            "SSL_CERT_FILE": str(papers.authority), **network.mark(FRONT),
        }  # fmt: skip

    def raise_databases(self) -> None:
        for name in ETCDS:
            self.machines.start_etcd(name)
        for name in DATABASES:
            self.machines.start_database(name)
        self.wait_for(self.machines.primary, "no database became primary")
        self.wait_for(self.settled, "the standbys did not follow")
        with self.connect("postgres") as connection:
            make_roles_and_database(connection)
            for role in (OWNER, APP, WORKER):
                connection.execute(f"ALTER ROLE {role} PASSWORD '{PASSWORD}'".encode())

    def raise_webs(self) -> None:
        self.machines.start_front()
        for name in WEBS:
            self.machines.start_web(name)
        self.wait_for(self.webs_are_ready, "the web machines did not become ready")

    def webs_are_ready(self) -> bool:
        return all(self._is_ready(self.network.addresses[name]) for name in WEBS) and self._is_ready("127.0.0.1")

    def _is_ready(self, address: str) -> bool:
        trusting = ssl.create_default_context(cafile=str(self.machines.papers.authority))
        asked = http.client.HTTPSConnection(address, WEB_PORT, timeout=4, context=trusting)
        with contextlib.closing(asked):
            try:
                asked.request("GET", "/api/v1/ready", headers={"Host": "127.0.0.1"})
                return asked.getresponse().status == 200
            except OSError:
                return False

    def settled(self) -> bool:
        """One primary, both standbys streaming, at least one of them waited for by every commit."""
        if not self.machines.primary():
            return False
        with contextlib.suppress(psycopg.Error), self.connect("postgres") as connection:
            streaming, waited_for, wanted = connection.execute(REPLICATION).fetchone() or (0, 0, "")
            return streaming == len(DATABASES) - 1 and (waited_for >= 1 or not (wanted or self.strict))
        return False

    def is_asynchronous(self) -> bool:
        with contextlib.suppress(psycopg.Error), self.connect("postgres") as connection:
            return connection.execute(b"SHOW synchronous_standby_names").fetchone() == ("",)
        return False

    def wait_for(self, fact: Callable[[], object], otherwise: str, seconds: float = LONGEST_RAISING) -> None:
        given_up = time.monotonic() + seconds
        while not fact():
            self.look_after()
            if time.monotonic() > given_up:
                raise NotCarriedOut(f"After {seconds:.0f} s {otherwise}. {self.last_words()}")
            time.sleep(BLINK)

    def look_after(self) -> None:
        self.machines.look_after()

    def connect(self, database: str = DATABASE) -> psycopg.Connection[Any]:
        """As the superuser, at whoever is primary."""
        return psycopg.connect(self.machines.url("postgres", database), autocommit=True)

    def run(self, module: str, *arguments: str) -> str:
        """Runs a Python module against this cluster and returns what it wrote."""
        environ = dict(self.environ)
        if module == "proving.scene":  # it migrates first
            environ["DATABASE_URL"] = self.machines.url(OWNER)
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments], cwd=self.project, env=environ,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise NotCarriedOut(f"`{module}` failed: {done.stderr.strip()[-2000:] or done.stdout.strip()[-2000:]}")
        return done.stdout

    def scene(self, **wanted: Any) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.run("proving.scene", json.dumps(wanted)))
        return made

    def settings(self, *names: str) -> dict[str, str]:
        with psycopg.connect(self.machines.url(APP)) as connection:
            rows = {name: connection.execute(f"SHOW {name}".encode()).fetchone() for name in names}
        return {name: str(row[0]) for name, row in rows.items() if row}

    def words(self, name: str) -> str:
        path = self.places.logs / f"{name}.log"
        return path.read_text(errors="replace")[-2000:] if path.exists() else ""

    def last_words(self) -> str:
        said = ((path.stem, path.read_text(errors="replace").strip()[-400:]) for path in self.places.logs.glob("*.log"))
        return "\n".join(f"{name}: {words}" for name, words in sorted(said) if words)


@contextlib.contextmanager
def cluster(say: Callable[[str], None] = lambda _: None) -> Iterator[ClusterHouse]:
    """A new cluster, and nothing left of it afterwards: no process, no network, no folder."""
    network = Network(MACHINES)
    folder = Path(tempfile.mkdtemp(prefix="fairmeter-cluster-"))
    folder.chmod(0o711)
    try:
        network.open()
        with network.joined(FRONT):
            ours = ClusterHouse(folder, network)
            where = "machines are network namespaces" if network.can_cut else "machines are addresses: links stay whole"
            say(f"Raising 3 databases under Patroni, 2 web machines and a front; {where}.")
            ours.raise_databases()
            yield ours
    finally:
        network.close()
        shutil.rmtree(folder, ignore_errors=True)
