"""What the tools do not know about this house. Each finding says file, line and cure."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import pytest

PROJECT: Final = Path(__file__).resolve().parent.parent
ROOMS: Final = ("config", "launcher", "proving", "jackpot", "tables", "accounting")
WRITTEN: Final = (*ROOMS, "clients", "deploy", "docs", "static", "templates", "tests", ".ci")
KINDS: Final = frozenset(
    {".py", ".html", ".js", ".css", ".toml", ".md", ".txt", ".svg", ".typ", ".c", ".sh", ".yml", ".yaml"}
)
NOT_OURS: Final = frozenset({"__pycache__", "node_modules", "results", "build"})
LONGEST_MODULE: Final = 400
# A stranger copies it alone, so it cannot be cut in two; it reads the books and, since they exist, parcels. Seven lines
# are who approved an award, and how its page says the meter stood; four hold the words and the day of an act.
ONE_FILE: Final = {"deploy/verify_books.py": 1480}
LONGEST_FUNCTION: Final = 40
SPEAKS_FOR_ITSELF: Final = 3
UNFINISHED: Final = re.compile(r"\b(TODO|FIXME|XXX)\b")
DAY_OF_UTC: Final = re.compile(r"\bnow(\(\))?\.date\(\)|\bdate\.today\(|utcnow\(")
MARKS: Final = re.compile(r"Aquarius|Nexus Command|\bViPS\b|Game Manager|Ultimate Texas|TableMax|i-Table")
THIS_MACHINE: Final = re.compile(r"(?<![\w.])/(root|home|work|workspace)/|\.pyenv")
LICENCE: Final = re.compile(r"trade ?mark|licen[cs]e|registered|®|™", re.IGNORECASE)
ATTIC: Final = frozenset(
    {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc", "lib", "stuff"}
)

Finding = tuple[int, str]
Look = Callable[["File"], Iterable[Finding]]


@dataclass(frozen=True)
class File:
    """One text of the project: where it stands, and what is written there."""

    path: str
    text: str

    @property
    def parts(self) -> tuple[str, ...]:
        return Path(self.path).parts

    @property
    def lines(self) -> Iterator[tuple[int, str]]:
        return iter(enumerate(self.text.splitlines(), start=1))

    @property
    def tree(self) -> ast.Module:
        return parsed(self.text)

    def is_on(self, *floors: str) -> bool:
        """On one of these floors of a subject, be it a folder or a single module."""
        return self.parts[0] in ROOMS and any(Path(part).stem in floors for part in self.parts[1:])


@lru_cache(maxsize=2)
def parsed(text: str) -> ast.Module:
    """Of the file that is looked at: two thousand trees kept at once keep the garbage collector busy."""
    return ast.parse(text)


@cache
def everything() -> tuple[File, ...]:
    roots = [PROJECT / folder for folder in WRITTEN]
    found = [path for root in roots if root.exists() for path in root.rglob("*") if path.is_file()]
    found += [path for path in PROJECT.iterdir() if path.is_file()]
    texts = [path for path in found if path.suffix in KINDS or path.parent.name == ".ci"]
    ours = [path for path in texts if not NOT_OURS & set(path.relative_to(PROJECT).parts)]
    return tuple(File(str(path.relative_to(PROJECT)), path.read_text(encoding="utf-8")) for path in sorted(ours))


def python(file: File) -> bool:
    return file.path.endswith(".py") and "migrations" not in file.parts


def near_money(file: File) -> bool:
    return python(file) and file.parts[0] in ("jackpot", "accounting") and not file.is_on("laboratory")


def reckons(file: File) -> bool:
    return near_money(file) and file.path != "jackpot/money.py"


def rule(file: File) -> bool:
    return python(file) and file.is_on("rules", "games", "money")


def act_or_rule(file: File) -> bool:
    return python(file) and file.is_on("actions", "rules")


def screen(file: File) -> bool:
    return file.parts[0] == "templates" and file.path.endswith(".html")


def asset(file: File) -> bool:
    return file.parts[0] in ("templates", "static") and file.path.endswith((".html", ".css", ".js"))


def code_or_screen(file: File) -> bool:
    is_pack = "packs" in file.parts
    return elsewhere(file) and not is_pack and file.path.endswith((".py", ".html", ".js", ".css", ".toml"))


def called(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every name that is called, as it is written: round, timezone.now, amount.quantize."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, dotted(node.func)


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "()"


def floats(file: File) -> Iterator[Finding]:
    for line, name in called(file.tree):
        if name == "float":
            yield line, "no binary float near money: use Money, or whole units of 0.00000001"


def clocks(file: File) -> Iterator[Finding]:
    wanted = re.compile(
        r"(^|\.)(timezone\.now|localtime|datetime\.(now|utcnow|today)|date\.today|time\.\w+|monotonic)$"
    )
    for line, name in called(file.tree):
        if wanted.search(name) and name.split(".")[0] not in ("self", "line"):
            yield line, f"a rule has no clock ({name}): take the time as a value from the action that calls it"


def roundings(file: File) -> Iterator[Finding]:
    for line, name in called(file.tree):
        if name == "round" or name.endswith(".quantize"):
            yield line, "only jackpot/money.py rounds: call Money.shown, Money.share or Money.at_rate, which say why"


def long_modules(file: File) -> Iterator[Finding]:
    length, most = len(file.text.splitlines()), ONE_FILE.get(file.path, LONGEST_MODULE)
    if length > most:
        yield length, f"{length} lines: cut the module where its subject changes; {most} is the most"


def long_functions(file: File) -> Iterator[Finding]:
    for node in ast.walk(file.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield (
                    node.lineno,
                    f"{node.name} has {length} lines: give its parts names; {LONGEST_FUNCTION} is the most",
                )


def inline(file: File) -> Iterator[Finding]:
    cures = {
        r"<script(?![^>]*\bsrc=)(?![^>]*type=[\"']application/json)[^>]*>": "put the script into static/js",
        r"\sstyle\s*=": "put the style into static/css and give the element a class",
        r"<style\b": "put the style into static/css",
        r"<[^>]*\son[a-z]+\s*=": "listen in static/js (addEventListener), not in the page",
        r"javascript:": "a link goes to a page; acts are forms or static/js",
    }
    for line, text in file.lines:
        yield from ((line, cure) for pattern, cure in cures.items() if re.search(pattern, text))


def foreign_assets(file: File) -> Iterator[Finding]:
    for line, text in file.lines:
        for address in re.findall(r"(?:https?:)?//[\w-]+(?:\.[\w-]+)+[^\s\"')]*", text):
            if not address.startswith(("http", "//")) or "www.w3.org/" in address or is_remark(text, address):
                continue
            yield line, f"{address}: assets are our own files, a casino floor has no internet"


def is_remark(text: str, address: str) -> bool:
    before = text.partition(address)[0]
    return bool(re.search(r"/\*|^\s*\*|(^|\s)//|\{#|<!--", before)) or bool(LICENCE.search(text))


def unfinished(file: File) -> Iterator[Finding]:
    yield from ((line, "finish it, or write an issue") for line, text in file.lines if UNFINISHED.search(text))


def attics(file: File) -> Iterator[Finding]:
    for part in Path(file.path).with_suffix("").parts:
        if part in ATTIC:
            yield 1, f"“{part}” says nothing: name the module for what it knows"


def trade_marks(file: File) -> Iterator[Finding]:
    for line, text in file.lines:
        mark = MARKS.search(text)
        if mark and not LICENCE.search(text):
            yield (
                line,
                f"“{mark.group()}” belongs to somebody: say what it is (key profile, digits sign) or keep it in a pack",
            )


def machine(file: File) -> Iterator[Finding]:
    yield from (
        (line, f"“{found.group()}” is not of this project: leave it out")
        for line, text in file.lines
        if (found := THIS_MACHINE.search(text))
    )


def elsewhere(file: File) -> bool:
    """This file names what the others may not."""
    return file.path != "tests/test_tidy.py"


def promises(file: File) -> Iterator[Finding]:
    """A public act or rule promises something in its docstring, unless it is so short that its name does."""
    for node in file.tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not ast.get_docstring(node):
            length = (node.end_lineno or node.lineno) - node.body[0].lineno + 1
            if length > SPEAKS_FOR_ITSELF:
                yield node.lineno, f"{node.name} has {length} lines and no docstring: say what it promises"


SNAPSHOTS: Final = frozenset({"marked_by", "paid_by", "printed_by"})
PEOPLE: Final = frozenset({"who", "operator", "person", "payer", "marker", "by", "second", "executive", "signer"})


def names_compared(file: File) -> Iterator[Finding]:
    """A name on either side of a comparison, or in a set that others are looked for in."""
    for node in ast.walk(file.tree):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.BitAnd):
            sides = [node.left, node.right]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub | ast.BitAnd):
            sides = [node.value]
        elif isinstance(node, ast.SetComp):
            sides = [node.elt]
        if any(is_name_of_a_person(each) for side in sides for each in ast.walk(side)):
            yield node.lineno, "names change and are shared: compare the keys of people (marker_id, operator_id)"


def is_name_of_a_person(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in SNAPSHOTS
    is_text = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"
    words = [ast.unparse(each).split(".")[-1] for each in node.args] if is_text else []  # type: ignore[attr-defined]
    return any(word in PEOPLE for word in words)


def open_ends(file: File) -> Iterator[Finding]:
    """Who adds a kind is led to every place that must know it: nothing swallows it under the name of “the rest”."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Match) and any(map(names_a_kind, node.cases)):
            last = node.cases[-1].body[0]
            if "assert_never" not in ast.unparse(last):
                yield node.lineno, "list the kinds that are left, and end the match with assert_never"


def names_a_kind(case: ast.match_case) -> bool:
    """A value of an enumeration (`Kind.WORD`), which is a closed set; texts and types may have a rest."""
    values = [each.value for each in ast.walk(case.pattern) if isinstance(each, ast.MatchValue)]
    return any(isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) for value in values)


# Words that meant too many things here. A class or function is named by a noun of the floor or a verb of the rule book.
WORN_OUT: Final = frozenset(
    {"Said", "Posted", "About", "Hearing", "Voice", "Word", "Told", "Kept", "told", "said", "kept"}
)
WIDEST: Final = 120


def worn_out(file: File) -> Iterator[Finding]:
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = node.name.strip("_")
            if name in WORN_OUT:
                yield node.lineno, f"“{node.name}” says nothing: name it for what it is or does (docs/glossary.md)"


def documented(file: File) -> bool:
    return file.path.endswith(".md") and (file.parts[0] == "docs" or file.path == "README.md")


def wide_lines(file: File) -> Iterator[Finding]:
    """Prose is read in terminals too. What is fenced is quoted as it is, and a row of a table cannot be broken."""
    fenced = False
    for line, text in file.lines:
        fenced ^= text.lstrip().startswith("```")
        if len(text) > WIDEST and not fenced and not text.lstrip().startswith("|"):
            yield line, f"{len(text)} characters: break the line, {WIDEST} is the most"


def product(file: File) -> bool:
    return python(file) and file.parts[0] in (*ROOMS, "deploy")


def door(file: File) -> bool:
    return python(file) and file.parts[0] in ROOMS and (file.is_on("pages", "api") or "commands" in file.parts)


def calendars(file: File) -> Iterator[Finding]:
    """Python's own reading takes weeks (2026-W47-3), days without dashes and hours alone."""
    for line, text in file.lines:
        if "fromisoformat(" in text:
            yield line, "a door reads days and times with jackpot/reading.py, so that one text means one moment"


def days_of_utc(file: File) -> Iterator[Finding]:
    """In a house west of UTC tomorrow begins in its afternoon."""
    for line, text in file.lines:
        if DAY_OF_UTC.search(text):
            yield line, "a day is one of a house: ask its gaming_day(), or a person's day_at()"


OPEN_END: Final = "match kind:\n    case Kind.A:\n        pass\n    case _:\n        pass\n"
UNTOLD: Final = "def f():\n" + "    x = 1\n" * 5
CHECKS: Final[dict[str, tuple[Callable[[File], bool], Look, File]]] = {
    "no float near money": (near_money, floats, File("jackpot/books/queries.py", "x = float(meter)")),
    "no clock in a rule": (rule, clocks, File("tables/hits/rules/a.py", "now = timezone.now()")),
    "money.py alone rounds": (reckons, roundings, File("accounting/paper/rules/a.py", "x = round(meter, 2)")),
    "modules of 400 lines at most": (python, long_modules, File("config/a.py", "x = 1\n" * 401)),
    "functions of 40 lines at most": (python, long_functions, File("config/a.py", "def f():\n" + "    x = 1\n" * 40)),
    "nothing inline in a page": (screen, inline, File("templates/a.html", '<a onclick="x()">')),
    "assets are our own": (asset, foreign_assets, File("static/css/a.css", "@import 'https://fonts.example.com/x'")),
    "nothing unfinished": (elsewhere, unfinished, File("docs/a.md", "TODO: write this")),
    "no attics": (python, attics, File("tables/utils.py", "")),
    "no trade marks in code and screens": (code_or_screen, trade_marks, File("config/a.py", "# as Game Manager")),
    "nothing of the machine it was built on": (elsewhere, machine, File("README.md", "see /root/main")),
    "people are compared by key": (
        act_or_rule, names_compared, File("jackpot/wins/actions/a.py", "own = win.marked_by == str(who)")
    ),
    "doors read days in one way": (door, calendars, File("tables/pit/pages/a.py", "day = date.fromisoformat(typed)")),
    "a day is one of a house": (product, days_of_utc, File("jackpot/people/a.py", "day = timezone.now().date()")),
    "a match over kinds ends with assert_never": (product, open_ends, File("jackpot/books/rules/a.py", OPEN_END)),
    "no worn-out words": (product, worn_out, File("tables/rounds/a.py", "class Told: ...")),
    "prose fits a terminal": (documented, wide_lines, File("docs/how-to.md", "word " * 30)),
    "acts and rules say what they promise": (act_or_rule, promises, File("jackpot/books/rules/a.py", UNTOLD)),
}  # fmt: skip


@cache
def findings() -> Mapping[str, Sequence[str]]:
    """Every check over one file before the next file is read."""
    found: dict[str, list[str]] = {name: [] for name in CHECKS}
    for file in everything():
        for name, (concerns, look, _) in CHECKS.items():
            if concerns(file):
                found[name] += [f"{file.path}:{line}: {cure}" for line, cure in look(file)]
    return found


@pytest.mark.parametrize("name", CHECKS)
def test_the_house_is_tidy(name: str) -> None:
    found = findings()[name]
    assert not found, "\n".join([f"{len(found)} findings:", *found])


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_sees_what_it_is_there_for(name: str) -> None:
    concerns, look, untidy = CHECKS[name]
    assert concerns(untidy)
    assert list(look(untidy))


def test_quoted_lines_and_tables_may_be_wide() -> None:
    wide = "x" * 130
    assert list(wide_lines(File("docs/a.md", f"```\n{wide}\n```\n| {wide} |\n"))) == []


@pytest.mark.parametrize(
    "untidy",
    ["names -= {win.marked_by for win in wins}", "x = {str(word.operator) for word in words}",
     "x = str(card.operator) in markers", "left = names - {str(who)}", "x = win.paid_by != name"],
)  # fmt: skip
def test_every_way_to_compare_names_is_seen(untidy: str) -> None:
    assert list(names_compared(File("tables/hits/actions/a.py", untidy)))
    assert not list(names_compared(File("tables/hits/actions/a.py", "x = win.marker_id == who.pk and str(who)")))


def test_ci_runs_the_tests_as_the_readme_says() -> None:
    command = re.compile(r"python3? (\S*/)?manage\.py\"? test\b")
    told = [path for path in (PROJECT / "README.md", PROJECT / ".ci" / "run") if path.exists()]
    assert [path.name for path in told if not command.search(path.read_text())] == [], "both call manage.py test"


def test_a_page_may_load_its_own_script_and_speak_of_licences() -> None:
    page = File("templates/a.html", '<script src="{% static "js/page.js" %}" defer></script><p>one=1</p>')
    style = File("static/css/a.css", "/* Licence: https://scripts.sil.org/OFL */\nurl('data:image/svg+xml')")
    assert list(inline(page)) == list(foreign_assets(style)) == []
