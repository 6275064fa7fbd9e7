from __future__ import annotations

import pytest
from django.test import override_settings

from jackpot.trail.models import Trail
from tables.signs import access
from tables.signs.access import Asking, is_loopback
from tables.signs.origin import is_ours


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://127.0.0.1", False),
        ("http://127.0.0.1:8001", False),
        ("https://127.0.0.1:8000", False),
        ("http://localhost:8000", False),
        ("http://evil.example", False),
        ("http://127.0.0.1:8000.evil.example", False),
        ("http://127.0.0.1:port", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_exactly_our_own_scheme_host_and_port_is_ours(origin: str, ours: bool) -> None:
    assert is_ours(origin, "127.0.0.1:8000", secure=False) is ours


def test_a_default_port_may_be_left_out_on_either_side() -> None:
    with override_settings(ALLOWED_HOSTS=["signs.example"]):
        assert is_ours("https://signs.example:443", "signs.example", secure=True)
        assert is_ours("http://signs.example", "signs.example:80", secure=False)


def test_a_foreign_name_that_points_at_our_address_is_not_ours() -> None:
    assert not is_ours("http://evil.example:8000", "evil.example:8000", secure=False)


def test_an_origin_that_the_settings_name_is_ours_behind_any_proxy() -> None:
    with override_settings(ALLOWED_ORIGINS=["https://signs.example"]):
        assert is_ours("https://signs.example", "10.0.0.7:8000", secure=False)


def test_every_host_allowed_does_not_switch_the_check_off() -> None:
    with override_settings(ALLOWED_HOSTS=["*"]):
        assert not is_ours("http://evil.example", "127.0.0.1:8000", secure=False)


def test_a_handshake_without_origin_is_foreign_only_under_a_name_that_is_not_ours() -> None:
    def asking(host: bytes) -> Asking:
        return Asking.by_handshake({"headers": [(b"host", host)], "client": ("127.0.0.1", 1), "scheme": "ws"})

    assert not asking(b"127.0.0.1:8000").is_foreign
    assert asking(b"evil.example").is_foreign


@pytest.mark.parametrize(
    ("address", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("10.0.0.7", False), ("", False), ("unix", False)],
)
def test_loopback_is_told_from_every_other_address(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


@pytest.mark.django_db
def test_strangers_write_one_line_a_minute_for_an_address_and_of_so_many_addresses_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each names another page, or comes from another place: the trail is not theirs to fill."""
    monkeypatch.setattr(access, "_knocked", {})

    def knocks(address: str, page: int) -> None:
        host, origin = (b"host", b"127.0.0.1:8000"), (b"origin", f"http://evil-{page}.example".encode())
        scope = {"headers": [host, origin], "client": (address, 1), "scheme": "ws"}
        access.note_foreign("WALL", Asking.by_handshake(scope))

    for page in range(100):
        knocks("10.0.0.9", page)
    assert Trail.objects.filter(act="sign_connect", actor="10.0.0.9").count() == 1
    for number in range(access.KNOCKS_REMEMBERED * 2):
        knocks(f"10.0.1.{number}", number)
    assert Trail.objects.filter(act="sign_connect").count() == access.KNOCKS_REMEMBERED
    monkeypatch.setattr(access, "NOTED_EVERY", -1.0)
    knocks("10.0.2.1", 1)
    assert Trail.objects.filter(actor="10.0.2.1").exists(), "a minute later the next ones are told"
