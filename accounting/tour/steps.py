"""The steps of the tour, one sentence each: where to go, what to do there, and whether it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from accounting.tour.cast import KEY, Cast, Person
from accounting.tour.stand import Stand
from jackpot.web.templatetags.figures import money
from jackpot.wins.rules.win_life import WinState
from tables.floor.models.table import Profile


@dataclass(frozen=True, slots=True)
class TourStep:
    """`typed` is what has to be typed there: pairs of what the field is called and its content.

    A link that `posts` leaves a line in the trail: following it is what its tick goes by.
    """

    title: str
    words: str
    link: str
    url: str
    done: bool
    typed: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    posts: bool = False


def steps_of(stand: Stand, cast: Cast) -> list[TourStep]:
    if stand.table.profile == Profile.KEY:
        return [*_key_signed_out(stand, cast), *_dealt(stand, cast), *_by_key(stand, cast), *_office(stand, cast)]
    return [*_dealt(stand, cast), *_by_card(stand, cast), *_office(stand, cast)]


def _key_signed_out(stand: Stand, cast: Cast) -> Iterator[TourStep]:
    person, keys = cast.supervisor, reverse("pit-keys")
    yield _sign_in(stand, person, keys, done=stand.key_out, why="A supervisor’s key begins with its register.")
    yield TourStep(
        "Sign a key out",
        "Under “Sign a key out” type its number, her card and PIN; press Sign the key out: from now on it is hers.",
        "The key register", keys, stand.key_out,
        (("Number on the key", KEY), ("Card", person.card), ("PIN", person.pin)),
    )  # fmt: skip


def _dealt(stand: Stand, cast: Cast) -> Iterator[TourStep]:
    console = reverse("console", kwargs={"code": stand.table.code})
    lock = "COIN IN" if stand.table.profile == Profile.KEY else "START GAME"
    locked = stand.round is not None
    yield _sign_in(stand, cast.dealer, console, done=stand.on_duty or locked, why="You deal first.")
    yield TourStep(
        f"Take duty at {stand.table.code}", "Type the badge’s number and press Badge in: the dealer’s console opens.",
        "The console", console, stand.on_duty or locked, (("Badge", cast.dealer.card),),
    )  # fmt: skip
    yield TourStep(
        "Lock the bets", f"Tap seats 2 and 5: each has a chip down. Then press {lock}: the meter rises by 1.40.",
        "The console", console, locked,
    )  # fmt: skip
    yield TourStep(
        "Mark the winning hand", "Seat 2 turns over four of a kind: tap seat 2, then “Four of a kind”.",
        "The console", console, stand.win is not None,
    )  # fmt: skip


def _by_card(stand: Stand, cast: Cast) -> Iterator[TourStep]:
    asked = stand.win is not None and stand.state != WinState.MARKED
    place = _hit(stand)
    yield TourStep(
        "Call the supervisor",
        "Press CONFIRM, then “Yes, confirm”: the marks are closed and the sign says what is being verified.",
        "The console", reverse("console", kwargs={"code": stand.table.code}), asked,
    )  # fmt: skip
    yield _sign_in(stand, cast.supervisor, place, done=stand.approved, why="Now you are the supervisor, in the pit.")
    yield TourStep(
        "Approve the hit",
        "Tap “Cards seen”, hold “Hold to approve” for a second, type the card’s number and its PIN, press Approve.",
        "The hit", place, stand.approved, (("Card", cast.supervisor.card), ("PIN", cast.supervisor.pin)),
    )  # fmt: skip
    yield _sign(stand)


def _by_key(stand: Stand, cast: Cast) -> Iterator[TourStep]:
    console = reverse("console", kwargs={"code": stand.table.code})
    yield TourStep(
        "Turn the key to JPH", "The supervisor comes with her key: press KEY TO JPH, type its number, press JPH.",
        "The console", console, bool(stand.table.key_at_jph) or stand.approved, (("Number on the key", KEY),),
    )  # fmt: skip
    yield TourStep(
        "Log the win", "Press J-POT and type the supervisor’s PIN: the amount is fixed, the win gets its slip number.",
        "The console", console, stand.approved, (("PIN", cast.supervisor.pin),),
    )  # fmt: skip
    yield TourStep("Turn the key to RUN", "Press KEY TO RUN: now the meter moves.", "The console", console, stand.moved)
    yield _sign(stand)


def _office(stand: Stand, cast: Cast) -> Iterator[TourStep]:
    number = str(stand.win.slip) if stand.win and stand.win.slip else ""
    record = reverse("office-win", kwargs={"number": number}) if number else reverse("wins")
    slip = reverse("cage-slip", kwargs={"number": str(stand.win.slip)}) if stand.win and stand.win.slip else ""
    paid = stand.state == WinState.PAID
    yield _sign_in(stand, cast.cage, record, done=stand.printed or paid, why="The winner comes to the cage.")
    yield TourStep("Print the win page",
               "Press “Print original, Letter”: the ORIGINAL is made, sealed and sent to the cage’s printer.",
               "The win", record, stand.printed)  # fmt: skip
    yield TourStep("Pay the slip", "Press Pay: the slip is paid once, and the page then says when and by whom.",
               "The cage", slip or reverse("cage"), paid)  # fmt: skip
    end = "GAME OVER" if stand.table.profile == Profile.KEY else "END GAME"
    console = reverse("console", kwargs={"code": stand.table.code})
    again = f"If you like: sign in as the dealer again and press {end}; the next round can begin."
    yield TourStep(f"Press {end}", again,
               "Sign in as dealer", _door(cast.dealer, console), stand.win is not None and not stand.round_open,
               (("Password", cast.dealer.password),), optional=True)  # fmt: skip


def _sign(stand: Stand) -> TourStep:
    fell = ""
    if stand.win is not None and stand.win.amount_money is not None:
        fell = f" by {money(stand.win.amount_money, stand.table.premises)}"
    words = f"Look at the sign over the table: it says what was paid. Its figure fell{fell} when the hit was asked for."
    door = reverse("tour-sign", kwargs={"profile": stand.table.profile})
    # Who has paid is past it: a tick that stays open behind them would only puzzle.
    seen = stand.sign_seen or stand.state == WinState.PAID
    return TourStep("See the sign change", words, "The sign", door, seen, posts=True)


def _sign_in(stand: Stand, person: Person, then: str, *, done: bool, why: str) -> TourStep:
    """Already done where what needs the person is done: nobody signs in twice for a tick."""
    title = f"Sign in as {person.name.removeprefix('Demo ').lower()}"
    typed = (("Name", person.username), ("Password", person.password))
    words = f"{why} Type the password and press Sign in."
    return TourStep(title, words, "Sign in", _door(person, then), done or person.username == stand.signed_in, typed)


def _door(person: Person, then: str) -> str:
    return f"{reverse('sign-in')}?{urlencode({'change': 1, 'name': person.username, 'next': then})}"


def _hit(stand: Stand) -> str:
    if stand.round is None or stand.win is None:
        return reverse("pit")
    return reverse("hit-page", kwargs={"code": stand.table.code, "number": str(stand.round)})
