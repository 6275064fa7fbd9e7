"""What a drill says at its end: figures, gates, verdict."""

from __future__ import annotations

from collections.abc import Iterator

from proving.drill.kill import BESIDE, POSTGRES, WEB, Drilled, percentiles

FINDINGS_SHOWN = 3


def lines(drilled: Drilled) -> Iterator[str]:
    yield from _figures(drilled)
    yield ""
    yield from _gates(drilled)
    yield ""
    yield _verdict(drilled)


def _figures(drilled: Drilled) -> Iterator[str]:
    journals = drilled.journals.tables.values()
    repeats = sum(told.repeat for journal in journals for told in journal.told)
    ends = sum(len(journal.ended) for journal in journals)
    per_second = (drilled.acknowledged + ends) / drilled.played
    yield f"{'coin-ins acknowledged':<34}{drilled.acknowledged:>12,}"
    yield f"{'ends acknowledged':<34}{ends:>12,}"
    yield f"{'messages a second, kills included':<34}{per_second:>12,.0f}"
    yield f"{'recognised as said before':<34}{repeats:>12,}"
    yield f"{'figures heard by signs':<34}{sum(sign.figures for sign in drilled.journals.signs.values()):>12,}"
    for victim in (WEB, BESIDE, POSTGRES):
        times = percentiles(drilled.kills, victim)
        count = sum(kill.victim == victim for kill in drilled.kills)
        if times is not None:
            name = f"kill -9 {victim}, {count} ×"
            yield f"{name:<34}   a table waited {times[0]:.2f} s (p50), {times[1]:.2f} s at most"
    yield "PostgreSQL: " + ", ".join(f"{name} {value}" for name, value in drilled.settings.items())


def _gates(drilled: Drilled) -> Iterator[str]:
    yield f"{'gate':<66}{'looked at':>12}  {'':<6}"
    for gate in drilled.gates:
        verdict = "holds" if gate.holds else f"FAILS, {len(gate.against):,} ×"
        yield f"{gate.name:<66}{gate.checked:>12,}  {verdict}"
        yield from (f"      {finding}" for finding in gate.against[:FINDINGS_SHOWN])


def _verdict(drilled: Drilled) -> str:
    failed = [gate for gate in drilled.gates if not gate.holds]
    if failed:
        return f"FAILED: {len(failed)} of {len(drilled.gates)} gates, the house is {drilled.weakness.name}."
    return f"Held: {len(drilled.gates)} gates after {len(drilled.kills)} kills. Nothing lost, nothing counted twice."
