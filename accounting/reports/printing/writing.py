"""The worker writes what was asked for: into a file under its last name at once, or not at all."""

from __future__ import annotations

import logging
from pathlib import Path

from accounting.reports.actions.exports import reports_folder
from accounting.reports.actions.runs import call_due_reports, fail_run, finish_run, take_run, tell_progress
from accounting.reports.models import ReportRun
from accounting.reports.printing.files import ReportForm, TooLongForIt, digest_of_file, write_report
from accounting.reports.printing.imprint import ReportImprint
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import report_coded
from accounting.reports.queries.frame import ReportReading
from accounting.reports.rules.asking import NotAQuestion, read_question
from jackpot.property.rules.typed_days import NotADay

log = logging.getLogger(__name__)


def write_reports() -> int:
    """All that waits, one after the other; returns how many were written."""
    call_due_reports()
    written = 0
    while (run := take_run()) is not None:
        written += _write(run)
    return written


def _write(run: ReportRun) -> bool:
    try:
        _written(run)
        return True
    except (NotADay, NotAQuestion, TooLongForIt) as refused:
        fail_run(run, str(refused))
    # One report that breaks shall not keep those behind it from being written.
    except Exception as trouble:
        log.exception("report run %s", run.pk)
        fail_run(run, f"It broke on our side ({type(trouble).__name__}). Ask again; if it stays, tell the technician.")
    return False


def _written(run: ReportRun) -> None:
    report = report_coded(run.report)
    if report is None:
        raise NotAQuestion(f"There is no report “{run.report}” any more. Choose another one.")
    # As it was meant when it was asked: it may be written after the next roll.
    question = read_question(report, run.words, clock_of(run.premises, run.asked_at))
    imprint = ReportImprint(report, question, run.premises, str(run.asked_by), run.asked_at)
    form, reading = ReportForm(run.form), ReportReading(report, question)
    everything = reading.count
    # With the run's number, for the same report of the same days may be asked for twice.
    name = f"{_folder(run)}/{imprint.file_name}-{run.pk}.{form.value}"
    path = reports_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    with beside.open("wb") as paper:
        rows = write_report(
            imprint, reading.rows(str(run.words.get("sort", ""))), form, paper,
            note=reading.note, progress=lambda done: tell_progress(run, done, everything),
        )  # fmt: skip
    _renamed(beside, path)
    finish_run(run, rows=rows, file=name, sha256=digest_of_file(path))


def _renamed(beside: Path, path: Path) -> None:
    """Whoever watches the folder never meets half a file."""
    beside.replace(path)


def _folder(run: ReportRun) -> str:
    return run.saved.folder if run.saved is not None and run.saved.folder else "runs"
