from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

GRANTS = """
DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'fairmeter_app') AND current_user <> 'fairmeter_app' THEN
    GRANT USAGE ON SCHEMA public TO fairmeter_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO fairmeter_app;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO fairmeter_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON jackpot_entry, jackpot_trail, jackpot_version FROM fairmeter_app;
  END IF;
END $$
"""


class JackpotConfig(AppConfig):
    name = "jackpot"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from jackpot.web.api.sentences import speak_our_words

        speak_our_words()
        post_migrate.connect(grant_rights, sender=self, dispatch_uid="jackpot.grant_rights")


def grant_rights(using: str, **_: Any) -> None:
    """The web and the worker may add entries and trail, never change them. Refreshed with every migration."""
    from django.db import connections

    with connections[using].cursor() as cursor:
        cursor.execute(GRANTS)
