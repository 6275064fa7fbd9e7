"""The way of every `manage.py` command: the environment, then a database if it needs one, then Django's own."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from launcher.chromium import HOW_TO_INSTALL, find_chromium
from launcher.environment import environment_of, python_to_go_on_with
from launcher.places import data_places
from launcher.sentences import CannotStart, complain, say

WITHOUT_DATABASE = frozenset(
    {
        *("", "help", "version", "check", "makemigrations", "makemessages", "compilemessages", "collectstatic"),
        *("findstatic", "diffsettings", "spectacular", "doctor", "build", "startapp", "startproject"),
        *("bench", "drill"),  # each builds a house of its own
    }
)
NOT_PREPARED = "The database has not been prepared for this version. Run first: python3 manage.py migrate"
MOST_WORKERS = 4  # each has a browser, servers and twenty connections of its own
WITH_TEST_TOOLS = frozenset({"test", "bench"})


def main(project: Path, arguments: Sequence[str]) -> int:
    """Runs one command; a trouble is one sentence, not a traceback."""
    # A shell starts its background jobs with the signal ignored; whoever sends one means it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("FAIRMETER_STARTED_AT", str(time.time()))
    try:
        return _run(project, list(arguments))
    except CannotStart as sentence:
        complain(str(sentence))
        return 1
    except KeyboardInterrupt:
        complain("Stopped.")
        return 130


def _run(project: Path, arguments: list[str]) -> int:
    command = arguments[0] if arguments else ""
    environment = environment_of(project, os.environ, for_tests=command in WITH_TEST_TOOLS)
    python = python_to_go_on_with(environment)
    if python is not None:
        _become([str(python), str(project / "manage.py"), *arguments])
    if command == "test":
        _become([sys.executable, "-m", "pytest", *shared_out(arguments[1:])], folder=project, environ=_for_tests())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if command == "up" and not _asks_for_help(arguments):
        from launcher.up import up

        return up(project, arguments[1:])
    return _django(project, arguments, needs_database=_needs_database(command, arguments))


def shared_out(arguments: Sequence[str]) -> list[str]:
    """The whole run is shared by workers; whoever names tests, or says how many, has it as it is said."""
    named = any(not argument.startswith("-") for argument in arguments)
    counted = any(
        argument.startswith(("-n", "--numprocesses", "--pdb", "--last-failed", "--lf")) for argument in arguments
    )
    return [*arguments] if named or counted or "--version" in arguments else ["-n", str(workers()), *arguments]


def workers() -> int:
    """One more than there are processors: a third of a test's time it waits for a browser, a commit or a timer."""
    return min((os.cpu_count() or 1) + 1, MOST_WORKERS)


def _become(command: list[str], *, folder: Path | None = None, environ: dict[str, str] | None = None) -> None:
    """The same process goes on as another program: signals and the exit code stay what they were."""
    sys.stdout.flush()
    if folder is not None:
        os.chdir(folder)
    os.execve(command[0], command, environ or dict(os.environ))


def _for_tests() -> dict[str, str]:
    environ = dict(os.environ)
    if environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # wanted is a clean tree; compiled anew the tests cost the double
        environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(sys.prefix) / "fairmeter-bytecode"))
    chromium = find_chromium(os.environ)
    if chromium is None:
        say(f"No Chromium here: the browser tests are skipped. To run them too: {HOW_TO_INSTALL}")
        return environ
    return environ | {"FAIRMETER_CHROMIUM": chromium}


def _asks_for_help(arguments: Sequence[str]) -> bool:
    return any(argument in ("-h", "--help") for argument in arguments)


def _needs_database(command: str, arguments: Sequence[str]) -> bool:
    if command == "prove" and any(argument.startswith("--from-file") for argument in arguments):
        return False  # an export is proven without our database
    if command == "restore" and any(argument.startswith(("--to", "--finish")) for argument in arguments):
        return False  # the books of a moment bring their own server folder, or did
    return command not in WITHOUT_DATABASE and not command.startswith("-") and not _asks_for_help(arguments)


def _django(project: Path, arguments: list[str], *, needs_database: bool) -> int:
    from django.core.management import execute_from_command_line
    from django.db import ProgrammingError
    from psycopg.errors import UndefinedColumn, UndefinedTable

    from launcher.installation import Installation

    installation = Installation.found(data_places(project, os.environ), os.environ)
    with installation.running() if needs_database else installation.named():
        try:
            execute_from_command_line([str(project / "manage.py"), *arguments])
        except ProgrammingError as problem:
            if isinstance(problem.__cause__, UndefinedTable | UndefinedColumn):
                raise CannotStart(NOT_PREPARED) from None
            raise
    return 0
