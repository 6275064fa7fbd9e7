from __future__ import annotations

from django.apps import AppConfig


class AccountingConfig(AppConfig):
    name = "accounting"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # In here, for models are there only when every app is loaded.
        from accounting.days.actions.cover import why_it_stands
        from accounting.days.actions.explaining import ExplainVariance
        from accounting.days.actions.reopening import ReopenDay
        from accounting.people_desk.actions.kind import ChangePeople
        from accounting.people_desk.actions.reviewing import ReviewRights
        from accounting.people_desk.queries import review_also
        from accounting.programs.actions.tokens import GiveToken
        from accounting.reports.actions.mailboxes import AllowMailbox
        from accounting.rights import OF_THE_WORKER, RIGHTS
        from accounting.setup_desk.actions.kind import SetUpHouse
        from accounting.webhooks.actions.registering import SendEvents
        from accounting.webhooks.queries import webhooks_in_review
        from jackpot.adjusting.actions.suspend import stands_while
        from jackpot.database.rights import declare
        from jackpot.signing.actions.kinds import register

        # The rooms below import nothing of ours: what they have to ask of this one is handed down to them.
        register(ChangePeople(), ReviewRights(), SetUpHouse(), ExplainVariance(), ReopenDay())
        register(GiveToken(), SendEvents(), AllowMailbox())
        stands_while(why_it_stands)
        review_also(webhooks_in_review)
        declare(RIGHTS, OF_THE_WORKER)
