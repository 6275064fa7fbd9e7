"""A password set at the machine leaves its line and ends every sign-in, as one that was chosen on a page."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from config.management.commands import changepassword
from jackpot.trail.models import Trail
from tests.builders import a_person


@pytest.mark.django_db
def test_a_password_set_at_the_machine_is_told_and_ends_sign_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    person = a_person("anna", password="another one 17")
    Client().force_login(person)
    monkeypatch.setattr(changepassword.Command, "_get_pass", lambda *_: "quite a new one 18")
    call_command("changepassword", "anna", stdout=_Silent())
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # the database finds its line
    line = Trail.objects.get(act="set_password")
    assert (line.actor, line.object_key, line.details) == ("server", "anna", {"sessions": 1})
    person.refresh_from_db()
    assert person.check_password("quite a new one 18")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_without_a_name_it_asks_for_one_and_changes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    person = a_person("anna", password="another one 17")
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    with pytest.raises(CommandError, match=r"Say whose password: python3 manage\.py changepassword USERNAME"):
        call_command("changepassword", stdout=_Silent())
    person.refresh_from_db()
    assert person.check_password("another one 17")


class _Silent:
    def write(self, _words: str) -> Any:
        return None
