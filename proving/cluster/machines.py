"""What runs on which machine of the cluster: its command and its words of environment, as `deploy/` ships them."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import sys
import urllib.request
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from launcher.children import Child
from launcher.cluster import Binaries, ServerAccount, binaries_for, server_account
from launcher.postgres import APP, DATABASE, OWNER, WORKER
from proving.cluster.certificates import Papers
from proving.cluster.network import Network
from proving.engines import PatroniPackages, engine, patroni_for, postgres_with_tls
from proving.house import NOT_OURS, PROJECT, Mortal

DATABASES: Final = ("db1", "db2", "db3")
WEBS: Final = ("web1", "web2")
FRONT: Final = "front"
MACHINES: Final = (*DATABASES, *WEBS, FRONT)
ETCDS: Final = (*WEBS, FRONT)  # not where a primary may be: lost together, etcd's next leader begins every lease anew
POSTGRES_PORT, CLIENTS_OF_ETCD, PEERS_OF_ETCD, PATRONI_PORT, WEB_PORT, REDIS_PORT = (
    25432,
    22379,
    22380,
    28008,
    28443,
    26379,
)
PASSWORD: Final = "drill"
# A machine that vanishes without a word is given up after these seconds, whatever the kernel's own patience.
SILENCE: Final = "connect_timeout=2&keepalives_idle=2&keepalives_interval=1&keepalives_count=3&tcp_user_timeout=4000"


class Machines:
    """The commands of every machine, and the children that run on it. A machine that is down starts nothing again."""

    def __init__(self, folder: Path, network: Network, papers: Papers) -> None:
        self.folder, self.network, self.papers = folder, network, papers
        self.account: ServerAccount = server_account()
        secure = postgres_with_tls(self.account)
        self.with_tls = secure is not None
        self.binaries: Binaries = secure or binaries_for(self.account)
        self.patroni: PatroniPackages = patroni_for(self.account)
        self.children: dict[str, list[Child]] = {name: [] for name in MACHINES}
        self.down: set[str] = set()

    def url(self, role: str, database: str = DATABASE, *, anywhere: bool = False) -> str:
        """Every database machine in one address: whoever takes writes is the right one."""
        hosts = ",".join(f"{self.network.addresses[name]}:{port_of(name)}" for name in DATABASES)
        wanted = "any" if anywhere else "read-write"
        tls = f"sslmode=verify-full&sslrootcert={quote(str(self.papers.authority), safe='')}&" if self.with_tls else ""
        return f"postgresql://{role}:{PASSWORD}@{hosts}/{database}?{tls}target_session_attrs={wanted}&{SILENCE}"

    def start_etcd(self, name: str) -> None:
        (self.folder / name).mkdir(exist_ok=True, mode=0o711)
        self._start(name, "etcd", self._etcd(name), dict(engine("etcd").environ))

    def start_database(self, name: str) -> None:
        self._start(name, "patroni", self._as_account(self._patroni_command()), self._patroni_words(name))

    def start_web(self, name: str) -> None:
        self._start(name, "up", self._up(name), self.web_words(name))

    def start_front(self) -> None:
        redis = engine("redis-server")
        quiet = ("--bind", "127.0.0.1", self.network.addresses[FRONT], "--protected-mode", "no", "--save", "")
        command = [str(redis.program), "--port", str(REDIS_PORT), *quiet, "--dir", str(self.folder)]
        self._start(FRONT, "redis", command, dict(redis.environ))
        proxy = engine("haproxy")
        self._start(
            FRONT, "haproxy", [str(proxy.program), "-db", "-q", "-f", str(PROJECT / "deploy" / "haproxy.cfg")],
            dict(proxy.environ) | {
                "FAIRMETER_FRONT": f"127.0.0.1:{WEB_PORT}", "FAIRMETER_NAME": "127.0.0.1",
                "FAIRMETER_CERTIFICATE": str(self.papers.both), "FAIRMETER_CA": str(self.papers.authority),
                **{f"FAIRMETER_{name.upper()}": f"{self.network.addresses[name]}:{WEB_PORT}" for name in WEBS},
            },
        )  # fmt: skip

    def _start(self, name: str, what: str, command: Sequence[str], words: Mapping[str, str]) -> None:
        environ = clean() | dict(words) | self.network.mark(name)
        child = Mortal(
            f"{name}-{what}", self.network.on(name, command), environ, self.folder / "logs",
            PROJECT if what == "up" else Path("/"),
        )  # fmt: skip
        self.children[name].append(child)
        child.start()

    def look_after(self) -> None:
        """What a machine's own service manager does; one that is down is left alone."""
        for name, children in self.children.items():
            for child in children:
                if child.process is not None and not child.alive:
                    child.bury()
                if child.process is None and not self.down & {name, child.name}:
                    child.start()

    def child(self, name: str, what: str) -> Child:
        return next(child for child in self.children[name] if child.name == f"{name}-{what}")

    def _as_account(self, command: Sequence[str]) -> list[str]:
        if self.account.name is None:
            return list(command)
        who = ("--reuid", str(self.account.uid), "--regid", str(self.account.gid), "--clear-groups")
        return ["setpriv", *who, "--pdeathsig", "KILL", *command]

    def _etcd(self, name: str) -> list[str]:
        mine = self.network.addresses[name]
        everybody = ",".join(f"{each}=https://{self.network.addresses[each]}:{PEERS_OF_ETCD}" for each in ETCDS)
        clients, peers = f"https://{mine}:{CLIENTS_OF_ETCD}", f"https://{mine}:{PEERS_OF_ETCD}"
        paper = ("cert-file", self.papers.certificate), ("key-file", self.papers.key)
        trusted = (("trusted-ca-file", self.papers.authority), ("client-cert-auth", "true"))
        told = [f"--{before}{name}={value}" for before in ("", "peer-") for name, value in (*paper, *trusted)]
        return [
            str(engine("etcd").program), "--name", name, "--data-dir", str(self.folder / name / "etcd"),
            "--listen-client-urls", clients, "--advertise-client-urls", clients,
            "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", everybody,
            "--heartbeat-interval", "250", "--election-timeout", "2500", "--log-level", "error", *told,
        ]  # fmt: skip

    def _patroni_command(self) -> list[str]:
        shipped = self.folder / "patroni.yml"
        if not shipped.exists():  # where the database's account can read it, with the papers of this drill
            text = (PROJECT / "deploy" / "patroni.yml").read_text()
            for name, paper in self._papers_of_databases().items():
                text = text.replace(f"/etc/fairmeter/{name}", str(paper))
            shipped.write_text(text if self.with_tls else without_tls(text))
            shipped.chmod(0o644)
        return [str(self.patroni.python), "-m", "patroni", str(shipped)]

    def _papers_of_databases(self) -> dict[str, Path]:
        """PostgreSQL reads no key that another account owns."""
        key = self.folder / "database.key"
        shutil.copy(self.papers.key, key)
        key.chmod(0o600)
        self.account.owns(key)
        for public in (self.papers.authority, self.papers.certificate):
            public.chmod(0o644)
        return {
            "database.crt": self.papers.certificate, "database.key": key, "authority.pem": self.papers.authority
        }  # fmt: skip

    def _patroni_words(self, name: str) -> dict[str, str]:
        mine, home = self.network.addresses[name], self.folder / name
        home.mkdir(exist_ok=True, mode=0o711)
        books = home / "books"
        books.mkdir(exist_ok=True, mode=0o700)
        self.account.owns(books)
        listened = ",".join(f"{self.network.addresses[each]}:{CLIENTS_OF_ETCD}" for each in ETCDS)
        return {
            **self.patroni.environ, "HOME": str(books),
            "PATRONI_NAME": name, "PATRONI_ETCD3_HOSTS": listened,
            **{f"PATRONI_RESTAPI_{word}": f"{mine}:{PATRONI_PORT}" for word in ("LISTEN", "CONNECT_ADDRESS")},
            **{f"PATRONI_POSTGRESQL_{word}": f"{mine}:{port_of(name)}" for word in ("LISTEN", "CONNECT_ADDRESS")},
            "PATRONI_RESTAPI_USERNAME": "patroni", "PATRONI_RESTAPI_PASSWORD": PASSWORD,
            "PATRONI_POSTGRESQL_DATA_DIR": str(books / "data"),
            "PATRONI_POSTGRESQL_BIN_DIR": str(self.binaries.folder / "bin"),
            "PATRONI_POSTGRESQL_PGPASS": str(books / "pgpass"),
            "PATRONI_SUPERUSER_USERNAME": "postgres", "PATRONI_SUPERUSER_PASSWORD": PASSWORD,
            "PATRONI_REPLICATION_USERNAME": "replicator", "PATRONI_REPLICATION_PASSWORD": PASSWORD,
        }  # fmt: skip

    def _up(self, name: str) -> list[str]:
        where = ("--listen", self.network.addresses[name], "--port", str(WEB_PORT))
        papers = ("--certificate", str(self.papers.certificate), "--key", str(self.papers.key))
        return [sys.executable, "manage.py", "up", "--no-demo", "--data", str(self.folder / name), *where, *papers]

    def web_words(self, name: str) -> dict[str, str]:
        return {
            "DATABASE_URL": self.url(APP), "DATABASE_OWNER_URL": self.url(OWNER),
            "DATABASE_WORKER_URL": self.url(WORKER),
            "REDIS_URL": f"redis://{self.network.addresses[FRONT]}:{REDIS_PORT}/0",
            "FAIRMETER_KEY_FILE": str(self.folder / "fairmeter.key"), "FAIRMETER_ENVIRONMENT": sys.prefix,
            "FAIRMETER_DATA": str(self.folder / name), "FAIRMETER_HOSTS": "127.0.0.1",
            "FAIRMETER_ORIGINS": f"https://127.0.0.1:{WEB_PORT}", "FAIRMETER_TLS": "yes",
            "FORWARDED_ALLOW_IPS": self.network.addresses[FRONT],
        }  # fmt: skip

    def primary(self) -> str:
        """Who says of itself that it has the lock; more than one would be the end of the books."""
        leading = [name for name in DATABASES if self.asked(name, "primary") == 200]
        return leading[0] if len(leading) == 1 else ""

    def asked(self, name: str, path: str) -> int:
        """The status of Patroni's own door on that machine; 0 when nothing came."""
        try:
            with self._patroni(name, path, timeout=1) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    def answer_of(self, name: str, path: str) -> Any:
        with self._patroni(name, path, timeout=2) as answer:
            return json.load(answer)

    def configure(self, name: str, wishes: Mapping[str, Any]) -> None:
        """Patroni's own way to change what holds for all of the cluster."""
        self._patroni(name, "config", timeout=5, body=json.dumps(wishes).encode()).close()

    def _patroni(self, name: str, path: str, *, timeout: float, body: bytes | None = None) -> Any:
        """Everybody may ask who leads; who changes something says a password."""
        url = f"https://{self.network.addresses[name]}:{PATRONI_PORT}/{path}"
        asked = urllib.request.Request(url, body, method="GET" if body is None else "PATCH")
        if body is not None:
            asked.add_header("Authorization", f"Basic {b64encode(f'patroni:{PASSWORD}'.encode()).decode()}")
        trusting = ssl.create_default_context(cafile=str(self.papers.authority))
        return urllib.request.urlopen(asked, timeout=timeout, context=trusting)


def without_tls(text: str) -> str:
    """For a PostgreSQL that was built without it; etcd and Patroni keep theirs."""
    plain = text.replace("hostssl ", "host ")
    return "".join(line for line in plain.splitlines(keepends=True) if not line.strip().startswith("ssl"))


def port_of(name: str) -> int:
    """A port for each: their local sockets lie in one folder of this one machine."""
    return POSTGRES_PORT + DATABASES.index(name)


def clean() -> dict[str, str]:
    """Nothing of the caller's installation."""
    return {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
