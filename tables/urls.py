from __future__ import annotations

from django.urls import path

import jackpot.urls  # noqa: F401  registers the path converters
from tables.custody import api as api_custody
from tables.custody import pages as custody
from tables.gateway import pages as console
from tables.gateway.api import messages
from tables.hits.api import evidence, hits, slips, tax_records, wins, wins_cards, witnesses
from tables.hits.pages import hit_evidence, hit_page, hit_watch
from tables.par.api import own_tables, par_lookups, par_sheets
from tables.pit.pages import pit, pit_cards, pit_hits
from tables.requests import api as versions
from tables.rounds import api as rounds
from tables.rulebook.api import games, games_cards, games_edges, games_fees
from tables.setup.api import checklists, devices, tables
from tables.setup.pages import checklist, floor
from tables.setup.pages import devices as device_pages
from tables.signs import api as signs
from tables.slip_book import api as api_slip_book
from tables.slip_book import pages as slip_book
from tables.training.pages import training

V1 = "api/v1"
urlpatterns = [
    path(f"{V1}/jackpots/<code:code>/versions/", versions.AskedVersions.as_view(), name="api-versions"),
    path(f"{V1}/jackpots/<code:code>/preview/", versions.TermsLookAhead.as_view(), name="api-jackpot-preview"),
    path(f"{V1}/jackpots/<code:code>/changes/", versions.TermsChanges.as_view(), name="api-changes"),
    path(f"{V1}/jackpots/<code:code>/changes/<number:change>/", versions.OneTermsChange.as_view(), name="api-change"),
    path(
        f"{V1}/jackpots/<code:code>/changes/<number:change>/preview/",
        versions.PreviewTerms.as_view(),
        name="api-change-preview",
    ),
    path(
        f"{V1}/jackpots/<code:code>/changes/<number:change>/approve/",
        versions.ApproveTerms.as_view(),
        name="api-change-approve",
    ),
    path(
        f"{V1}/jackpots/<code:code>/changes/<number:change>/refuse/",
        versions.RefuseTerms.as_view(),
        name="api-change-refuse",
    ),
    path(
        f"{V1}/jackpots/<code:code>/changes/<number:change>/withdraw/",
        versions.WithdrawTerms.as_view(),
        name="api-change-withdraw",
    ),
    path(f"{V1}/tables/", tables.TableList.as_view(), name="api-tables"),
    path(f"{V1}/tables/<code:code>/", tables.OneTable.as_view(), name="api-table"),
    path(f"{V1}/tables/<code:code>/checklist/", checklists.Checklist.as_view(), name="api-checklist"),
    path(f"{V1}/tables/<code:code>/messages", messages.Messages.as_view(), name="api-messages"),
    path(f"{V1}/kept-back/", rounds.KeptBackList.as_view(), name="api-kept-back"),
    path(f"{V1}/tables/<code:code>/kept-back/", rounds.DecideKeptBack.as_view(), name="api-table-kept-back"),
    path(f"{V1}/outages/", rounds.Outages.as_view(), name="api-outages"),
    path(f"{V1}/rounds/", rounds.Rounds.as_view(), name="api-rounds"),
    path(f"{V1}/rounds/<code:code>/<number:number>/", rounds.OneRound.as_view(), name="api-round"),
    path(f"{V1}/rounds/<code:code>/<number:number>/seats/", hits.LitSeats.as_view(), name="api-round-seats"),
    path(f"{V1}/rounds/<code:code>/<number:number>/park/", hits.Park.as_view(), name="api-round-park"),
    path(f"{V1}/rounds/<code:code>/<number:number>/void/", hits.Void.as_view(), name="api-round-void"),
    path(f"{V1}/rounds/<code:code>/<number:number>/claim/", hits.Claim.as_view(), name="api-round-claim"),
    path(
        f"{V1}/rounds/<code:code>/<number:number>/evidence/",
        evidence.EvidenceOfRound.as_view(),
        name="api-round-evidence",
    ),
    path(
        f"{V1}/rounds/<code:code>/<number:number>/evidence/<sha256:sha256>/",
        evidence.OneFileOfRound.as_view(),
        name="api-round-evidence-file",
    ),
    path(f"{V1}/devices/", devices.Devices.as_view(), name="api-devices"),
    path(f"{V1}/devices/enrol", devices.Enrol.as_view(), name="api-enrol"),
    path(f"{V1}/devices/<code:code>/", devices.OneDevice.as_view(), name="api-device"),
    path(f"{V1}/devices/<code:code>/invite", devices.Invite.as_view(), name="api-device-invite"),
    path(f"{V1}/devices/<code:code>/block", devices.Block.as_view(), name="api-device-block"),
    path(f"{V1}/devices/<code:code>/unblock", devices.Unblock.as_view(), name="api-device-unblock"),
    path(f"{V1}/devices/<code:code>/rotate", devices.Rotate.as_view(), name="api-device-rotate"),
    path(f"{V1}/devices/<code:code>/revoke", devices.Revoke.as_view(), name="api-device-revoke"),
    path(f"{V1}/signs/", signs.Signs.as_view(), name="api-signs"),
    path(f"{V1}/games/", games.Games.as_view(), name="api-games"),
    path(f"{V1}/games/<slug:game>/", games.OneGame.as_view(), name="api-game"),
    path(f"{V1}/games/<slug:game>/verify", games_cards.Verify.as_view(), name="api-game-verify"),
    path(f"{V1}/games/<slug:game>/settle", games_cards.Settle.as_view(), name="api-game-settle"),
    path(f"{V1}/games/<slug:game>/bets", games_cards.Bets.as_view(), name="api-game-bets"),
    path(f"{V1}/games/<slug:game>/fees", games_fees.Fees.as_view(), name="api-game-fees"),
    path(f"{V1}/games/<slug:game>/edges", games_edges.Edges.as_view(), name="api-game-edges"),
    path(f"{V1}/games/<slug:game>/hands/", par_lookups.StartingHands.as_view(), name="api-game-hands"),
    path(f"{V1}/games/<slug:game>/decision", par_lookups.DecisionDoor.as_view(), name="api-game-decision"),
    path(f"{V1}/games/<slug:game>/par-sheets/", par_sheets.ParSheets.as_view(), name="api-par-sheets"),
    path(
        f"{V1}/games/<slug:game>/par-sheets/<slug:bet>/<code:code>/",
        par_sheets.OneParSheet.as_view(),
        name="api-par-sheet",
    ),
    path(f"{V1}/games/<slug:game>/own-tables/", own_tables.OwnTables.as_view(), name="api-own-tables"),
    path(
        f"{V1}/games/<slug:game>/own-tables/<slug:bet>/<code:code>/release/",
        own_tables.ReleaseOwnTable.as_view(),
        name="api-own-table-release",
    ),
    path(
        f"{V1}/games/<slug:game>/own-tables/<slug:bet>/<code:code>/withdraw/",
        own_tables.WithdrawOwnTable.as_view(),
        name="api-own-table-withdraw",
    ),
    path(f"{V1}/par-sheets/verify", par_sheets.VerifySheet.as_view(), name="api-par-sheet-verify"),
    path(f"{V1}/jackpots/<code:code>/par-sheet/", par_sheets.JackpotParSheet.as_view(), name="api-jackpot-par-sheet"),
    path(f"{V1}/jackpots/<code:code>/actual/", par_lookups.ActualHitsDoor.as_view(), name="api-jackpot-actual"),
    path(f"{V1}/jackpots/<code:code>/which", par_lookups.WhichRate.as_view(), name="api-jackpot-which"),
    path(f"{V1}/wins/", wins.Wins.as_view(), name="api-wins"),
    path(f"{V1}/slips/<number:slip>/", wins.OneSlip.as_view(), name="api-slip"),
    path(f"{V1}/slips/<number:slip>/pay/", slips.PaySlip.as_view(), name="api-slip-pay"),
    path(f"{V1}/slips/<number:slip>/back-out/", slips.BackOutSlip.as_view(), name="api-slip-back-out"),
    path(f"{V1}/slips/<number:slip>/receipts/", slips.SlipReceipts.as_view(), name="api-slip-receipts"),
    path(f"{V1}/slips/<number:slip>/witnesses/", witnesses.SlipWitnesses.as_view(), name="api-slip-witnesses"),
    path(f"{V1}/slips/<number:slip>/tax-record/", tax_records.SlipTaxRecord.as_view(), name="api-slip-tax-record"),
    path(f"{V1}/wins/<number:id>/", wins.OneWin.as_view(), name="api-win"),
    path(f"{V1}/wins/<number:id>/approve/", wins.ApproveWin.as_view(), name="api-win-approve"),
    path(f"{V1}/wins/<number:id>/reject/", wins.Reject.as_view(), name="api-win-reject"),
    path(f"{V1}/wins/<number:id>/pass/", wins.Pass.as_view(), name="api-win-pass"),
    path(f"{V1}/wins/<number:id>/rejoin/", wins.Rejoin.as_view(), name="api-win-rejoin"),
    path(f"{V1}/wins/<number:id>/verify/", wins_cards.VerifyHand.as_view(), name="api-win-verify"),
    path(f"{V1}/wins/<number:id>/follow/", wins_cards.Follow.as_view(), name="api-win-follow"),
    path(f"{V1}/wins/<number:id>/override/", wins_cards.Override.as_view(), name="api-win-override"),
    path(f"{V1}/wins/<number:id>/pay/", wins.Pay.as_view(), name="api-win-pay"),
    path(f"{V1}/wins/<number:id>/back-out/", wins.BackOut.as_view(), name="api-win-back-out"),
    path("tables/", floor.tables, name="tables"),
    path("devices/", device_pages.devices, name="devices"),
    path("devices/<code:code>/", device_pages.device, name="device"),
    path("devices/<code:code>/block/", device_pages.device_block, name="device-block"),
    path("devices/<code:code>/unblock/", device_pages.device_unblock, name="device-unblock"),
    path("devices/<code:code>/secrets/", device_pages.device_secrets, name="device-secrets"),
    path("consoles/", console.consoles, name="consoles"),
    path("tables/<code:code>/console/", console.console, name="console"),
    path("tables/<code:code>/duty/", console.duty, name="duty"),
    path("pit/", pit.pit, name="pit"),
    path("pit/cards/", pit_cards.cards, name="pit-cards"),
    path("pit/cards/block/", pit_cards.card_block, name="pit-card-block"),
    path("pit/cards/unlock/", pit_cards.card_unlock, name="pit-card-unlock"),
    path("pit/custody/", custody.custody, name="custody"),
    path("pit/custody/add/", custody.custody_add, name="custody-add"),
    path("pit/custody/<code:code>/", custody.custody_one, name="custody-one"),
    path("pit/custody/<code:code>/move/", custody.custody_move, name="custody-move"),
    path(f"{V1}/custody/", api_custody.CustodyRegister.as_view(), name="api-custody"),
    path(f"{V1}/custody/<code:code>/moves/", api_custody.CustodyMoves.as_view(), name="api-custody-moves"),
    path("pit/slip-books/", slip_book.slip_books, name="slip-books"),
    path("pit/slip-books/add/", slip_book.slip_book_add, name="slip-book-add"),
    path("pit/slip-books/<code:code>/", slip_book.slip_book, name="slip-book"),
    path("pit/slip-books/<code:code>/move/", slip_book.slip_book_move, name="slip-book-move"),
    path("pit/slip-books/<code:code>/write/", slip_book.slip_book_write, name="slip-book-write"),
    path(f"{V1}/slip-books/", api_slip_book.SlipBooks.as_view(), name="api-slip-books"),
    path(f"{V1}/slip-books/<code:code>/moves/", api_slip_book.SlipBookMoves.as_view(), name="api-slip-book-moves"),
    path(f"{V1}/slip-books/<code:code>/slips/", api_slip_book.SlipBookSlips.as_view(), name="api-slip-book-slips"),
    path("pit/keys/", pit.keys, name="pit-keys"),
    path("pit/keys/out/", pit.key_out, name="pit-key-out"),
    path("pit/keys/back/", pit.key_back, name="pit-key-back"),
    path("pit/tables/<code:code>/", pit.pit_table, name="pit-table"),
    path("pit/tables/<code:code>/state/", pit.pit_state, name="pit-state"),
    path("pit/tables/<code:code>/kept-back/", pit.pit_kept_back, name="pit-kept-back"),
    path("pit/tables/<code:code>/hits/", pit_hits.pit_hits, name="pit-hits"),
    path("pit/tables/<code:code>/hits/seats/", pit_hits.pit_seats, name="pit-seats"),
    path("pit/tables/<code:code>/hits/park/", pit_hits.pit_park, name="pit-park"),
    path("pit/tables/<code:code>/hits/void/", pit_hits.pit_void, name="pit-void"),
    path("pit/tables/<code:code>/hits/claim/", pit_hits.pit_claim, name="pit-claim"),
    path("pit/tables/<code:code>/checklist/", checklist.checklist, name="checklist"),
    path("pit/tables/<code:code>/checklist/check/", checklist.check_off, name="check-off"),
    path("pit/tables/<code:code>/checklist/<number:number>/photo", checklist.check_photo, name="check-photo"),
    path("pit/wins/<code:code>/<number:number>/", hit_page.hit_page, name="hit-page"),
    path("pit/wins/<code:code>/<number:number>/watch/", hit_watch.hit_watch, name="hit-watch"),
    path("pit/wins/<code:code>/<number:number>/evidence/", hit_evidence.hit_evidence_add, name="hit-evidence-add"),
    path(
        "pit/wins/<code:code>/<number:number>/evidence/<sha256:sha256>/", hit_evidence.hit_evidence, name="hit-evidence"
    ),
    path("pit/wins/<code:code>/<number:number>/tick/", hit_watch.hit_tick, name="hit-tick"),
    path("train/", training.train, name="train"),
    path("rounds/", floor.rounds, name="rounds"),
    path("rounds/<code:code>/<number:number>/", floor.one_round, name="round"),
]
