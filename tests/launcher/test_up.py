"""What `up` refuses before it starts anything."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.children import Child, wait_until
from launcher.house import STOP_SIGNALS, Stack, stop_signals_interrupt
from launcher.installation import Casino, Installation, Prepared, is_prepared, wanted_migrations
from launcher.places import Places
from launcher.postgres import Addresses, words_of
from launcher.sentences import CannotStart
from launcher.up import Wishes, refuse_open_without_certificate, site_of
from tests.patience import PATIENCE


def wishes(listen: str = "127.0.0.1", certificate: str | None = None, key: str | None = None) -> Wishes:
    return Wishes(None, 8000, listen, certificate, key, None, demo=True, simulate=False, processes=1)


def test_this_machine_needs_no_certificate() -> None:
    refuse_open_without_certificate(wishes())


def test_other_machines_are_served_with_tls_only() -> None:
    with pytest.raises(CannotStart, match="with TLS only"):
        refuse_open_without_certificate(wishes("0.0.0.0"))


def test_a_certificate_without_its_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="give both"):
        refuse_open_without_certificate(wishes("0.0.0.0", certificate=str(tmp_path)))


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"no file .*cert\.pem"):
        refuse_open_without_certificate(wishes("0.0.0.0", str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")))


@pytest.fixture
def public_house() -> Iterator[Stack]:
    """A house that would listen to other machines; it is never started."""
    installation = Installation(Places(Path("/nowhere")), None, Addresses("postgresql://a@/x", "postgresql://o@/x"))
    with socket.socket() as listener:
        yield Stack(Path("/nowhere"), installation, site_of(wishes("10.1.2.3", "c", "k"), 8443), listener)


def test_the_demo_casino_is_never_served_to_other_machines(public_house: Stack) -> None:
    with pytest.raises(CannotStart, match="demo casino"):
        public_house._refuse_demo_in_public(Casino("", properties=1, demo=True))


def test_a_real_casino_is_served_to_other_machines(public_house: Stack) -> None:
    public_house._refuse_demo_in_public(Casino("", properties=1, demo=False))


def test_the_children_learn_the_names_of_the_site_and_keep_what_a_person_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRMETER_ORIGINS", "https://casino.example")
    told = site_of(wishes("10.1.2.3", "c", "k"), 8443).environment()
    assert told["FAIRMETER_HOSTS"] == "127.0.0.1,localhost,[::1],10.1.2.3"
    assert told["FAIRMETER_ORIGINS"] == "https://casino.example"
    assert told["FAIRMETER_TLS"] == "yes"


def test_the_address_to_open_can_be_typed_into_a_browser() -> None:
    assert site_of(wishes(), 8000).url == "http://127.0.0.1:8000/"
    assert site_of(wishes("0.0.0.0", "c", "k"), 8443).url == "https://127.0.0.1:8443/"
    assert site_of(wishes("::1"), 8000).url == "http://[::1]:8000/"


def project_with(tmp_path: Path, migration: str) -> Path:
    (tmp_path / "jackpot" / "migrations").mkdir(parents=True, exist_ok=True)
    (tmp_path / "jackpot" / "migrations" / "0001_initial.py").write_text(migration)
    (tmp_path / "requirements.txt").write_text("django==5.2.19\n")
    return tmp_path


def test_a_second_start_skips_the_preparation_only_if_nothing_changed(tmp_path: Path) -> None:
    project = project_with(tmp_path, "one")
    note = Prepared(wanted_migrations(project), "applied-then")
    assert is_prepared(note, Casino("applied-then"), project)
    assert not is_prepared(note, Casino("another database"), project)
    assert not is_prepared(Prepared(), Casino(""), project)
    assert not is_prepared(note, Casino("applied-then"), project_with(tmp_path, "two"))


def test_a_note_that_was_cut_off_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "prepared.json").write_text('{"wanted": "ab')
    assert Prepared.read(tmp_path / "prepared.json") == Prepared()


LEAVING = """
import signal, sys, time
def leave(*_):
    time.sleep(float(sys.argv[2]))
    open("left", "a").write(sys.argv[1] + " ")
    sys.exit()
signal.signal(signal.SIGTERM, leave)
print(1, flush=True)
time.sleep(60)
"""


def test_a_simulated_evening_ends_before_the_web_that_it_plays_on(public_house: Stack, tmp_path: Path) -> None:
    for name, seconds, forever in (("web", "0", True), ("simulate", "0.3", False)):
        command = [sys.executable, "-c", LEAVING, name, seconds]
        child = Child(name, command, os.environ, tmp_path, tmp_path, forever=forever)
        public_house.children.append(child)
        child.start()
        log = tmp_path / f"{name}.log"
        assert wait_until(lambda log=log: log.read_text() != "", PATIENCE)  # type: ignore[misc]
    public_house.stop()
    assert (tmp_path / "left").read_text() == "simulate web "


class Finalised:
    """Python drops whatever is raised while this is taken away."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_python_drops_still_stops_the_house() -> None:
    before = {each: signal.getsignal(each) for each in STOP_SIGNALS}
    try:
        with stop_signals_interrupt() as asked_to_stop:
            assert not asked_to_stop()
            Finalised()
            assert asked_to_stop()
    finally:
        for each, known in before.items():
            signal.signal(each, known)


@pytest.mark.parametrize(("name", "as_whom"), [("web", "app"), ("worker", "mine"), ("simulate", "app")])
def test_each_process_learns_its_own_role_and_no_other(tmp_path: Path, name: str, as_whom: str) -> None:
    """As the kernel shows it of a running child, not as we say it."""
    told = {
        "DATABASE_URL": "app",
        "DATABASE_WORKER_URL": "mine",
        "DATABASE_OWNER_URL": "owner",
        "DATABASE_ADMIN_URL": "admin",
        "PATH": os.environ["PATH"],
    }
    child = Child("child", ["sleep", "60"], words_of(name, told), tmp_path, tmp_path)
    child.start()
    try:
        assert child.process is not None
        seen = Path(f"/proc/{child.process.pid}/environ").read_bytes().split(b"\0")
    finally:
        child.stop(5.0)
    assert [each for each in seen if each.startswith(b"DATABASE_")] == [f"DATABASE_URL={as_whom}".encode()]


def test_where_a_house_gives_one_role_the_worker_has_the_webs() -> None:
    assert words_of("worker", {"DATABASE_URL": "app", "DATABASE_OWNER_URL": "owner"}) == {"DATABASE_URL": "app"}
