"""What somebody with every right does after changing a row: everything is added, digested and sealed again."""

from __future__ import annotations

from django.db import connection

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules.movement import ACCOUNTS, Balances
from jackpot.books.rules.seal import NO_SEAL_BEFORE, seal, sealed_line
from jackpot.canonical import canonical, digest_of
from jackpot.money import Money
from jackpot.wins.models import Payment, Signature, Win, WindowReceipt
from jackpot.wins.rules.award_record import logged_forms

GUARDS = {
    "jackpot_entry": ("entry_sums_to_zero", "entry_adds_up", "entry_balances_never_negative"),
    "jackpot_jackpot": ("jackpot_balances_sum_to_zero", "jackpot_adds_up", "jackpot_meter_never_negative"),
}


def damage(statements: str, *, requests: bool = True, payments: bool = True) -> None:
    """A superuser's statements with every guard off, and the chain made whole behind them, also what `log` sealed."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL session_replication_role = replica")
        for table, guards in GUARDS.items():
            for guard in guards:
                cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {guard}")
        cursor.execute(statements)
        cursor.execute("UPDATE jackpot_version SET digest = encode(sha256(terms::bytea), 'hex')")
        if requests:
            _approve_anew()
        for jackpot in Jackpot.objects.all():
            _seal_anew(jackpot)
        if payments:
            _pay_anew()


def _pay_anew() -> None:
    for payment in Payment.objects.select_related("premises", "tax_rule", "payer", "win"):
        entry = Entry.objects.filter(jackpot_id=payment.win.jackpot_id, seq=payment.entry).first()
        payment.entry_seal = payment.entry_seal if entry is None else bytes(entry.seal).hex()
        Payment.objects.filter(pk=payment.pk).update(entry_seal=payment.entry_seal, seal=payment.seal_found())
    for receipt in WindowReceipt.objects.select_related("payment__win", "premises", "taker"):
        entry = Entry.objects.filter(jackpot_id=receipt.payment.win.jackpot_id, seq=receipt.entry).first()
        receipt.entry_seal = receipt.entry_seal if entry is None else bytes(entry.seal).hex()
        WindowReceipt.objects.filter(pk=receipt.pk).update(entry_seal=receipt.entry_seal, seal=receipt.seal_found())


def _approve_anew() -> None:
    wins = {win.pk: win for win in Win.objects.all()}
    for entry in Entry.objects.filter(kind="log", win_id__in=wins):
        win = wins[entry.win_id or 0]
        amount = None if win.amount_money is None else win.amount_money.units
        people = win.signatures.filter(part=Signature.Part.APPROVE).values_list("operator_id", flat=True)
        forms = logged_forms(win.pk, people, win.seat, win.line, win.envy_of_id, win.number, win.slip, amount)
        request = bytes.fromhex(digest_of(canonical(forms[-1])))
        Entry.objects.filter(jackpot_id=entry.jackpot_id, seq=entry.seq).update(request=request)


def _seal_anew(jackpot: Jackpot) -> None:
    before, balances = NO_SEAL_BEFORE, Balances()
    digests = dict(Version.objects.values_list("id", "digest"))
    for entry in Entry.objects.filter(jackpot=jackpot).order_by("seq"):
        balances = balances.after(entry.movement)
        line = sealed_line(
            before=before, jackpot_code=jackpot.code, seq=entry.seq, kind=entry.kind, key=entry.key,
            occurred_at=entry.occurred_at, gaming_day=entry.gaming_day, table_code=entry.table_code,
            round_number=entry.round_number, win_id=entry.win_id, corrects=entry.corrects,
            version_digest=digests[entry.version_id], movement=entry.movement.columns(),
            after=balances.columns(), request=bytes(entry.request),
        )  # fmt: skip
        before = seal(line)
        after = {f"{name}_after": Money(units).decimal() for name, units in _named(balances).items()}
        Entry.objects.filter(jackpot=jackpot, seq=entry.seq).update(seal=before, **after)
    stands = {name: Money(units).decimal() for name, units in _named(balances).items()}
    Jackpot.objects.filter(pk=jackpot.pk).update(seal=before, **stands)


def _named(balances: Balances) -> dict[str, int]:
    return dict(zip(ACCOUNTS, balances.columns(), strict=True))
