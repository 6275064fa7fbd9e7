"""What web and worker may write of the office's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.database.rights import TableRights, WorkersRights, adds, adds_and_takes_away, keeps, only, writes

RIGHTS: Final[Mapping[str, TableRights]] = {
    # Paper
    "accounting_winpage": adds(),
    "accounting_copy": adds(),
    "accounting_spoiledcopy": adds(),
    "accounting_printjob": writes("tries state last_error due_at sent_at"),
    # The gaming day
    "accounting_daysnapshot": adds(),
    "accounting_meterreading": adds(),
    "accounting_chipcount": adds(),
    "accounting_feecount": adds(),
    "accounting_bankbalance": adds(),
    "accounting_daysignature": adds(),
    "accounting_explanation": keeps("request_ptr_id"),
    "accounting_journalexport": adds(),
    # Reports that are mailed
    "accounting_reportmailbox": writes("ended_at ended_by_id"),
    "accounting_reportletter": writes("due_at tries sent_at given_up_at last_answer"),
    # What goes out
    "accounting_feedevent": adds(),
    "accounting_feedhead": writes("last_number"),
    "accounting_feedreach": writes("seq"),
    "accounting_unnumberedevent": adds_and_takes_away(),
    "accounting_programtoken": writes("revoked_at revoked_by_id ended_with_id last_used_at uses"),
    "accounting_webhook": keeps(),
    # Alarms
    "accounting_housealarm": writes("quiet_since ended_at"),
    "accounting_alarmaddress": writes("ended_at ended_by_id"),
    "accounting_alarmmessage": writes("due_at tries sent_at given_up_at last_answer"),
}

# Paper goes out, days are kept as they rolled, events are numbered and told, alarms ring, reports and parcels are made.
OF_THE_WORKER: Final = WorkersRights(
    {
        "accounting_printjob": only("tries state last_error due_at sent_at"),
        "accounting_daysnapshot": adds(),
        "accounting_feedevent": adds(),
        "accounting_feedhead": writes("last_number"),
        "accounting_feedreach": writes("seq"),
        "accounting_unnumberedevent": adds_and_takes_away(),
        "accounting_webhook": only(
            "claim claimed_until last_tried_at last_answer last_number delivered_at next_try_at deliveries tries "
            "failing_since alarmed_at"
        ),
        "accounting_housealarm": writes("quiet_since ended_at"),
        "accounting_alarmmessage": writes("due_at tries sent_at given_up_at last_answer"),
        "accounting_auditrun": keeps("kind premises_id asked_by_id asked_at first last"),
        "accounting_reportletter": writes("due_at tries sent_at given_up_at last_answer"),
        "accounting_savedreport": only("due_day"),
        "accounting_reportrun": keeps("premises_id asked_by_id report words form saved_id asked_at"),
    }
)
