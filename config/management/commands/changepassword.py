"""Sets a person's password at this machine. Django's own command would leave no line of the trail."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.core.management.base import CommandError
from django.db import transaction

from jackpot.people.actions.directory_links import end_link
from jackpot.people.actions.sessions import close_sessions
from jackpot.people.models import Operator
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


class Command(changepassword.Command):
    """Asks twice, as Django's does; every sign-in of the person and a directory's link end, as at any other change."""

    # The password and its line of the trail, or neither.
    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> str | None:
        if not options["username"]:  # Django would take the name of the machine's account, which is nobody's here
            raise CommandError("Say whose password: python3 manage.py changepassword USERNAME")
        said = super().handle(*args, **options)
        person = Operator.objects.filter(username=options["username"]).first()
        if person is not None:
            end_link(person=person, by="server")
            details = {"sessions": close_sessions(person)}
            record(actor="server", act="set_password", about=objects.person(person.username), details=details)
        return said
