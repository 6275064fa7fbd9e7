"""What may be asked for on a jackpot's money or state: a form for each kind, with before and after as they would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, assert_never
from urllib.parse import urlencode

from django.urls import reverse

from accounting.asking.pages.forms import AskForm, AskInput, AskPreview, listed
from accounting.desk import queries as desk_queries
from accounting.desk.pages.adjustments_look import changes, differences, figures_of
from accounting.register import queries as register_queries
from jackpot.adjusting.actions import asking
from jackpot.adjusting.actions.asking import AdjustmentWish
from jackpot.adjusting.actions.difference import kept_difference
from jackpot.adjusting.actions.underpayment import underpaid
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import GROUNDS, GROUNDS_OF, MAKES_UP, NAMES, Adjusting
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.queries import jackpots
from jackpot.money import ZERO, Money, NotAnAmount, units_of
from jackpot.reading import read_amount
from jackpot.refusals import NotFound, NotUnderstood, Refused
from jackpot.requests.models import Request
from jackpot.signing.rules import AskField, FieldGroup, FieldLook
from jackpot.web.templatetags.figures import money
from jackpot.wins.models import Win

OF_A_WIN: Final = (Adjusting.BACK_OUT, *MAKES_UP)
OF_A_JACKPOT: Final = tuple(kind for kind in Adjusting if kind not in OF_A_WIN)
IN_THE_MENU: Final = (*OF_A_JACKPOT, Adjusting.UNDERPAYMENT)  # what begins elsewhere is not chosen here
CHOOSE: Final = ("", "Choose")
LEADS: Final[Mapping[Adjusting, str]] = {
    Adjusting.ADJUST: "The house puts money into a meter or a reserve, or takes it out.",
    Adjusting.TRANSFER: "Money goes to a jackpot of the same game, wager and odds.",
    Adjusting.SUSPEND: "No coin-in counts until the jackpot is resumed. A round that runs is settled.",
    Adjusting.RESUME: "A suspended jackpot plays again.",
    Adjusting.RETIRE: "For good: on its closing reading. The money has 30 days to find another home.",
    Adjusting.BACK_OUT: "A logged win is undone by its exact contra. Later coin-ins stay.",
    Adjusting.DIFFERENCE: "An award that is backed out changed what this winner got. Pay the rest, or note why not.",
    Adjusting.UNDERPAYMENT: "The meter was too low when this hit was marked. The rest is reckoned, and paid by a slip "
    "of its own.",
}


class AdjustmentForm(AskForm):
    """Which kind, on which jackpot or win, stands in the address and in the form."""

    asks, reads = ("adjust",), ("read_books", "adjust")
    after = "As of now. At the approval it is computed again from the meter as it stands then."
    needs_words: ClassVar[bool] = True
    preview_template: ClassVar[str] = "accounting/desk/adjustment_preview.html"

    def title(self, asked: AskInput) -> str:
        return NAMES[_kind(asked)]

    def lead(self, asked: AskInput) -> str:
        return LEADS[_kind(asked)]

    def tabs(self, asked: AskInput) -> Sequence[tuple[str, str, bool]]:
        if _win(asked) is not None:
            return ()
        here, about = _kind(asked), {"jackpot": asked.word("jackpot")} if asked.word("jackpot") else {}
        return [(_address(kind, **about), NAMES[kind], kind == here) for kind in IN_THE_MENU]

    def entries(self) -> Sequence[tuple[str, str, str]]:
        return [(_address(kind), NAMES[kind], LEADS[kind]) for kind in IN_THE_MENU]

    def unknown(self, asked: AskInput) -> str:
        return _unknown(asked)

    def facts(self, asked: AskInput) -> Sequence[tuple[str, str]]:
        win = _win(asked)
        if win is None:
            return ()
        where = f"{win.line_name}, {win.table_code} / {win.round_number}, seat {win.seat}"
        amount = "" if win.amount_money is None else money(win.amount_money, win.jackpot.premises)
        return [("Slip", str(win.slip)), ("Amount", amount), ("Hand", where), ("Jackpot", win.jackpot.code)]

    def groups(self, asked: AskInput) -> Sequence[FieldGroup]:
        kind, win = _kind(asked), _win(asked)
        about = [AskField("kind", look=FieldLook.CARRIED, value=kind.value)]
        if win is None and kind == Adjusting.UNDERPAYMENT:
            about.append(_choice(asked, "win", "Slip", [CHOOSE, *_slips(asked)]))
        elif win is None:
            known = [(each.code, f"{each.code} · {each.name} · {each.get_state_display()}") for each in _known(asked)]
            about.append(_choice(asked, "jackpot", "Jackpot", [CHOOSE, *known]))
        else:
            about.append(AskField("win", look=FieldLook.CARRIED, value=str(win.slip)))
        grounds = [CHOOSE, *((code, GROUNDS[code]) for code in GROUNDS_OF[kind])]
        return [FieldGroup("", [*about, *_own_fields(asked, kind), _choice(asked, "ground", "Reason", grounds)])]

    def preview(self, asked: AskInput) -> AskPreview:
        row = _wish(asked).row()
        told = asking.preview(row=row).plain()
        return AskPreview(more={"changes": changes(told), "differences": differences(told), **_winner(asked)})

    def look_ahead(self, asked: AskInput) -> AskPreview:
        try:
            return self.preview(asked)
        # The page is opened before its fields are filled: a refusal is shown in the place of the preview, not as an
        # error.
        except Refused as why:
            return AskPreview(refusal=why.why, more={"changes": [], "differences": [], **_winner(asked)})

    def ask(self, asked: AskInput) -> Request:
        return asking.ask(wish=_wish(asked), by=asked.by)


def _address(kind: Adjusting, **about: str) -> str:
    return f"{reverse('adjustment-new')}?{urlencode({'kind': kind.value, **about})}"


def _kind(asked: AskInput) -> Adjusting:
    wanted = asked.word("kind", 30)
    return Adjusting(wanted) if wanted in set(Adjusting) else Adjusting.ADJUST


def _unknown(asked: AskInput) -> str:
    wanted = asked.word("kind", 30)
    if not wanted or wanted in set(Adjusting):
        return ""
    names = ", ".join(each.value for each in IN_THE_MENU)
    return f"There is no request of the kind “{wanted}”. Choose one of: {names}."


def _own_fields(asked: AskInput, kind: Adjusting) -> list[AskField]:
    match kind:
        case Adjusting.ADJUST:
            accounts = [("meter", "Meter"), ("reserve", "Reserve")]
            return [
                _amount_field(asked, "amount", "Amount; a minus takes out", "15.00"),
                _choice(asked, "account", "Account", accounts),
            ]
        case Adjusting.TRANSFER:
            return [
                _choice(asked, "other", "To the jackpot", [CHOOSE, *_others(asked)]),
                _choice(asked, "goes", "What goes", _goes(asked)),
                _amount_field(asked, "amount", "Amount, where only an amount goes", required=False),
            ]
        case Adjusting.RETIRE:
            nobody = ("", "nobody yet: 30 days to decide")
            return [
                _amount_field(asked, "reading", "Closing reading of the sign", "20001.40"),
                _choice(asked, "other", "Its money goes to", [nobody, *_others(asked)], required=False),
                _choice(asked, "goes", "What goes there", _goes(asked)[:2], required=False),
            ]
        case Adjusting.DIFFERENCE:
            done = [CHOOSE, ("yes", "Pay it by a page of its own"), ("no", "Only note it, with the reason")]
            sources = [("meter", "the meter, which the back-out filled again"), ("house", "the house")]
            return [
                AskField("cause", look=FieldLook.CARRIED, value=asked.word("cause", 19)),
                _choice(asked, "pays", "What is done", done),
                _choice(asked, "account", "Paid from", sources),
            ]
        case Adjusting.UNDERPAYMENT:
            return _underpayment_fields(asked)
        case Adjusting.SUSPEND | Adjusting.RESUME | Adjusting.BACK_OUT:
            return []
        case _:
            assert_never(kind)


def _underpayment_fields(asked: AskInput) -> list[AskField]:
    """What the meter must have been; the house pays, or the meter where an adjustment has given it the sum since."""
    sources = [("house", "the house"), ("meter", "the meter, which an adjustment has given it since")]
    win, none = _win(asked), ("", "none: the house pays")
    given = [] if win is None else [(str(each.pk), _gift(each)) for each in desk_queries.gifts(asked.by, win)]
    reading = _amount_field(asked, "reading", "What the meter must have been when the hit was marked", "20201.15")
    if not given:
        return [reading]
    by = _choice(asked, "cause", "The adjustment that gave it", [none, *given], required=False)
    return [reading, _choice(asked, "account", "Paid from", sources), by]


def _slips(asked: AskInput) -> list[tuple[str, str]]:
    """The newest awards that counted from a meter; an older one is opened from the page of its win."""
    return [(str(each.slip), _award(each)) for each in desk_queries.of_the_meter(asked.by)]


def _award(win: Win) -> str:
    amount = "" if win.amount_money is None else money(win.amount_money, win.jackpot.premises)
    return f"Slip {win.slip} · {win.line_name} · {win.table_code} / {win.round_number}, seat {win.seat} · {amount}"


def _gift(row: Adjustment) -> str:
    return f"{row}: {money(row.amount_money or ZERO, row.its_jackpot.premises)} to the meter"


def _goes(asked: AskInput) -> list[tuple[str, str]]:
    """What is proposed stands first: the seed is the house's own money, all else is of players."""
    found = jackpots(asked.by).select_related("version").filter(code=asked.word("jackpot")).first()
    less, whole = "meter less its seed, reserve and overflow", "everything: meter, reserve and overflow"
    if found is not None and found.version is not None:
        meter, seed = Money(units_of(found.meter)), found.version.value.seed
        # A meter may have been paid below its seed; then nothing of it is the players'.
        above = max(meter - seed, ZERO)
        less = f"{money(above, found.premises)} (meter less its seed), reserve and overflow"
    return [("less_seed", less), ("all", whole), ("amount", "an amount of the meter, written below")]


def _choice(
    asked: AskInput, name: str, label: str, options: Sequence[tuple[str, str]], *, required: bool = True
) -> AskField:
    return AskField(name, label, FieldLook.CHOICE, asked.word(name), options, required=required)


def _amount_field(asked: AskInput, name: str, label: str, example: str = "", *, required: bool = True) -> AskField:
    value = asked.word(name, 24)
    return AskField(name, label, FieldLook.AMOUNT, value, placeholder=example, required=required, longest=24)


def _known(asked: AskInput) -> list[Jackpot]:
    return list(jackpots(asked.by))


def _others(asked: AskInput) -> list[tuple[str, str]]:
    return [(each.code, f"{each.code} · {each.name}") for each in _known(asked)]


def _wish(asked: AskInput) -> AdjustmentWish:
    win, kind = _win(asked), _kind(asked)
    if _unknown(asked):
        raise NotFound(_unknown(asked), "no_kind")
    if win is None and kind == Adjusting.UNDERPAYMENT:
        raise NotUnderstood("Choose the slip that was paid too little.", "win")
    jackpot = win.jackpot if win else _jackpot(asked, asked.word("jackpot"))
    takes, goes = kind in (Adjusting.TRANSFER, Adjusting.RETIRE) and asked.word("other"), _wanted(asked, kind)
    # A figure left in the field counts only where an amount was chosen; what is computed is not typed.
    typed = "" if takes and goes != "amount" else asked.word("amount", 24)
    return AdjustmentWish(
        kind, jackpot, asked.word("ground"), asked.word("reason"), asked.word("evidence"),
        other=_jackpot(asked, asked.word("other")) if takes else None, win=win if kind in OF_A_WIN else None,
        cause=_cause(asked), pays=asked.word("pays") == "yes", account=asked.word("account") or _usual_source(kind),
        leaves_seed=bool(takes) and goes == "less_seed",
        amount=_amount(typed), reading=_amount(asked.word("reading", 24)), file=asked.file,
    )  # fmt: skip


def _usual_source(kind: Adjusting) -> str:
    return "house" if kind == Adjusting.UNDERPAYMENT else "meter"


def _wanted(asked: AskInput, kind: Adjusting) -> str:
    """An amount that somebody wrote goes before what is proposed; one that is asked for has to be written."""
    written, chosen = asked.word("amount", 24), asked.word("goes", 10)
    if kind is not Adjusting.TRANSFER:
        return chosen
    if chosen == "amount" and not written:
        raise NotUnderstood("Write how much of the meter goes, or choose what is computed.", "amount")
    return chosen or ("amount" if written else "all")


def _jackpot(asked: AskInput, code: str) -> Jackpot:
    if not code:
        raise NotUnderstood("Choose the jackpot.", "jackpot")
    # Among those of the asker's house: a code of another one's is as good as none.
    found: Jackpot | None = jackpots(asked.by).filter(code=code).first()
    if found is None:
        raise NotFound(f"There is no jackpot {code[:20]} here.", "no_jackpot")
    return found


def _win(asked: AskInput) -> Win | None:
    slip = asked.number("win")
    return None if slip is None else register_queries.win_of_slip(asked.by, slip)


def _cause(asked: AskInput) -> Adjustment | None:
    number = asked.number("cause")
    return None if number is None else desk_queries.adjustments(asked.by).filter(pk=number).first()


def _winner(asked: AskInput) -> dict[str, Any]:
    """The two awards of a winner: as the back-out kept them, or as the underpayment is reckoned."""
    win, kind = _win(asked), _kind(asked)
    if kind not in MAKES_UP or win is None:
        return {}
    try:
        by_rule = kind == Adjusting.UNDERPAYMENT
        reading = _amount(asked.word("reading", 24)) if by_rule else None
        told = underpaid(win, reading).plain() if by_rule else kept_difference(_cause(asked), win)
        return {"winner": figures_of(told), "house_here": win.jackpot.premises, "by_rule": by_rule}
    except Refused:
        return {}


def _amount(text: str) -> Money | None:
    try:
        # A plus is what people write before what they put in; everywhere else it is no part of an amount.
        return read_amount(text.removeprefix("+"), "amount") if text else None
    except NotAnAmount as wrong:
        raise NotUnderstood(str(wrong), "amount") from None


ADJUSTMENT_FORM: Final = listed(AdjustmentForm())
