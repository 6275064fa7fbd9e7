"""Who of us is who in the casino's directory: said by each person, signed in here and with the own password.

A name that a directory shows may change hands; its subject does not. So nobody is found by a name, and whoever has no
link is nobody here, however good the directory's word is.
"""

from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from jackpot.pacing.actions import take_try_back
from jackpot.people.actions.directory import DIRECTORY_TRIES
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import DirectoryLink, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


def link_of(person: Operator) -> DirectoryLink | None:
    """With this directory; after another one was named, everybody links anew."""
    return DirectoryLink.objects.filter(operator=person, issuer=settings.DIRECTORY_ISSUER).first()


@transaction.atomic
def keep_link(*, person: Operator, subject: str) -> None:
    """From now on whom the directory calls so is this person here."""
    check_works_here(person)
    # Begun with the password of before: whoever had seen that one links nobody by it.
    if Operator.objects.select_for_update(no_key=True).get(pk=person.pk).password != person.password:
        raise NotAllowedNow("Your password was changed meanwhile. Sign in anew and link again.", "password_changed")
    # A person has one link: that with a directory which the house has left would stand in the way of the new one.
    DirectoryLink.objects.filter(operator=person).exclude(issuer=settings.DIRECTORY_ISSUER).delete()
    try:
        with transaction.atomic():
            DirectoryLink.objects.create(operator=person, issuer=settings.DIRECTORY_ISSUER, subject=subject)
    except IntegrityError:
        why = "You, or this person of the directory, are linked already. End that link first."
        raise NotAllowedNow(why, "exists") from None
    told = {"directory": settings.DIRECTORY_ISSUER[:200]}
    record(actor=person, act="link_directory", about=objects.person(person.username), details=told)


@transaction.atomic
def end_link(*, person: Operator, by: Operator | str) -> bool:
    """The password opens as before."""
    ended = DirectoryLink.objects.filter(operator=person).delete()[0]
    if ended:
        record(actor=by, act="end_directory_link", about=objects.person(person.username))
    return bool(ended)


def linked(*, subject: str, address: str) -> Operator:
    """The person here; a stranger stays counted for the address, and is told nothing of who is known."""
    with transaction.atomic():
        found = DirectoryLink.objects.select_related("operator").filter(
            issuer=settings.DIRECTORY_ISSUER, subject=subject, operator__is_active=True
        )
        link = found.first()
        if link is not None:
            DirectoryLink.objects.filter(pk=link.pk).update(used_at=timezone.now())
            told = {"address": address, "by": "directory"}
            about = objects.person(link.operator.username)
            record(actor=link.operator, act="sign_in", about=about, outcome="done", details=told)
    if link is None:
        why = f"{settings.DIRECTORY_NAME} knows you, but nobody here is linked with that. Sign in with your password"
        raise NotAllowed(f"{why} once, open your own page, and link yourself there.", "not_linked")
    take_try_back(DIRECTORY_TRIES, address)
    return link.operator
