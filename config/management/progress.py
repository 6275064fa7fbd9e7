"""A progress bar where a person looks on; nothing where a file or another program reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Told = Callable[[str, int, int], None]


@contextmanager
def shown_on(stream: Any) -> Iterator[Told | None]:
    """Gives what a long act tells its progress to: what it reads, how much is done, how much there is."""
    if not stream.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Django wraps the stream, and the console has to see the terminal; a bar that is done leaves no line behind.
    with Progress(*columns, console=Console(file=getattr(stream, "_out", stream)), transient=True) as bar:
        bars: dict[str, TaskID] = {}

        def show(what: str, done: int, of: int) -> None:
            if what not in bars:
                bars[what] = bar.add_task(what, total=of)
            bar.update(bars[what], completed=done, total=of)

        yield show
