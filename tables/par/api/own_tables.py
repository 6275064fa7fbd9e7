"""Pay tables of the house's own over the API: written, looked at as par sheets, released, withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from tables.floor.models.own_pay_table import OwnPayTable
from tables.par.actions import own_tables as written
from tables.par.actions.par_sheets import SheetQuestion, find_sheet
from tables.par.api.par_sheets import READS
from tables.rulebook.api.games import GameDoor, understood

CHANGES = ("configure",)


class OwnLineText(serializers.Serializer[Any]):
    hand = serializers.CharField(max_length=40)
    name = serializers.CharField(max_length=60)
    pays = serializers.CharField(max_length=20, help_text="“50 to 1”; of a progressive “250 for 1” or “5 %”.")


class OwnTableAsked(serializers.Serializer[Any]):
    """A table as it is written: the highest line first. The same code again writes the draft over."""

    bet = serializers.CharField(max_length=40)
    code = serializers.CharField(max_length=20)
    title = serializers.CharField(max_length=80)
    lines = OwnLineText(many=True)


class OwnTableText(serializers.Serializer[Any]):
    bet = serializers.CharField()
    code = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=OwnPayTable.State.choices)
    digest = serializers.CharField()
    lines = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField(help_text="What speaks against it before anything is counted.")
    sheet_digest = serializers.CharField(help_text="Of the par sheet that was looked at; empty before.")
    written_by = serializers.CharField()
    ready_by = serializers.CharField()

    def get_lines(self, row: OwnPayTable) -> list[dict[str, str]]:
        return [dict(zip(("hand", "name", "pays"), line, strict=True)) for line in row.plain["lines"]]

    def get_findings(self, row: OwnPayTable) -> list[dict[str, str]]:
        return [{"code": each.code, "weight": each.weight, "why": each.why} for each in written.findings_of(row)]


class OwnTablesText(serializers.Serializer[Any]):
    results = OwnTableText(many=True)


class OwnTableAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    table = OwnTableText()


class WithdrawText(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)


class SeenSheetText(serializers.Serializer[Any]):
    """Which sheet was looked at."""

    sheet_digest = serializers.RegexField(
        "^[0-9a-f]{64}$", help_text="As its par sheet gives it, asked without filters."
    )


class OwnTables(GameDoor):
    """The house's own pay tables; a POST writes a draft, which changes nothing until it is looked at and released."""

    serializer_class = OwnTableAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS, "POST": CHANGES}

    @extend_schema(responses=OwnTablesText, operation_id="own_tables_list")
    def get(self, request: Request, **_: Any) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        rows = written.own_tables(request.user).filter(game=self.game().code)
        return Response(OwnTablesText({"results": rows}).data)

    @extend_schema(request=OwnTableAsked, responses=OwnTableAnswer)
    def post(self, request: Request, **_: Any) -> Response:
        told = self.sent_fields()
        row = written.write(
            game=self.game(), plain={**told, "lines": list(map(dict, told["lines"]))}, by=_person(request)
        )
        return Response(OwnTableAnswer({"ok": True, "table": row}).data)


class ReleaseOwnTable(GameDoor):
    """Its par sheet was looked at: from here on it may be chosen and never says anything else."""

    serializer_class = SeenSheetText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": CHANGES}

    @extend_schema(request=SeenSheetText, responses=OwnTableAnswer)
    def post(self, request: Request, bet: str, code: str, **_: Any) -> Response:
        game = self.game()
        row = written.own_table_of(request.user, game.code, bet, code)
        with understood():
            # Outside the transaction: counting may take its time, and `release` compares again behind its lock.
            sheet = find_sheet(SheetQuestion(game, written.value_of(row), own=True)).sheet
        if sheet is None:
            raise NotAllowedNow("Its par sheet is still counted. Look at it first, then release it.", "no_sheet")
        row = written.release(row=row, sheet=sheet, looked_at=self.sent_fields()["sheet_digest"], by=_person(request))
        return Response(OwnTableAnswer({"ok": True, "table": row}).data)


class WithdrawOwnTable(GameDoor):
    """It can no longer be chosen; versions that use it go on."""

    serializer_class = WithdrawText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": CHANGES}

    @extend_schema(request=WithdrawText, responses=OwnTableAnswer)
    def post(self, request: Request, bet: str, code: str, **_: Any) -> Response:
        row = written.own_table_of(request.user, self.game().code, bet, code)
        row = written.withdraw(row=row, why=self.sent_fields()["reason"], by=_person(request))
        return Response(OwnTableAnswer({"ok": True, "table": row}).data)


def _person(request: Request) -> Operator:
    assert isinstance(request.user, Operator), "the door is closed to nobody"
    return request.user
