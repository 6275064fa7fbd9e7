from __future__ import annotations

from django.urls import path

import jackpot.urls  # noqa: F401  registers the path converters
from tables.api import (
    devices,
    games,
    games_cards,
    games_edges,
    games_fees,
    messages,
    metrics,
    rounds,
    signs,
    tables,
    wins,
)
from tables.views import console, floor, pit, training, win_page

V1 = "api/v1"
urlpatterns = [
    path(f"{V1}/metrics", metrics.Metrics.as_view(), name="api-metrics"),
    path(f"{V1}/tables/", tables.Tables.as_view(), name="api-tables"),
    path(f"{V1}/tables/<code:code>/", tables.OneTable.as_view(), name="api-table"),
    path(f"{V1}/tables/<code:code>/messages", messages.Messages.as_view(), name="api-messages"),
    path(f"{V1}/rounds/", rounds.Rounds.as_view(), name="api-rounds"),
    path(f"{V1}/rounds/<code:code>/<number:number>/", rounds.OneRound.as_view(), name="api-round"),
    path(f"{V1}/devices/", devices.Devices.as_view(), name="api-devices"),
    path(f"{V1}/devices/enrol", devices.Enrol.as_view(), name="api-enrol"),
    path(f"{V1}/devices/<code:code>/", devices.OneDevice.as_view(), name="api-device"),
    path(f"{V1}/devices/<code:code>/invite", devices.Invite.as_view(), name="api-device-invite"),
    path(f"{V1}/devices/<code:code>/block", devices.Block.as_view(), name="api-device-block"),
    path(f"{V1}/devices/<code:code>/rotate", devices.Rotate.as_view(), name="api-device-rotate"),
    path(f"{V1}/signs/", signs.Signs.as_view(), name="api-signs"),
    path(f"{V1}/games/", games.Games.as_view(), name="api-games"),
    path(f"{V1}/games/<slug:game>/", games.OneGame.as_view(), name="api-game"),
    path(f"{V1}/games/<slug:game>/verify", games_cards.Verify.as_view(), name="api-game-verify"),
    path(f"{V1}/games/<slug:game>/settle", games_cards.Settle.as_view(), name="api-game-settle"),
    path(f"{V1}/games/<slug:game>/fees", games_fees.Fees.as_view(), name="api-game-fees"),
    path(f"{V1}/games/<slug:game>/edges", games_edges.Edges.as_view(), name="api-game-edges"),
    path(f"{V1}/wins/", wins.Wins.as_view(), name="api-wins"),
    path(f"{V1}/wins/<number:id>/", wins.OneWin.as_view(), name="api-win"),
    path(f"{V1}/wins/<number:id>/approve/", wins.Approve.as_view(), name="api-win-approve"),
    path(f"{V1}/wins/<number:id>/reject/", wins.Reject.as_view(), name="api-win-reject"),
    path(f"{V1}/wins/<number:id>/pass/", wins.Pass.as_view(), name="api-win-pass"),
    path(f"{V1}/wins/<number:id>/pay/", wins.Pay.as_view(), name="api-win-pay"),
    path(f"{V1}/wins/<number:id>/back-out/", wins.BackOut.as_view(), name="api-win-back-out"),
    path("tables/", floor.tables, name="tables"),
    path("consoles/", console.consoles, name="consoles"),
    path("tables/<code:code>/console/", console.console, name="console"),
    path("tables/<code:code>/duty/", console.duty, name="duty"),
    path("pit/", pit.pit, name="pit"),
    path("pit/keys/", pit.keys, name="pit-keys"),
    path("pit/keys/out/", pit.key_out, name="pit-key-out"),
    path("pit/keys/back/", pit.key_back, name="pit-key-back"),
    path("pit/tables/<code:code>/", pit.pit_table, name="pit-table"),
    path("pit/tables/<code:code>/state/", pit.pit_state, name="pit-state"),
    path("pit/wins/<code:code>/<number:number>/", win_page.win_page, name="win-page"),
    path("train/", training.train, name="train"),
    path("rounds/", floor.rounds, name="rounds"),
    path("rounds/<code:code>/<number:number>/", floor.one_round, name="round"),
]
