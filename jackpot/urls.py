from __future__ import annotations

from django.urls import path, register_converter

from jackpot.approvals import api as api_approvals
from jackpot.authority import api as authority
from jackpot.books.api import entries, jackpots
from jackpot.books.pages import books, export
from jackpot.evidence import api as evidence_api
from jackpot.evidence import pages as evidence
from jackpot.notices import api as notices
from jackpot.people import api as people
from jackpot.people import pages as sign_in
from jackpot.proof import api as proof
from jackpot.proof import pages as proof_page
from jackpot.signing import api as signing
from jackpot.top import api as pulse
from jackpot.top import pages as top
from jackpot.trail.api import trail
from jackpot.web.api import documents


class Code:
    """A code people see: GRAND, UTH-04, UTH-04-CTRL."""

    regex = "[A-Z0-9][A-Z0-9-]{0,39}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Number(Code):
    """A number that a bigint column can hold."""

    regex = "[1-9][0-9]{0,17}"


class Username(Code):
    regex = "[A-Za-z0-9][A-Za-z0-9_.@+-]{0,59}"


class Sha256(Code):
    """The digest under which a file is kept."""

    regex = "[0-9a-f]{64}"


register_converter(Sha256, "sha256")
register_converter(Code, "code")
register_converter(Number, "number")
register_converter(Username, "username")

V1 = "api/v1"
urlpatterns = [
    path(f"{V1}/schema/", documents.Schema.as_view(), name="api-schema"),
    path(f"{V1}/docs/", documents.Documentation.as_view(), name="api-docs"),
    path(f"{V1}/health", pulse.Health.as_view(), name="api-health"),
    path(f"{V1}/ready", pulse.Ready.as_view(), name="api-ready"),
    path(f"{V1}/jackpots/", jackpots.Jackpots.as_view(), name="api-jackpots"),
    path(f"{V1}/jackpots/<code:code>/", jackpots.OneJackpot.as_view(), name="api-jackpot"),
    path(f"{V1}/jackpots/<code:code>/entries/", entries.Entries.as_view(), name="api-entries"),
    path(f"{V1}/jackpots/<code:code>/proof/", proof.ProofOfBooks.as_view(), name="api-proof"),
    path(f"{V1}/jackpots/<code:code>/went-back/", proof.BooksWentBack.as_view(), name="api-went-back"),
    path(f"{V1}/jackpots/<code:code>/went-back/accept/", proof.AcceptBooks.as_view(), name="api-went-back-accept"),
    path(f"{V1}/people/", people.People.as_view(), name="api-people"),
    path(f"{V1}/people/<username:username>/", people.OnePerson.as_view(), name="api-person"),
    path(f"{V1}/cards/", people.Cards.as_view(), name="api-cards"),
    path(f"{V1}/cards/<number:id>/block/", people.BlockCard.as_view(), name="api-card-block"),
    path(f"{V1}/cards/<number:id>/unlock/", people.UnlockCard.as_view(), name="api-card-unlock"),
    path(f"{V1}/cards/<number:id>/level/", authority.CardLevel.as_view(), name="api-card-level"),
    path(f"{V1}/notices/", notices.Notices.as_view(), name="api-notices"),
    path(f"{V1}/notices/<number:id>/done/", notices.FinishNotice.as_view(), name="api-notice-done"),
    path(f"{V1}/approvals/", api_approvals.ApprovalsDoor.as_view(), name="api-approvals"),
    path(f"{V1}/requests/", signing.Requests.as_view(), name="api-requests"),
    path(f"{V1}/requests/<number:id>/", signing.OneRequest.as_view(), name="api-request"),
    path(f"{V1}/requests/<number:id>/approve/", signing.SignRequest.as_view(), name="api-request-approve"),
    path(f"{V1}/requests/<number:id>/refuse/", signing.RefuseRequest.as_view(), name="api-request-refuse"),
    path(f"{V1}/requests/<number:id>/withdraw/", signing.WithdrawRequest.as_view(), name="api-request-withdraw"),
    path(f"{V1}/requests/<number:id>/evidence/", evidence_api.EvidenceOfRequest.as_view(), name="api-request-evidence"),
    path(
        f"{V1}/requests/<number:id>/evidence/<sha256:sha256>/",
        evidence_api.OneEvidence.as_view(),
        name="api-request-evidence-file",
    ),
    path("office/requests/<number:number>/evidence/", evidence.request_evidence_add, name="request-evidence-add"),
    path(
        "office/requests/<number:number>/evidence/<sha256:sha256>/", evidence.request_evidence, name="request-evidence"
    ),
    path(f"{V1}/authority/", authority.Authority.as_view(), name="api-authority"),
    path(f"{V1}/authority/preview/", authority.AuthorityPreview.as_view(), name="api-authority-preview"),
    path(f"{V1}/authority/changes/", authority.AuthorityChanges.as_view(), name="api-authority-changes"),
    path(
        f"{V1}/authority/changes/<number:change>/", authority.OneAuthorityChange.as_view(), name="api-authority-change"
    ),
    path(
        f"{V1}/authority/changes/<number:change>/approve/",
        authority.ApproveAuthority.as_view(),
        name="api-authority-approve",
    ),
    path(
        f"{V1}/authority/changes/<number:change>/refuse/",
        authority.RefuseAuthority.as_view(),
        name="api-authority-refuse",
    ),
    path(
        f"{V1}/authority/changes/<number:change>/withdraw/",
        authority.WithdrawAuthority.as_view(),
        name="api-authority-withdraw",
    ),
    path(f"{V1}/events/", trail.Events.as_view(), name="api-events"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/code/", sign_in.second_factor, name="second-factor"),
    path("sign-in/passkey/", sign_in.passkey_asked, name="passkey-asked"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("stay/", top.stay, name="stay"),
    path("pending/", top.pending, name="pending"),
    path("jackpots/", books.jackpots, name="jackpots"),
    path("jackpots/<code:code>/", books.jackpot, name="jackpot"),
    path("jackpots/<code:code>/ledger/", books.ledger, name="ledger"),
    path("jackpots/<code:code>/ledger/<number:seq>/", books.entry, name="entry"),
    path("jackpots/<code:code>/falls/", books.falls, name="falls"),
    path("jackpots/<code:code>/versions/", books.versions, name="versions"),
    path("jackpots/<code:code>/proof/", proof_page.proof, name="proof"),
    path("jackpots/<code:code>/went-back/ask/", proof_page.went_back_ask, name="went-back-ask"),
    path("jackpots/<code:code>/went-back/accept/", proof_page.went_back_accept, name="went-back-accept"),
    path("jackpots/<code:code>/entries.csv", export.entries, name="entries-csv"),
]
