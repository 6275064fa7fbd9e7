"""The clients: small C programs, compiled when a benchmark runs. A client in Python would measure itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any, Final

from proving.bench.cpu import Usage, Used
from proving.house import BUILD, NotCarriedOut

SOURCES: Final = Path(__file__).parent / "clients"
PROGRAMS: Final = {
    "http": ("http.c", "floor.c", "wire.c", "digest.c"),
    "socket": ("socket.c", "floor.c", "wire.c", "digest.c"),
    "signs": ("signs.c", "wire.c"),
}
LONGEST_END: Final = 30.0  # seconds; a client ends its open rounds within ten
FLAGS: Final = ("-std=gnu11", "-D_GNU_SOURCE", "-DOPENSSL_API_COMPAT=0x10100000L", "-O2", "-Wall", "-Wextra", "-Werror")


def compile_client(name: str, folder: Path = BUILD) -> Path:
    """Compiles one client anew and returns its path."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise NotCarriedOut("The benchmarks' clients are C programs and there is no C compiler here. Install gcc.")
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    sources = [str(SOURCES / source) for source in PROGRAMS[name]]
    made = subprocess.run(
        [compiler, *FLAGS, "-o", str(program), *sources, "-lcrypto"], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        cure = " Install OpenSSL's headers (libssl-dev)." if "openssl/" in made.stderr else ""
        raise NotCarriedOut(f"The client {name} does not compile.{cure}\n{made.stderr.strip()}")
    return program


def write_roster(path: Path, lines: Iterable[Sequence[object]]) -> Path:
    """What a client reads: one line per connection, words apart by blanks. It may hold secrets."""
    path.touch(mode=0o600)
    path.write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))
    return path


class Client:
    """One run of a client. It prints `begin` and `end` around its window, and a JSON report when it is done."""

    def __init__(self, command: Sequence[object]) -> None:
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._out: IO[str] = self.process.stdout
        self._err: IO[str] = self.process.stderr

    def wait_for(self, word: str) -> None:
        said = self._out.readline().strip()
        if said != word:
            raise NotCarriedOut(f"A client stopped before its “{word}”: {self._why() or said or 'it gave no reason'}")

    def report(self) -> dict[str, Any]:
        # Not communicate(): it would pass over what readline has already fetched.
        said = self._out.read()
        why = self._why()
        if self.process.returncode != 0:
            raise NotCarriedOut(f"A client failed: {why}")
        report: dict[str, Any] = json.loads(said)
        return report

    def _why(self) -> str:
        self.process.wait(LONGEST_END)
        return self._err.read().strip()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._out.close()
        self._err.close()


def watched(client: Client, usage: Callable[[], Usage]) -> tuple[Used, dict[str, Any]]:
    """Runs a client to its end; what the processors did in its window, and its report."""
    try:
        client.wait_for("begin")
        first = usage()
        client.wait_for("end")
        second = usage()
        return Used.between(first, second), client.report()
    finally:
        client.stop()
