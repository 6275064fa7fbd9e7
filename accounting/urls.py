from __future__ import annotations

from datetime import date

from django.urls import path, register_converter

import jackpot.urls  # noqa: F401  registers the path converters
from accounting.alarms import pages as alarms
from accounting.asking.pages import asking
from accounting.asking.pages.asking import ask_page
from accounting.audit import api as api_audit
from accounting.audit.pages import trail as audit_trail
from accounting.audit.pages import why as audit_why
from accounting.audit.pages import working as audit_work
from accounting.cage import api as api_cage
from accounting.cage.pages import receipts, tax_records, unclaimed, verify, wins, wins_cage, wins_record, witnesses
from accounting.days import api as api_days
from accounting.days.pages import close, writing
from accounting.days.pages.asking import EXPLAIN_FORM, REOPEN_FORM
from accounting.desk import api as api_adjustments
from accounting.desk.pages import adjustments_csv, authority, config, notices, requests
from accounting.desk.pages.adjustments_ask import ADJUSTMENT_FORM
from accounting.desk.pages.authority_ask import AUTHORITY_FORM, LEVEL_FORM
from accounting.desk.pages.config_ask import TERMS_FORM
from accounting.feed import api as api_feed
from accounting.home.pages import find, home
from accounting.lab import api as api_laboratory
from accounting.lab.pages import lab
from accounting.monitoring import api as monitoring
from accounting.paper import api as pages
from accounting.paper import pages as paper_pages
from accounting.par.pages import par, par_lookups, par_own
from accounting.people_desk.api import acts as api_people_desk
from accounting.people_desk.api import requests as api_people_requests
from accounting.people_desk.pages import desk as people_desk
from accounting.people_desk.pages import directory, own, own_factor, review
from accounting.people_desk.pages.asking import CARD_FORM, CODE_FORM, HIRE_FORM, ROLES_FORM
from accounting.programs import pages as programs
from accounting.programs.api import tokens as api_programs
from accounting.reports import api as api_reports
from accounting.reports.pages import ledger, mailboxes, reports, taking
from accounting.setup_desk import api as api_setup
from accounting.setup_desk.pages import floor as setup_floor
from accounting.setup_desk.pages import founding
from accounting.setup_desk.pages import house_file as setup_house_file
from accounting.setup_desk.pages import parts as setup_parts
from accounting.setup_desk.pages import path as setup_path
from accounting.webhooks import api as api_webhooks
from accounting.webhooks import pages as webhooks


class Digest:
    """What stands behind the slip number on a page; anything of that length is answered."""

    regex = "[^/]{1,64}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class GamingDayInAddress:
    """A gaming day as everybody sorts it: 2026-11-18. A day that no calendar has is no address."""

    regex = "20[0-9]{2}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(Digest, "digest")
register_converter(GamingDayInAddress, "gamingday")

V1 = "api/v1"
urlpatterns = [
    path("", home.home, name="home"),
    path("office/", home.office, name="office"),
    path(f"{V1}/metrics", monitoring.Metrics.as_view(), name="api-metrics"),
    path("office/find/", find.find, name="find"),
    path("audit/", audit_trail.audit, name="audit"),
    path("audit/proof/", audit_work.proof, name="audit-proof"),
    path("audit/proof/ask/", audit_work.proof_ask, name="audit-proof-ask"),
    path("audit/parcels/", audit_work.parcels, name="audit-parcels"),
    path("audit/parcels/ask/", audit_work.parcel_ask, name="audit-parcel-ask"),
    path("audit/parcels/<number:number>/", audit_work.parcel, name="audit-parcel"),
    path("audit/parcels/<number:number>/file/", audit_work.parcel_file, name="audit-parcel-file"),
    path("audit/retention/", audit_work.retention, name="audit-retention"),
    path(f"{V1}/audit/proofs/", api_audit.Proofs.as_view(), name="api-audit-proofs"),
    path(f"{V1}/audit/parcels/", api_audit.Parcels.as_view(), name="api-audit-parcels"),
    path(f"{V1}/audit/parcels/<number:id>/file/", api_audit.ParcelFile.as_view(), name="api-audit-parcel-file"),
    path(f"{V1}/wins/<number:id>/page.pdf", pages.Page.as_view(), name="api-win-page"),
    path(f"{V1}/wins/<number:id>/receipt.png", pages.Receipt.as_view(), name="api-win-receipt"),
    path(f"{V1}/wins/<number:id>/copies/", pages.Copies.as_view(), name="api-win-copies"),
    path(f"{V1}/slips/<number:slip>/page.pdf", pages.SlipPage.as_view(), name="api-slip-page"),
    path(f"{V1}/slips/<number:slip>/receipt.png", pages.SlipReceipt.as_view(), name="api-slip-receipt"),
    path(
        f"{V1}/slips/<number:slip>/receipts/<number:receipt>/paper.pdf",
        pages.ReturnedPaper.as_view(),
        name="api-slip-receipt-paper",
    ),
    path(f"{V1}/slips/<number:slip>/copies/", pages.SlipCopies.as_view(), name="api-slip-copies"),
    path("office/config/", config.config, name="config"),
    path("office/config/<code:code>/", config.config_jackpot, name="config-jackpot"),
    path("office/config/<code:code>/draft/", ask_page(TERMS_FORM), name="config-draft"),
    path("office/config/<code:code>/<number:change>/", requests.moved, name="config-change"),
    path("office/authority/", authority.authority, name="authority"),
    path("office/authority/draft/", ask_page(AUTHORITY_FORM), name="authority-draft"),
    path("office/authority/cards/<number:id>/", ask_page(LEVEL_FORM), name="authority-card"),
    path("office/authority/<number:change>/", requests.moved, name="authority-change"),
    path(f"{V1}/adjustments/", api_adjustments.Adjustments.as_view(), name="api-adjustments"),
    path(f"{V1}/adjustments/<number:id>/", api_adjustments.OneAdjustment.as_view(), name="api-adjustment"),
    path(
        f"{V1}/adjustments/<number:id>/approve/",
        api_adjustments.ApproveAdjustment.as_view(),
        name="api-adjustment-approve",
    ),
    path(
        f"{V1}/adjustments/<number:id>/refuse/",
        api_adjustments.RefuseAdjustment.as_view(),
        name="api-adjustment-refuse",
    ),
    path("office/notices/", notices.notices, name="notices"),
    path("office/notices/<number:number>/", notices.notice, name="notice"),
    path("office/notices.csv", notices.notices_csv, name="notices-csv"),
    path("office/notices/<number:number>/done/", notices.notice_done, name="notice-done"),
    path("office/requests/", requests.inbox, name="requests"),
    path("office/requests/new/", asking.choose, name="request-new"),
    path("office/requests/new/<slug:kind>/", asking.ask_plain, name="request-ask"),
    path("office/requests/<number:number>/", requests.one_request, name="request"),
    path("office/requests/<number:number>/preview/", requests.preview, name="request-preview"),
    path("office/requests/<number:number>/approve/", requests.approve, name="request-approve"),
    path("office/requests/<number:number>/refuse/", requests.turn_it_down, name="request-refuse"),
    path("office/requests/<number:number>/withdraw/", requests.take_back, name="request-withdraw"),
    path("office/adjustments/", requests.adjustments_moved, name="adjustments"),
    path("office/adjustments.csv", adjustments_csv.inbox_csv, name="adjustments-csv"),
    path("office/adjustments/new/", ask_page(ADJUSTMENT_FORM), name="adjustment-new"),
    path("office/adjustments/<number:number>/", requests.moved, name="adjustment"),
    path(f"{V1}/days/", api_days.Days.as_view(), name="api-days"),
    path(f"{V1}/days/<gamingday:day>/", api_days.OneDay.as_view(), name="api-day"),
    path(f"{V1}/days/<gamingday:day>/lines/", api_days.CloseLines.as_view(), name="api-day-lines"),
    path(f"{V1}/days/<gamingday:day>/readings/", api_days.Readings.as_view(), name="api-day-readings"),
    path(f"{V1}/days/<gamingday:day>/counts/", api_days.Counts.as_view(), name="api-day-counts"),
    path(f"{V1}/days/<gamingday:day>/fees/", api_days.FeeDrops.as_view(), name="api-day-fees"),
    path(f"{V1}/days/<gamingday:day>/balance/", api_days.Balance.as_view(), name="api-day-balance"),
    path(f"{V1}/days/<gamingday:day>/explanations/", api_days.Explanations.as_view(), name="api-day-explanations"),
    path(
        f"{V1}/days/<gamingday:day>/explanations/<number:id>/sign/",
        api_days.SignExplanation.as_view(),
        name="api-day-explanation-sign",
    ),
    path(f"{V1}/days/<gamingday:day>/steps/", api_days.Steps.as_view(), name="api-day-steps"),
    path("office/days/", close.days, name="days"),
    path("office/days/<gamingday:on>/", close.day, name="day"),
    path("office/days/<gamingday:on>/reading/", writing.day_read, name="day-read"),
    path("office/days/<gamingday:on>/count/", writing.day_count, name="day-count"),
    path("office/days/<gamingday:on>/fees/", writing.day_fees, name="day-fees"),
    path("office/days/<gamingday:on>/balance/", writing.day_balance, name="day-balance"),
    path("office/days/<gamingday:on>/chips/", writing.day_chips, name="day-chips"),
    path("office/days/<gamingday:on>/explain/", ask_page(EXPLAIN_FORM), name="day-explain"),
    path("office/days/<gamingday:on>/explained/", writing.day_sign_explanation, name="day-sign-explanation"),
    path("office/days/<gamingday:on>/reopen/", ask_page(REOPEN_FORM), name="day-reopen"),
    path("office/days/<gamingday:on>/step/", writing.day_step, name="day-step"),
    path("wins/<number:number>/", wins_record.win_by_slip, name="slip"),
    path("office/wins/", wins.wins, name="wins"),
    path("office/wins.csv", wins.wins_csv, name="wins-csv"),
    path("office/wins/<number:number>/", wins_record.win, name="office-win"),
    path("office/wins/<number:number>/why/", audit_why.why, name="office-win-why"),
    path("office/wins/<number:number>/print/", wins_record.win_print, name="office-win-print"),
    path("office/wins/<number:number>/dispute/", wins_record.win_dispute, name="office-win-dispute"),
    path(
        "office/wins/<number:number>/receipts/<number:receipt>/paper.pdf",
        paper_pages.receipt_paper,
        name="receipt-paper",
    ),
    path("office/unclaimed/", unclaimed.unclaimed, name="unclaimed"),
    path("office/wins/<number:number>/notice/", unclaimed.win_notice, name="office-win-notice"),
    path("office/wins/<number:number>/stand-by/", witnesses.win_stand_by, name="office-win-stand-by"),
    path("office/tax-records/", tax_records.tax_records, name="tax-records"),
    path("office/tax-records/file/", tax_records.tax_records_file, name="tax-records-file"),
    path("office/wins/<number:number>/tax-record/", tax_records.tax_record, name="office-win-tax-record"),
    path("office/wins/<number:number>/settle/", wins_record.win_settle, name="office-win-settle"),
    path("office/wins/<number:number>/preview.png", wins_record.win_preview, name="office-win-preview"),
    path("office/wins/<number:number>/copies/<int:copy>/", wins_record.win_copy, name="office-win-copy"),
    path("office/wins/<number:number>/spoiled/", wins_record.copy_spoiled, name="copy-spoiled"),
    path(f"{V1}/payments/", api_cage.Payments.as_view(), name="api-payments"),
    path("office/cage/", wins_cage.cage, name="cage"),
    path("office/cage/<number:number>/", wins_cage.cage_slip, name="cage-slip"),
    path("office/cage/<number:number>/pay/", wins_cage.cage_pay, name="cage-pay"),
    path("office/cage/<number:number>/receive/", receipts.cage_receive, name="cage-receive"),
    path("office/people/", people_desk.people_list, name="people-desk"),
    path("office/people/<username:username>/", people_desk.person, name="person"),
    path("office/people/<username:username>/dismiss/", people_desk.person_dismiss, name="person-dismiss"),
    path("office/people/<username:username>/sessions/", people_desk.person_sessions, name="person-sessions"),
    path("office/people/<username:username>/unlock/", people_desk.person_unlock, name="person-unlock"),
    path("office/people/<username:username>/card/", people_desk.person_card, name="person-card"),
    path("office/people/<username:username>/withdraw/", people_desk.person_withdraw, name="person-withdraw"),
    path("office/people/<username:username>/roles/", ask_page(ROLES_FORM), name="person-roles"),
    path("office/people/<username:username>/roles/take/", people_desk.person_take_roles, name="person-take-roles"),
    path("office/people/<username:username>/new-card/", ask_page(CARD_FORM), name="person-new-card"),
    path("office/people/<username:username>/code/", ask_page(CODE_FORM), name="person-code"),
    path(f"{V1}/feed/", api_feed.Feed.as_view(), name="api-feed"),
    path(f"{V1}/programs/", api_programs.ProgramTokens.as_view(), name="api-programs"),
    path(f"{V1}/programs/<number:id>/revoke/", api_programs.RevokeToken.as_view(), name="api-program-revoke"),
    path("office/programs/", programs.programs, name="programs"),
    path(f"{V1}/programs/requests/<number:id>/token/", api_programs.FetchToken.as_view(), name="api-program-fetch"),
    path("office/programs/<number:number>/token/", programs.fetch, name="program-fetch"),
    path("office/programs/revoke/", programs.revoke, name="program-revoke"),
    path(f"{V1}/webhooks/", api_webhooks.Webhooks.as_view(), name="api-webhooks"),
    path(f"{V1}/webhooks/<number:id>/", api_webhooks.OneWebhook.as_view(), name="api-webhook"),
    path(f"{V1}/webhooks/<number:id>/pause/", api_webhooks.PauseWebhook.as_view(), name="api-webhook-pause"),
    path(f"{V1}/webhooks/<number:id>/resume/", api_webhooks.ResumeWebhook.as_view(), name="api-webhook-resume"),
    path(f"{V1}/webhooks/<number:id>/replay/", api_webhooks.ReplayWebhook.as_view(), name="api-webhook-replay"),
    path(f"{V1}/webhooks/<number:id>/secret/", api_webhooks.RenewWebhook.as_view(), name="api-webhook-secret"),
    path(f"{V1}/webhooks/<number:id>/retire/", api_webhooks.RetireWebhook.as_view(), name="api-webhook-retire"),
    path("office/alarms/", alarms.alarms, name="alarms"),
    path("office/alarms/add/", alarms.add, name="alarm-add"),
    path("office/alarms/<number:number>/", alarms.alarm_address, name="alarm-address"),
    path("office/alarms/<number:number>/try/", alarms.attempt, name="alarm-try"),
    path("office/alarms/<number:number>/end/", alarms.end, name="alarm-end"),
    path(f"{V1}/webhooks/requests/<number:id>/secret/", api_webhooks.FetchWebhook.as_view(), name="api-webhook-fetch"),
    path("office/webhooks/requests/<number:number>/secret/", webhooks.fetch, name="webhook-fetch"),
    path("office/webhooks/", webhooks.webhook_list, name="webhooks"),
    path("office/webhooks/<number:number>/", webhooks.webhook, name="webhook"),
    path("office/webhooks/<number:number>/pause/", webhooks.pause, name="webhook-pause"),
    path("office/webhooks/<number:number>/resume/", webhooks.resume, name="webhook-resume"),
    path("office/webhooks/<number:number>/replay/", webhooks.replay, name="webhook-replay"),
    path("office/webhooks/<number:number>/secret/", webhooks.renew, name="webhook-secret"),
    path("office/webhooks/<number:number>/retire/", webhooks.retire, name="webhook-retire"),
    path("office/people-review/", review.review_page, name="people-review"),
    path("office/people-review/sign/", review.review_sign, name="people-review-sign"),
    path("office/hire/", ask_page(HIRE_FORM), name="people-hire"),
    path("begin/", founding.begin, name="begin"),
    path("office/setup/", setup_path.setup, name="setup"),
    path("office/setup/file/", setup_house_file.setup_file, name="setup-file"),
    path("office/setup/house.toml", setup_house_file.setup_written, name="setup-written"),
    path("office/setup/list/", setup_floor.setup_list, name="setup-list"),
    path("office/setup/links/", setup_floor.setup_links, name="setup-links"),
    path("office/setup/controllers/", setup_floor.setup_controllers, name="setup-controllers"),
    path("office/setup/codes/", setup_floor.setup_codes, name="setup-codes"),
    path("office/setup/part-<slug:part>/", setup_parts.setup_part, name="setup-part"),
    path(f"{V1}/begin/", api_setup.Begin.as_view(), name="api-begin"),
    path(f"{V1}/setup/", api_setup.SetUpHere.as_view(), name="api-setup"),
    path(f"{V1}/setup/file/", api_setup.HouseAsFile.as_view(), name="api-setup-file"),
    path(f"{V1}/setup/written/", api_setup.WriteHouse.as_view(), name="api-setup-written"),
    path(f"{V1}/setup/list/", api_setup.TablesAsList.as_view(), name="api-setup-list"),
    path(f"{V1}/setup/codes/", api_setup.DeviceCodes.as_view(), name="api-setup-codes"),
    path("office/people-requests/<number:number>/code/", people_desk.code_once, name="people-request-code"),
    path("me/", own.own_page, name="own-page"),
    path("me/password/", own.own_password, name="own-password"),
    path("me/pin/", own.own_pin, name="own-pin"),
    path("me/second-factor/", own_factor.own_factor, name="own-factor"),
    path("me/directory/", directory.own_link, name="own-directory-link"),
    path("sign-in/directory/", directory.to_directory, name="to-directory"),
    path("sign-in/directory/answer/", directory.from_directory, name="from-directory"),
    path("me/passkey/", own_factor.own_passkey, name="own-passkey"),
    path("code/", own.one_time_code, name="one-time-code"),
    path(f"{V1}/people-requests/", api_people_requests.PeopleRequests.as_view(), name="api-people-requests"),
    path(
        f"{V1}/people-requests/<number:id>/code/",
        api_people_requests.CodeOfPeopleRequest.as_view(),
        name="api-people-request-code",
    ),
    path(
        f"{V1}/people/<username:username>/roles/take/", api_people_requests.TakeRoles.as_view(), name="api-person-roles"
    ),
    path(
        f"{V1}/people/<username:username>/dismiss/", api_people_desk.DismissPerson.as_view(), name="api-person-dismiss"
    ),
    path(
        f"{V1}/people/<username:username>/sessions/end/",
        api_people_desk.EndSessions.as_view(),
        name="api-person-sessions",
    ),
    path(f"{V1}/people/<username:username>/unlock/", api_people_desk.UnlockName.as_view(), name="api-person-unlock"),
    path("office/lab/", lab.lab, name="lab"),
    path("office/lab/cancel/", lab.lab_cancel, name="lab-cancel"),
    path(f"{V1}/laboratory/", api_laboratory.Laboratory.as_view(), name="api-laboratory"),
    path("office/lab/answer/", lab.lab_answer, name="lab-answer"),
    path("office/lab/answer.<slug:form>", lab.lab_export, name="lab-export"),
    path("office/par/", par.par, name="par"),
    path("office/par/hands/", par_lookups.hands, name="par-hands"),
    path("office/par/which/", par_lookups.which_rate, name="par-which"),
    path("office/par/verify/", par.par_verify, name="par-verify"),
    path("office/par/actual/<code:code>/", par_lookups.actual, name="par-actual"),
    path("office/par/<slug:game>/<slug:bet>/own/", par_own.own_table, name="par-own"),
    path("office/par/<slug:game>/<slug:bet>/<code:code>/", par.par_sheet, name="par-sheet"),
    path("office/par/<slug:game>/<slug:bet>/<code:code>/rows.csv", par.par_csv, name="par-csv"),
    path("office/par/<slug:game>/<slug:bet>/<code:code>/print/", par.par_print, name="par-print"),
    path("office/par/<slug:game>/<slug:bet>/<code:code>/release/", par_own.own_release, name="par-release"),
    path("office/par/<slug:game>/<slug:bet>/<code:code>/withdraw/", par_own.own_withdraw, name="par-withdraw"),
    path(f"{V1}/reports/", api_reports.Reports.as_view(), name="api-reports"),
    path(f"{V1}/reports/<slug:code>/", api_reports.OneReport.as_view(), name="api-report"),
    path("office/reports/", reports.reports, name="reports"),
    path("office/reports/ledger/accounts/", ledger.ledger, name="general-ledger"),
    path("office/reports/ledger/accounts/keep/", ledger.name_accounts, name="general-ledger-accounts"),
    path("office/reports/ledger/export/", ledger.export_day, name="general-ledger-export"),
    path("office/reports/mailboxes/", mailboxes.mailboxes, name="report-mailboxes"),
    path("office/reports/mailboxes/end/", mailboxes.end, name="report-mailbox-end"),
    path("office/reports/put-away/", taking.put_away, name="report-put-away"),
    path("office/reports/runs/<number:number>/", taking.run, name="report-run"),
    path("office/reports/runs/<number:number>/file", taking.run_file, name="report-run-file"),
    path("office/reports/<slug:code>/", reports.report, name="report"),
    path("office/reports/<slug:code>/export/", taking.export, name="report-export"),
    path("office/reports/<slug:code>/save/", taking.save, name="report-save"),
    path("office/tables/<code:code>/rule-card.pdf", paper_pages.rule_card, name="rule-card"),
    path("verify/<number:number>/<digest:digest>", verify.verify, name="verify"),
]
