"""Files of staff: accounts with badge, email and licence, the roles and the work permit that somebody has in the room.

What one person may not do by hand, no line does: nobody gives a role to themselves, roles that do not meet are not given, an account of
another room is employed and not changed, one of several rooms is changed on its page (`cardroom.people.duties`, `accounts`). A file
has no passwords: a new account opens with none, and its person is given one on their page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import models

from cardroom.core.names import looks_like
from cardroom.people.accounts import accounts_seen
from cardroom.people.duties import why_not_give
from cardroom.people.journal import person_data
from cardroom.people.models import Employment, Provider, Role, Staff, WorkPermit
from cardroom.people.rights import PEOPLE_ROLES
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..commands.accounts import BADGE_LENGTH, EMAIL_LENGTH, LICENCE_LENGTH, NAME_LENGTH, USER_NAME_LENGTH
from ..commands.roles import role_data
from ..errors import NotNow
from ..execution.transactions import RoomTransaction
from .kinds import (
    Fault,
    FileKind,
    Judge,
    Judged,
    Known,
    Outcome,
    day_in,
    name_in,
    one_of,
    rows_inserted,
    several_in,
    text_in,
    word,
)
from .lines import BETWEEN, Columns, Line

#: The columns of an account that two people change, by those of the file; and those of its licence, which one enters.
_WHO: Final = {"name": "display_name", "badge": "badge", "email": "email"}
_LICENCE: Final = {"licence": "licence_number", "licence_expires": "licence_expires"}
_ACCOUNT: Final = {**_WHO, **_LICENCE}
_ROLES: Final = {
    **{role.value.replace("_", " "): role for role in PEOPLE_ROLES},
    **{str(role.label).casefold(): role for role in PEOPLE_ROLES},
}
_TAKEN: Final = "Somebody has this user name already. Choose another; or, to employ them, leave name, badge, email and licence empty."
_NOBODY: Final = "Nobody can be employed under this user name: a new person needs a name, and somebody of another room their whole user name."


class StaffJudge(Judge):
    """The accounts and roles of a room, and the accounts of other rooms that the file names; seven queries."""

    def __init__(self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]) -> None:
        super().__init__(room, by, decisions)
        self.people: dict[str, Staff] = {}
        self.by_key: dict[str, list[Staff]] = defaultdict(list)
        self.by_badge: dict[str, Staff] = {}
        for person in accounts_seen(Room.objects.filter(pk=room.pk)):
            self.people[person.username] = person
            self.by_key[looks_like(person.display_name)].append(person)
            if person.badge:
                self.by_badge[person.badge] = person
        named = {_user_name(line) for line in lines} - self.people.keys()
        self.elsewhere = {each.username: each for each in Staff.objects.filter(username__in=named)}
        known = [each.pk for each in (*self.people.values(), *self.elsewhere.values())]
        self.held: dict[int, dict[Role, Employment]] = defaultdict(dict)
        for each in Employment.objects.filter(room=room).select_related("provider"):
            self.held[each.staff_id][Role(each.role)] = each
        others = Employment.objects.filter(staff__in=known).exclude(room=room)
        self.of_several = set(others.values_list("staff_id", flat=True))
        self.permits = {each.staff_id: each for each in WorkPermit.objects.filter(room=room)}
        self.providers = {each.name: each for each in Provider.objects.filter(room=room)}
        self.line_of_key: dict[str, int] = {}

    def alike(self, line: Line) -> list[Known]:
        return [self._known(each) for each in self.by_key.get(looks_like(line.given.get("name", "")), ())]

    def accepted(self, line: Line) -> Judged:
        username = _user_name(line)
        if not username:
            raise Fault(
                "username", "No user name. It is what tells people apart, and what they sign in with."
            )
        if len(username) > USER_NAME_LENGTH:
            raise Fault("username", f"It has {len(username)} characters, and {USER_NAME_LENGTH} are kept.")
        self.take(line, "username", username, "this user name")
        name, person = name_in(line, "name", NAME_LENGTH), self.people.get(username)
        if person is None and username in self.elsewhere:
            person = self._employable(line, self.elsewhere[username])
        elif person is None:
            if not name:
                raise Fault("username", _NOBODY)
            known = self.decided(line, self.line_of_key.get(looks_like(name)))
            person = None if known is None else known.row
        if person is not None:
            self.take(line, "username", person.username, "this person")
        if name:
            self.line_of_key.setdefault(looks_like(name), line.number)
        account = self._account(line, name, person)
        if person is None:
            account["username"] = _checked("username", "username", username)
        at_room, changes = self._at_room(line, person or Staff(display_name=name, username=username))
        if person is None:
            return Judged(
                line, Outcome.NEW, columns={"name": name, "account": account, **at_room}, changes=changes
            )
        differs = {
            column: (word(getattr(person, of)), word(account[of]))
            for column, of in _ACCOUNT.items()
            if of in account
        }
        columns = {**({"account": account} if account else {}), **at_room}
        by_two = bool(account.keys() & set(_WHO.values())) or {"given", "taken", "led"} & at_room.keys()
        return Judged(
            line,
            Outcome.CHANGED if columns else Outcome.SAME,
            known=self._known(person),
            columns=columns,
            changes={**differs, **changes},
            about=person if by_two else None,
        )

    def _employable(self, line: Line, person: Staff) -> Staff:
        """Return somebody whose account another room keeps, and who may be employed. Raises Fault in the same words for others."""
        if any(line.given.get(column) for column in _ACCOUNT):
            raise Fault("username", _TAKEN)
        is_known = person.pk in self.held or (
            person.is_active and not person.is_superuser and person.home_id is not None
        )
        if not is_known:
            raise Fault("username", _NOBODY)
        return person

    def _known(self, person: Staff) -> Known:
        """A person as the reader may know them: whom the room neither keeps nor employs by the user name alone, which they typed."""
        is_ours = person.username in self.people or person.pk in self.held
        return Known(str(person.pk), str(person) if is_ours else person.username, person)

    def _account(self, line: Line, name: str, person: Staff | None) -> dict[str, Any]:
        """The columns of the account that a line writes, in order of `_ACCOUNT`. Raises Fault."""
        said: dict[str, Any] = {
            "name": name,
            "badge": text_in(line, "badge", BADGE_LENGTH),
            "email": _checked("email", "email", text_in(line, "email", EMAIL_LENGTH)),
            "licence": text_in(line, "licence", LICENCE_LENGTH),
            "licence_expires": day_in(line, "licence_expires"),
        }
        if said["licence_expires"] is not None and not said["licence"]:
            raise Fault("licence", "A last day, and no number of a licence.")
        if person is None:
            written = said
        elif person.username not in self.people:
            return {}
        else:
            # What the file has no column for stays as it is, and nobody loses their name.
            written = {
                column: value
                for column, value in said.items()
                if column in line.given
                and (value or column != "name")
                and getattr(person, _ACCOUNT[column]) != value
            }
        if person is not None and written and person.pk in self.of_several:
            raise Fault(
                min(written, key=list(_ACCOUNT).index),
                f"{person} works in other rooms too: name, badge, email and licence are changed on their page.",
            )
        if badge := written.get("badge"):
            other = self.by_badge.get(badge)
            if other is not None and other != person:
                raise Fault("badge", f"{other} has this badge already.")
            self.take(line, "badge", badge, "this badge")
        return {_ACCOUNT[column]: value for column, value in written.items()}

    def _at_room(self, line: Line, person: Staff) -> tuple[dict[str, Any], dict[str, tuple[str, str]]]:
        """The roles given and taken, the lead's provider and the permit that a line writes; with the changes in words. Raises Fault."""
        held = self.held.get(person.pk, {}) if person.pk is not None else {}
        roles = self._roles(line) or list(held)
        led = self._led(line, roles, held)
        given = [role for role in roles if role not in held]
        taken = [role for role in held if role not in roles]
        lead = held.get(Role.PROVIDER_LEAD)
        moved = lead is not None and Role.PROVIDER_LEAD in roles and lead.provider != led
        for role in [*given, *([Role.PROVIDER_LEAD] if moved else [])]:
            if why := why_not_give(self.by, person, role, [each for each in roles if each is not role]):
                raise Fault("roles", str(why))
        if given and person.pk is not None and not person.is_active:
            raise Fault("roles", f"The account of {person} is closed: open it again first.")
        columns: dict[str, Any] = {}
        changes: dict[str, tuple[str, str]] = {}
        if given or taken:
            columns |= {"given": given} if given else {}
            columns |= {"taken": taken} if taken else {}
            changes["roles"] = _in_words(held), _in_words(roles)
        if moved or Role.PROVIDER_LEAD in given:
            columns["led"] = led
            changes["provider"] = word(None if lead is None else lead.provider), word(led)
        permit = self._permit(line, person, bool(roles))
        if permit is not None:
            columns["permit"] = permit
            was = self.permits.get(person.pk) if person.pk is not None else None
            before = ("", None) if was is None else (was.number, was.expires)
            for column, old, new in zip(("permit", "permit_expires"), before, permit, strict=True):
                if old != new:
                    changes[column] = word(old), word(new)
        return columns, changes

    def _roles(self, line: Line) -> list[Role]:
        roles = []
        for named in several_in(line, "roles"):
            role = _ROLES.get(" ".join(named.casefold().replace("_", " ").split()))
            if role is None:
                listed = ", ".join(each.value for each in PEOPLE_ROLES)
                raise Fault("roles", f"There is no role {named!r}. Write them with + between: {listed}.")
            if role not in roles:
                roles.append(role)
        return roles

    def _led(self, line: Line, roles: list[Role], held: Mapping[Role, Employment]) -> Provider | None:
        """The provider whose lead the person is, or None. Raises Fault."""
        named = line.given.get("provider", "")
        if Role.PROVIDER_LEAD not in roles:
            if named:
                raise Fault("provider", "A provider lead needs a provider, and no other role has one.")
            return None
        if not named:
            if Role.PROVIDER_LEAD not in held:
                raise Fault("provider", "A provider lead needs a provider, and no other role has one.")
            return held[Role.PROVIDER_LEAD].provider
        one_of(named, self.providers, "provider", "provider")
        return self.providers[named]

    def _permit(self, line: Line, person: Staff, works_here: bool) -> tuple[str, Any] | None:
        """The work permit that a line writes; None for none. Raises Fault."""
        number, expires = text_in(line, "permit", LICENCE_LENGTH), day_in(line, "permit_expires")
        if not number:
            if expires is not None:
                raise Fault("permit", "A last day, and no number of a work permit.")
            return None
        if not works_here:
            raise Fault(
                "permit",
                f"{person.username} holds no role here: a work permit is of somebody who works here.",
            )
        was = self.permits.get(person.pk) if person.pk is not None else None
        if was is not None and "permit_expires" not in line.given:
            expires = was.expires
        return (
            None if was is not None and (was.number, was.expires) == (number, expires) else (number, expires)
        )


class StaffFile(FileKind):
    """Staff with their roles."""

    name, one, many = "staff", "person", "staff"
    columns = Columns(
        "staff",
        (
            *("username", "name", "badge", "email", "roles", "provider"),
            *("licence", "licence_expires", "permit", "permit_expires"),
        ),
        "username",
    )
    about = (
        "A known user name changes that person; another one makes an account, which opens with no password until one is set on the "
        "page of the person. Roles are those that the person holds afterwards, with + between; an empty cell of roles or permit leaves them "
        "as they are. The provider is that of a provider lead. Somebody whose account another room keeps is employed by user name and "
        "roles alone."
    )
    then = "Whoever is new signs in once a password is set on their page: under “No password yet”."
    fresh = True
    example = "username,name,roles\r\nkaguilar,Kim Aguilar,dealer\r\n"

    def judge(self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]) -> StaffJudge:
        return StaffJudge(room, by, decisions, lines)

    def write(self, tx: RoomTransaction, judged: Sequence[Judged], signed: dict[str, Any]) -> dict[str, Any]:
        made = _made(tx, [each for each in judged if each.outcome is Outcome.NEW])
        changed = [
            (each.known.row, each)
            for each in judged
            if each.outcome is Outcome.CHANGED and each.known is not None
        ]
        _lock(changed)
        entries: list[tuple[str, dict[str, Any]]] = []
        entries += [("account_make", {"person": person_data(person)}) for person, _each in made]
        for person, each in changed:
            entries += _changed(person, each)
        entries += _roles_written(tx, [*made, *changed])
        entries += _permits_written(tx.room, [*made, *changed])
        tx.journal_all([(command, {**data, **signed}) for command, data in entries])
        return {}

    def rows(self, room: Room) -> Iterable[Iterable[Any]]:
        """The accounts that the room keeps; of those of other rooms it knows no user name."""
        permits = {each.staff_id: each for each in WorkPermit.objects.filter(room=room)}
        people = accounts_seen(Room.objects.filter(pk=room.pk)).prefetch_related("employments__provider")
        for person in people.order_by("username"):
            held = [each for each in person.employments.all() if each.room_id == room.pk]
            firm = next((each.provider for each in held if each.provider is not None), None)
            permit = permits.get(person.pk)
            yield (
                *(person.username, person.display_name, person.badge, person.email),
                *([each.role for each in held], firm, person.licence_number, person.licence_expires),
                *((None, None) if permit is None else (permit.number, permit.expires)),
            )


def _made(tx: RoomTransaction, judged: Iterable[Judged]) -> list[tuple[Staff, Judged]]:
    """Insert new accounts. They open with no password."""
    new = list(judged)
    people = [
        Staff(
            home=tx.room,
            added_by=tx.actor,
            must_change_password=True,
            password=make_password(None),
            **each.columns["account"],
        )
        for each in new
    ]
    return list(zip(rows_inserted(people), new, strict=True))


def _lock(changed: Iterable[tuple[Staff, Judged]]) -> None:
    """Lock the accounts that change; raises NotNow where one that gets a role was closed meanwhile."""
    ids = {person.pk for person, _each in changed}
    rows = Staff.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    is_active = dict(rows.values_list("pk", "is_active"))
    if any("given" in each.columns and not is_active[person.pk] for person, each in changed):
        raise NotNow(
            "plan_changed",
            Phrase("Accounts have changed since the file was checked. Check it again, and sign that."),
        )


def _changed(person: Staff, judged: Judged) -> Iterable[tuple[str, dict[str, Any]]]:
    """Write what changes of an account; yield its entries."""
    account = judged.columns.get("account")
    if not account:
        return
    changed = {column: [str(getattr(person, column)), str(value)] for column, value in account.items()}
    for column, value in account.items():
        setattr(person, column, value)
    person.save(update_fields=list(account))
    for command, columns in (("account_set", _WHO.values()), ("licence_set", _LICENCE.values())):
        if of := {column: change for column, change in changed.items() if column in columns}:
            yield command, {"person": person_data(person), "changed": of}


def _roles_written(
    tx: RoomTransaction, written: Sequence[tuple[Staff, Judged]]
) -> list[tuple[str, dict[str, Any]]]:
    """Give and take roles; return their entries."""
    entries = []
    given = []
    for person, each in written:
        led = each.columns.get("led")
        for role in each.columns.get("given", ()):
            firm = led if role is Role.PROVIDER_LEAD else None
            given.append(Employment(staff=person, room=tx.room, role=role, provider=firm))
        gone = each.columns.get("taken", ())
        for held in person.employments.filter(room=tx.room, role__in=gone) if gone else ():
            entries.append(("role_take", role_data(held)))
            held.delete()
        if led is not None and Role.PROVIDER_LEAD not in each.columns.get("given", ()):
            lead = person.employments.get(room=tx.room, role=Role.PROVIDER_LEAD)
            lead.provider = led
            lead.save(update_fields=["provider"])
            entries.append(("role_give", {**role_data(lead), "before": lead.role}))
    entries += [("role_give", {**role_data(each), "before": None}) for each in rows_inserted(given)]
    return entries


def _permits_written(room: Room, written: Iterable[tuple[Staff, Judged]]) -> list[tuple[str, dict[str, Any]]]:
    """Enter work permits; return their entries."""
    entries, new = [], []
    known = {each.staff_id: each for each in WorkPermit.objects.filter(room=room)}
    for person, each in written:
        if (permit := each.columns.get("permit")) is None:
            continue
        number, expires = permit
        row = known.get(person.pk)
        before = None if row is None else [row.number, str(row.expires)]
        if row is None:
            new.append(WorkPermit(staff=person, room=room, number=number, expires=expires))
        else:
            row.number, row.expires = number, expires
            row.save()
        data = {"person": person_data(person), "before": before, "number": number, "expires": str(expires)}
        entries.append(("permit_set", data))
    rows_inserted(new)
    return entries


def _user_name(line: Line) -> str:
    return str(Staff.normalize_username(line.given.get("username", "")))


def _checked(column: str, of: str, value: str) -> str:
    """Return a value that the column of the account takes. Raises Fault."""
    field: models.Field[Any, Any] = Staff._meta.get_field(of)  # type: ignore[assignment]  # a column of its own
    try:
        field.clean(value, None)
    except ValidationError as refused:
        raise Fault(column, " ".join(refused.messages)) from None
    return value


def _in_words(roles: Iterable[Role]) -> str:
    return BETWEEN.join(str(Role(each).label) for each in sorted(roles)) or "none"
