from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class JackpotConfig(AppConfig):
    name = "jackpot"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from jackpot.answers.api import once_per_key
        from jackpot.configuring.actions.configure import terms_told
        from jackpot.database.rights import declare
        from jackpot.notices.actions.finishing import when_told
        from jackpot.property.rules.notice import NoticeAbout
        from jackpot.rights import OF_THE_WORKER, RIGHTS
        from jackpot.web.api.once import answers_are_kept_by
        from jackpot.web.api.sentences import speak_our_words

        declare(RIGHTS, OF_THE_WORKER)
        speak_our_words()
        answers_are_kept_by(once_per_key)
        when_told(NoticeAbout.TERMS, terms_told)
        post_migrate.connect(grant_rights, sender=self, dispatch_uid="jackpot.grant_rights")


def grant_rights(using: str, **_: Any) -> None:
    """What the web and the worker may write. Refreshed with every migration."""
    from jackpot.database.rights import grant

    grant(using)
