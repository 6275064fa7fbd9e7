"""The house: property, roles, people with their cards, jackpots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils import timezone

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import ChangedFact, FileChange, added, altered, at
from accounting.house_file.parts import CardPart, CasinoFile, JackpotPart, PersonPart, PropertyPart, RolePart
from accounting.house_file.standing import changed_fact, difference, property_facts
from jackpot.approvals.queries import jackpot_lacks
from jackpot.approvals.rules import refuse_lacking
from jackpot.books.actions import opening
from jackpot.books.actions.post import in_force
from jackpot.books.actions.waiting import waiting_change
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules import movement
from jackpot.people.actions import people
from jackpot.people.actions.presence import card_numbered
from jackpot.people.models import Card, Operator, Role
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import spoken, waiting
from jackpot.refusals import NotAllowedNow
from jackpot.requests.rules.life import RequestState
from jackpot.terms.rules.terms import Terms
from tables.floor.queries.offers import refuse_not_offered
from tables.games.packs import NotOffered
from tables.setup.actions import floor


def load_property(part: PropertyPart, by: str) -> Iterator[FileChange]:
    with at(part):
        _check_demo(part)
        premises = Property.objects.filter(code=part.code).first()
        if premises is None:
            # What the file names goes before its rule book; only at the founding, for afterwards two people sign.
            authority = {**part.usual, **part.authority}
            floor.make_property(code=part.code, facts=part.facts, demo=part.demo, authority=authority, by=by)
            yield added(ChangeKind.PROPERTY, part.code, part.facts.name + (", a demo" if part.demo else ""))
            return
        _check_authority(premises, part)
        words = difference(property_facts(premises), part.facts)
        if words:
            floor.alter_property(premises=premises, facts=part.facts, by=by)
            yield altered(ChangeKind.PROPERTY, part.code, words)


def _check_demo(part: PropertyPart) -> None:
    """A demo and a real casino never share a database: the demo's passwords are known to everybody."""
    if Property.objects.exclude(demo=part.demo).exists():
        stands, asked = ("a real casino", "a demo") if part.demo else ("a demo casino", "none")
        why = f"This data folder holds {stands} and the file is {asked}. Start with a data folder of its own."
        raise NotAllowedNow(why, "demo")


def _check_authority(premises: Property, part: PropertyPart) -> None:
    """A file cannot sign: it gave the first values, and what two people signed since stays; so does what waits."""
    now = timezone.now()
    when = (now, premises.gaming_day(now))
    stands = premises.authority_at(when)
    waits = {step.setting: step.value for step in waiting(premises.authority_steps, *when)}
    for name, asked in part.authority.items():
        # A file that was written down after the second signature tells the value that still waits for its day.
        if asked not in (stands[name], waits.get(name, stands[name])):
            words = f"{name.replace('_', ' ')} {spoken(name, stands[name])} → {spoken(name, asked)}"
            why = (
                f"{words} would change who may approve at {premises.code}, and that takes two people. "
                f"Ask for it under {people.WHERE}, where a second person signs, then write it here."
            )
            raise NotAllowedNow(why, name)


def load_roles(roles: Iterable[RolePart], by: str) -> Iterator[FileChange]:
    standing = {role.code: role for role in Role.objects.all()}
    for part in roles:
        role = standing.get(part.code)
        # The order in which verbs are written says nothing; without this every load would change every role.
        asked = (part.name, sorted(part.may))
        if role is not None and (role.name, sorted(role.may)) == asked:
            continue
        with at(part):
            people.define_role(code=part.code, name=part.name, may=part.may, by=by)
        if role is None:
            yield added(ChangeKind.ROLE, part.code, f"may {', '.join(part.may)}")
        else:
            yield altered(ChangeKind.ROLE, part.code, [changed_fact("may", sorted(role.may), asked[1])])


def load_people(property_code: str, persons: Iterable[PersonPart], by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=property_code)
    for part in persons:
        operator = Operator.objects.filter(username=part.code).first()
        with at(part):
            if operator is None:
                operator = people.hire(
                    premises=premises, username=part.code, name=part.name, roles=part.roles,
                    password=part.password or None, by=by,
                )  # fmt: skip
                yield added(ChangeKind.PERSON, part.code, f"{part.name} ({', '.join(part.roles)})", whom=part.code)
            else:
                yield from _altered_person(operator, part, by)
        for card in part.cards:
            yield from _load_card(operator, card, by)


def _altered_person(operator: Operator, part: PersonPart, by: str) -> Iterator[FileChange]:
    """A password or a PIN in the file is the first one; what people chose since is theirs."""
    roles = sorted(operator.roles.values_list("code", flat=True))
    words = [
        changed_fact(name, before, after)
        for name, before, after in (("name", operator.name, part.name), ("roles", roles, sorted(part.roles)))
        if before != after
    ]
    if words:
        people.alter_person(operator=operator, name=part.name, roles=part.roles, by=by)
        yield altered(ChangeKind.PERSON, part.code, words, whom=part.code)


def _load_card(operator: Operator, part: CardPart, by: str) -> Iterator[FileChange]:
    code = f"•••• {part.code[-4:]} of {operator.username}"
    with at(part):
        card = card_numbered(part.code)
        if card is None:
            people.issue_card(
                operator=operator, number=part.code, level=part.level, pin=part.pin, expires_on=part.expires_on, by=by
            )
            yield added(ChangeKind.CARD, code, part.level, whom=operator.username)
            return
        # By key: a card that is passed on would let one person sign in another's name.
        if card.operator_id != operator.id:
            whose = card.operator.username
            why = f"Card •••• {card.last_four} belongs to {whose}. A card is never passed on; issue another number."
            raise NotAllowedNow(why, "number")
        # The PIN of the file is not compared: it was the first one, and only its hash is here.
        words = _card_difference(card, part)
        if words:
            _check_not_signed(card, part)
            people.alter_card(card=card, level=_level_of(card, part), expires_on=part.expires_on, by=by)
            yield altered(ChangeKind.CARD, code, words, whom=operator.username)


def _level_of(card: Card, part: CardPart) -> str:
    """The level that counts now, where the file tells the one that waits for its day already."""
    stands = Card.Level(card.level_on(card.day_at(timezone.now()))).label
    return stands if card.next_level and part.level == Card.Level(card.next_level).label else part.level


def _check_not_signed(card: Card, part: CardPart) -> None:
    """A file may lower a card, but not quietly undo a level that two people gave it."""
    # `alone` are those that one person may do, lowering a level; only what two signed is held against the file.
    raised = card.authority_changes.filter(state=RequestState.SIGNED, alone=False).order_by("number").last()
    stands = Card.Level(card.level_on(card.day_at(timezone.now()))).label
    if raised is not None and _level_of(card, part) != stands:
        why = (
            f"Card •••• {card.last_four} is a {stands} card by change {raised.number}, which two people signed. "
            f"Write “{stands}” here, or lower it under {people.WHERE}."
        )
        raise NotAllowedNow(why, "level")


def _card_difference(card: Card, part: CardPart) -> list[ChangedFact]:
    """Against the level that counts now; one that waits for its day may stand in the file already."""
    stands = Card.Level(card.level_on(card.day_at(timezone.now()))).label
    pairs = (("level", stands, _level_of(card, part)), ("expires on", card.expires_on, part.expires_on))
    return [changed_fact(name, before, after) for name, before, after in pairs if before != after]


def load_jackpots(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    for part in casino.jackpots:
        jackpot = Jackpot.objects.filter(code=part.code).first()
        with at(part):
            if jackpot is None:
                _refuse_unapproved(premises, part, casino)
                yield _open(premises, part)
                continue
            # Both before its name is changed: a file that tells another past is refused whole.
            _check_terms(jackpot, part)
            _check_opening(jackpot, part)
            if jackpot.name != part.name:
                words = [changed_fact("name", jackpot.name, part.name)]
                floor.name_jackpot(jackpot=jackpot, name=part.name, by=by)
                yield altered(ChangeKind.JACKPOT, part.code, words)


def _refuse_unapproved(premises: Property, part: JackpotPart, casino: CasinoFile) -> None:
    """Where its rule book asks for them a jackpot does not open before its approvals were entered by two people."""
    day = premises.gaming_day(timezone.now())
    # By the first table of the file that feeds it: tables share a jackpot only with one game.
    fed = (each.facts.game for each in casino.tables if part.code in each.all_jackpots)
    game = next(fed, part.pack.game if part.pack else "")
    missing = jackpot_lacks(premises, part.code, part.terms.pay_table.code, day, game)
    refuse_lacking(f"{part.code} does not open", missing, day)


def _open(premises: Property, part: JackpotPart) -> FileChange:
    requested_by, approved_by = part.signed_by
    if part.pack is not None:
        try:
            # A withdrawn table of a pack is refused for new jackpots alone; one that runs by it runs on.
            refuse_not_offered(part.pack, premises)
        except NotOffered as why:
            raise NotAllowedNow(str(why), "pay_table") from None
    if part.taken_over is None:
        opening.open_jackpot(
            premises=premises, code=part.code, name=part.name, terms=part.terms,
            requested_by=requested_by, approved_by=approved_by,
        )  # fmt: skip
        return added(ChangeKind.JACKPOT, part.code, f"opened with its seed {part.terms.seed}")
    opening.take_over(
        premises=premises, code=part.code, name=part.name, terms=part.terms, reading=part.taken_over,
        requested_by=requested_by, approved_by=approved_by,
    )  # fmt: skip
    reading = part.taken_over
    return added(ChangeKind.JACKPOT, part.code, f"taken over at meter {reading.meter}, reserve {reading.reserve}")


def _check_terms(jackpot: Jackpot, part: JackpotPart) -> None:
    """Versions are immutable and a file cannot sign another one; what two people signed and waits may stand here."""
    assert jackpot.version_id is not None
    stand, waits = in_force(jackpot.version_id).terms, waiting_change(jackpot.pk)
    if part.terms.digest in (stand.digest, waits.digest if waits else ""):
        return
    name, before, after = _first_difference(stand, part.terms)
    why = (
        f"{changed_fact(name, before, after)} would change the terms of {part.code}, and versions are immutable. "
        f"Ask for them under /office/config/, where a second person signs, then write them here."
    )
    raise NotAllowedNow(why, name)


def _first_difference(before: Terms, after: Terms) -> tuple[str, str, str]:
    one, other = before.plain(), after.plain()
    name = next(term for term in one if one[term] != other[term])
    if name in ("pay_table", "policy"):
        return name, f"as of {before.digest[:8]}", f"as of {after.digest[:8]}"
    return name, str(one[name] or ""), str(other[name] or "")


def _check_opening(jackpot: Jackpot, part: JackpotPart) -> None:
    """The first entry stays; a file that tells another beginning is wrong about the past."""
    first = Entry.objects.select_related("version").get(jackpot=jackpot, seq=1)
    reading = part.taken_over
    if reading is None:
        asked = movement.opening(first.version.value.seed)
    else:
        asked = movement.take_over(reading.meter, reading.reserve, reading.overflow, reading.house_seed)
    if first.movement != asked:
        why = f"{part.code} was opened by entry 1 ({first.get_kind_display()}), which stays. Write that opening here."
        raise NotAllowedNow(why, "take_over" if reading else "opening")
