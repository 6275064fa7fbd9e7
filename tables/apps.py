from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from jackpot.database.rights import declare
        from jackpot.signing.actions.kinds import register
        from tables.requests.actions.kinds import KINDS
        from tables.rights import RIGHTS

        register(*KINDS)
        declare(RIGHTS)
