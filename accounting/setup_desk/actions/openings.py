"""What speaks for and against a jackpot that is to be opened: its terms alone at once, the laboratory's figures as
soon as they are there. They are kept with the request, so that nobody signs an opening without having seen them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from accounting.house_file.loader import Loaded
from accounting.house_file.parts import JackpotPart
from jackpot.laboratory.findings import jackpot_of, plain_findings
from jackpot.laboratory.record import sealed_record
from jackpot.laboratory.standing import lab_setting
from jackpot.laboratory.switch_findings import switch_findings
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.asking import keep_preview
from jackpot.signing.actions.kinds import READY
from tables.calculation.desk import IN_A_REQUEST
from tables.games.registry import find_games
from tables.requests.actions.laboratory import MOST_SEATS, AskedTerms, LaboratoryAnswers, ask_laboratory, question_of

Finding = Mapping[str, str]
FindingKey = tuple[str, str, str]
NOTHING: Final = LaboratoryAnswers([])


def plain_findings_of(looked_at: Loaded) -> tuple[Finding, ...]:
    """What the terms alone say against an opening; what is refused there is refused before anybody is asked to sign."""
    found: list[Finding] = []
    for part in looked_at.opened:
        for each in [*plain_findings(lab_setting(part.terms), MOST_SEATS), *switch_findings(part.terms)]:
            if each["weight"] == "refused":
                raise part.refused(NotAllowedNow(f"{part.code}: {each['why']}", each["code"]))
            found.append({**each, "why": f"{part.code}: {each['why']}", "jackpot": part.code})
    return tuple(found)


def opening_questions(looked_at: Loaded) -> list[dict[str, Any]]:
    """What the laboratory is asked of each jackpot that would be opened, or why it can say nothing of it."""
    return [{"jackpot": part.code, **_question(looked_at, part)} for part in looked_at.opened]


def finish_openings(row: Request, by: Operator | None, wait: float | None = None) -> int:
    """Keeps the laboratory's answers with the request when they are there; says how many percent of them are."""
    # Another page that waited was quicker, or it was withdrawn meanwhile.
    if row.state != RequestState.ASKED:
        return READY
    questions = row.payload["laboratory"]
    known = [each["question"] for each in questions if not each["unknown"]]
    try:
        found = ask_laboratory(known, IN_A_REQUEST if wait is None else wait)
    except NotUnderstood as why:
        # An opening does not fail for a game without mathematics: it is told instead, and two people decide.
        questions, found = [{**each, "unknown": each["unknown"] or why.why} for each in questions], NOTHING
    if found.ready:
        # Answers come in the order of the questions that could be asked; the others have none.
        answers = iter(found.answers)
        said = [{**each, "answer": None if each["unknown"] else next(answers)} for each in questions]
        findings = [*row.findings, *laboratory_findings(said, {finding_key(each) for each in row.findings})]
        # Sealed with the figures: the second person signs what the laboratory said, not only what was asked.
        record = sealed_record({**row.preview, "laboratory": said})
        keep_preview(request_id=row.pk, findings=findings, preview=record, by=by)
    return found.percent


def _question(looked_at: Loaded, part: JackpotPart) -> dict[str, Any]:
    """Played at the first table of the same file that feeds it; an opening by itself knows none yet."""
    games = find_games()
    table = next((each.facts for each in looked_at.file.tables if part.code in each.all_jackpots), None)
    game = games.get(table.game if table else part.pack.game if part.pack else next(iter(games)))
    # From where it will begin: a jackpot that is taken over may stand far above its seed.
    meter = part.taken_over.meter if part.taken_over else part.terms.seed
    try:
        if game is None:
            raise NotUnderstood("No pack describes the game of its tables.")
        asked = AskedTerms(part.terms, meter, game, table.seats if table else MOST_SEATS)
        return {"question": question_of(asked), "unknown": ""}
    except NotUnderstood as why:
        return {"question": None, "unknown": why.why}


def finding_key(finding: Finding) -> FindingKey:
    """Of several alike the one with more figures is another one."""
    return jackpot_of(finding), finding["code"], finding["why"]


def laboratory_findings(said: Sequence[Mapping[str, Any]], heard: Collection[FindingKey]) -> Iterator[Finding]:
    """Those that the terms alone had not shown, each with its jackpot; of several alike the one with more figures."""
    for each in said:
        if each["unknown"]:
            nothing = "The laboratory claims nothing of it: neither its edge nor when it runs dry."
            why = f"{each['jackpot']}: {each['unknown']} {nothing}"
            yield {"code": "no_mathematics", "weight": "warning", "why": why, "jackpot": each["jackpot"]}
            continue
        for finding in each["answer"]["findings"]:
            told = {**finding, "why": f"{each['jackpot']}: {finding['why']}", "jackpot": each["jackpot"]}
            if finding_key(told) not in heard:
                yield told
