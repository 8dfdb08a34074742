"""What a person's page shows: every fact with what changes it, how many sign for that, or why it is not the reader's to change."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from typing import Any

from allauth.usersessions.models import UserSession

from cardroom.core.dates import day_text
from cardroom.floor.commands.accounts import (
    account_close,
    account_hand_over,
    account_open,
    account_set,
    licence_set,
    password_set,
    second_factor_off,
    staff_session_end,
)
from cardroom.floor.commands.lockouts import lockout_lift
from cardroom.floor.commands.password_resets import password_ask
from cardroom.floor.commands.roles import permit_set, role_give, role_set, role_take
from cardroom.floor.execution.carry_out import RoomCommand
from cardroom.floor.models import Down
from cardroom.floor.reads.staff import (
    RoleHeld,
    ShiftDowns,
    downs_by_shift,
    entries_about,
    roles_held,
)
from cardroom.people.accounts import (
    may_change_account,
    may_change_person,
    rooms_kept_by,
    rooms_of_account,
)
from cardroom.people.duties import ALONE, DUTIES, Duty, NobodySigns, why_alone
from cardroom.people.journal import ADMINISTRATION, SIGN_INS
from cardroom.people.lockouts import locked_out
from cardroom.people.models import Employment, Lockout, Pin, Staff, WorkPermit
from cardroom.people.permits import REMIND_DAYS, local_day
from cardroom.people.second_factor import has_second_factor, needs_second_factor
from cardroom.people.sessions import open_sessions
from cardroom.rooms.models import Room

from ..parts.access import Permissions
from ..parts.faces import Face, face_of
from ..parts.forms.signed import right_to_sign
from . import forms

ENTRIES = 8


@dataclasses.dataclass(frozen=True)
class Act:
    """What changes a fact: its command and form, the duty that says how many sign, and how much of the account it takes."""

    command: RoomCommand[...]
    form: type[forms.PersonForm]
    duty: Duty
    #: `account`: a say in all of it; `person`: the home room's; `room`: that of any room that employs the person.
    takes: str
    button: str = "Change…"


#: By the last part of their addresses.
ACTS = {
    "name": Act(account_set, forms.NameForm, Duty.CHANGE_ACCOUNT, "person"),
    "badge": Act(account_set, forms.BadgeForm, Duty.CHANGE_ACCOUNT, "person"),
    "sign-in": Act(account_set, forms.SignInForm, Duty.CHANGE_ACCOUNT, "account"),
    "licence": Act(licence_set, forms.LicenceForm, Duty.KEEP_LICENCE, "person", "Enter…"),
    "permit": Act(permit_set, forms.PermitForm, Duty.KEEP_LICENCE, "room", "Enter…"),
    "password": Act(password_set, forms.PasswordForm, Duty.SET_PASSWORD, "account", "Set…"),
    "reset": Act(password_ask, forms.ResetForm, Duty.RESET_TOGETHER, "room", "Ask for a new…"),
    "factor": Act(second_factor_off, forms.FactorForm, Duty.TAKE_FACTOR_OFF, "account", "Take off…"),
    "lockout": Act(lockout_lift, forms.LiftForm, Duty.LIFT_LOCKOUT, "room", "Lift…"),
    "close": Act(account_close, forms.CloseForm, Duty.CLOSE_ACCOUNT, "account", "✕ Close the account…"),
    "open": Act(account_open, forms.OpenForm, Duty.CHANGE_ACCOUNT, "account", "Open again…"),
    "hand-over": Act(account_hand_over, forms.HandOverForm, Duty.HAND_OVER, "home", "Hand over…"),
    "role": Act(role_give, forms.RoleForm, Duty.GIVE_ROLE, "room", "Give a role…"),
}
#: Those at one role, and at one session.
ROLE_ACTS = {
    "take": Act(role_take, forms.RoleTakeForm, Duty.TAKE_ROLE, "room", "Take away…"),
    "change": Act(role_set, forms.RoleSetForm, Duty.GIVE_ROLE, "room"),
}
END_SESSION = Act(staff_session_end, forms.EndForm, Duty.END_SESSION, "person", "End")

#: How many sign, by the number of people.
SIGNS = {1: "you alone", 2: "you + one"}

#: What the page says of who changes what in the room.
WHO_CHANGES = (
    ("Role, name, badge, second factor off", 2, "a room manager, and compliance or another room manager"),
    ("Permit, licence, session, lock", 1, "a room manager; a lock the floor too"),
    ("Close the account, in an emergency", 1, "a room manager, at once"),
    ("User name, email, password", 2, "of somebody of several rooms, a manager of each"),
    ("PIN, own second factor", 0, "the person alone"),
)


@dataclasses.dataclass(frozen=True)
class Fact:
    """A line of the page: what it is, what is known, and what changes it."""

    label: str
    value: str
    act: OpenAct | None = None
    #: Said beside the value, quietly.
    sub: str = ""
    #: `done`, `look` or `stop`: a shape and a word of that state.
    mark: str = ""
    #: Who changes it, where that is no act of the reader's.
    whose: str = ""


@dataclasses.dataclass(frozen=True)
class OpenAct:
    """An act as it is open to the reader: its form, or why it is not theirs."""

    slug: str
    button: str
    signs: int
    form: forms.PersonForm | None
    why_not: str = ""
    #: Why nobody else signs.
    alone: str = ""
    is_given: bool = False
    #: Below the person's address.
    address: str = ""


@dataclasses.dataclass
class PersonPage:
    """A person of a room as the page shows them to somebody who keeps its people.

    `given` is the form of an act that was refused, by its slug (`role-12-take`); `fresh` whether the reader signed in a short
    while ago.
    """

    permissions: Permissions
    person: Staff
    now: datetime.datetime
    fresh: bool
    given: dict[str, forms.PersonForm] = dataclasses.field(default_factory=dict)

    @property
    def room(self) -> Room:
        return self.permissions.room

    @functools.cached_property
    def is_at_home(self) -> bool:
        return self.person.home_id == self.room.pk

    @functools.cached_property
    def works_here(self) -> bool:
        return Employment.objects.filter(staff=self.person, room=self.room).exists()

    @functools.cached_property
    def other_rooms(self) -> list[Room]:
        """The other rooms of the account, for the room that it belongs to."""
        if not self.is_at_home:
            return []
        return list(Room.objects.filter(pk__in=rooms_of_account(self.person) - {self.room.pk}))

    @functools.cached_property
    def may(self) -> dict[str, bool]:
        """What the reader has a say in, by what acts take."""
        kept = rooms_kept_by(self.permissions.staff)
        return {
            "account": self.is_at_home and may_change_account(self.person, kept),
            "person": self.is_at_home and may_change_person(self.person, kept),
            "home": self.is_at_home,
            "room": self.works_here,
        }

    @property
    def face(self) -> Face:
        return face_of(self.person)

    @functools.cached_property
    def roles(self) -> list[tuple[RoleHeld, list[OpenAct]]]:
        """The roles of the person, each with what may be done about it."""
        return [
            (held, [] if held.employment is None else self._role_acts(held.employment))
            for held in roles_held(self.room, self.person)
        ]

    @property
    def role_names(self) -> list[str]:
        return [held.role for held, _ in self.roles if held.employment is not None]

    @functools.cached_property
    def give(self) -> OpenAct:
        """What gives another role."""
        return self.open("role", ACTS["role"], takes="room" if self.works_here else "home")

    @functools.cached_property
    def permit(self) -> WorkPermit | None:
        return WorkPermit.objects.filter(room=self.room, staff=self.person).first()

    @functools.cached_property
    def lock(self) -> list[Lockout]:
        return [row for row in locked_out(self.room) if row.staff_id == self.person.pk]

    @functools.cached_property
    def dealing(self) -> Down | None:
        """The down that is open in the room."""
        return (
            Down.objects.filter(room=self.room, dealer=self.person, ended_at=None)
            .select_related("table")
            .first()
        )

    @property
    def expiry(self) -> tuple[str, bool] | None:
        """What ends soon or has ended, in words, and whether it has."""
        what, day = "Licence", self.person.licence_expires
        if self.permit is not None:
            what, day = "Work permit", self.permit.expires
        today = local_day(self.room, self.now)
        if day is None or (day - today).days > REMIND_DAYS or not self.works_here:
            return None
        if day < today:
            return f"{what} ended {day_text(day)}", True
        left = (day - today).days
        return f"{what} ends {day_text(day)}, in {left} day{'' if left == 1 else 's'}", False

    @property
    def permit_facts(self) -> list[Fact]:
        """Badge, work permit and licence."""
        facts = []
        if self.is_at_home:
            facts.append(Fact("Badge", self.person.badge or "none", self.act("badge")))
        if self.works_here:
            permit = self.permit
            facts.append(
                Fact(
                    "Work permit",
                    "none recorded" if permit is None else permit.number,
                    self.act("permit"),
                    *self._until(None if permit is None else permit.expires),
                )
            )
        if self.is_at_home:
            person = self.person
            facts.append(
                Fact(
                    "Licence",
                    person.licence_number or "none recorded",
                    self.act("licence"),
                    *self._until(person.licence_expires),
                )
            )
        return facts

    @property
    def account_facts(self) -> list[Fact]:
        """Name and sign-in; of an account of another room the lock alone."""
        facts = [self._lock_fact()]
        if not self.is_at_home:
            return facts
        person, several = self.person, bool(self.other_rooms)
        pin = Pin.objects.filter(staff=person).first()
        factor = has_second_factor(person)
        mail = f"{person.email or 'no email'}{' · may open the admin' if person.is_staff else ''}"
        password = self.act(
            "reset" if several and not self.may["account"] and self.works_here else "password"
        )
        return [
            Fact("Name", str(person), self.act("name")),
            Fact(
                "User name, email",
                person.username,
                self.act("sign-in"),
                f"{mail}{' · counts in each room' if several else ''}",
            ),
            Fact(
                "Password",
                "none yet"
                if not person.has_usable_password()
                else "set by somebody else, to be changed"
                if person.must_change_password
                else "set",
                password,
            ),
            Fact(
                "PIN",
                "none" if pin is None else "set",
                sub="" if pin is None else f"since {day_text(local_day(self.room, pin.set_at))}",
                whose=f"{person} alone",
            ),
            Fact(
                "Second factor",
                "set up" if factor else "none",
                self.act("factor") if factor else None,
                "" if factor else "their role needs one" if needs_second_factor(person) else "",
                whose=f"{person} alone",
            ),
            *facts,
            *self._home_facts(),
        ]

    @property
    def close(self) -> OpenAct | None:
        """What closes the account, or opens it again; None for one of another room."""
        return self.act("close" if self.person.is_active else "open") if self.is_at_home else None

    @functools.cached_property
    def shifts(self) -> list[ShiftDowns]:
        return downs_by_shift(self.room, self.person, self.now)

    @property
    def minutes_at_tables(self) -> int:
        return sum(each.minutes for each in self.shifts)

    @functools.cached_property
    def sessions(self) -> list[tuple[UserSession, OpenAct]]:
        """Where the person is signed in, for those who may end it."""
        if not self.may["person"]:
            return []
        return [
            (each, self.open(f"session-{each.pk}", END_SESSION, address=f"sessions/{each.pk}/end/"))
            for each in open_sessions(self.person)
        ]

    @functools.cached_property
    def entries(self) -> list[tuple[datetime.datetime, str, str, bool]]:
        """The latest entries of the journal about the person: when, what, by whom, and whether one person did it for two."""
        words = {**SIGN_INS, **ADMINISTRATION}
        return [
            (each.at, words[each.command], each.actor_name, ALONE in each.data)
            for each in entries_about(self.room, self.person, self.now)[:ENTRIES]
        ]

    def act(self, slug: str) -> OpenAct:
        """Return an act as it is open to the reader."""
        return self.open(slug, ACTS[slug])

    def open(
        self, slug: str, act: Act, *, address: str = "", said: dict[str, Any] | None = None, takes: str = ""
    ) -> OpenAct:
        """Return an act as it is open to the reader: its form, or why it is not theirs."""
        address = address or f"{slug}/"
        second = None if act.command.signature is None else right_to_sign(act.command)
        signs = 1 if DUTIES[act.duty].second is None else 2
        why, alone = self._why_not(act, takes or act.takes), ""
        if not why and second is not None:
            try:
                alone = why_alone(second, self.room, by=self.permissions.staff, about=self.person) or ""
            except NobodySigns:
                why = "nobody else here may sign for it: an administrator of the site gives somebody the role first"
        if why:
            return OpenAct(slug, act.button, signs, None, why, address=address)
        form = self.given.get(slug)
        if form is None:
            form = act.form(
                must_sign=second is not None and not alone,
                initial=act.form.said(self.room, self.person) if said is None else said,
                auto_id=f"{slug}-%s",
            )
            form.fill(self.room)
        form.about = (self.person.pk,)
        return OpenAct(slug, act.button, signs, form, "", alone, slug in self.given, address)

    def must_sign(self, act: Act) -> bool:
        """Tell whether a second person signs an act; where nobody may, one would have to."""
        if act.command.signature is None:
            return False
        second = right_to_sign(act.command)
        try:
            return why_alone(second, self.room, by=self.permissions.staff, about=self.person) is None
        except NobodySigns:
            return False

    def _why_not(self, act: Act, takes: str) -> str:
        if why := self.permissions.why_not(act.command.right):
            return why.message
        if not self.may[takes]:
            return {
                "account": "every room of the account together, and no single one",
                "person": "the rooms that employ them now",
                "home": "the room that the account belongs to",
                "room": "a room that employs them",
            }[takes]
        if act.command.fresh and not self.fresh:
            return "sign in afresh first"
        own = {"password", "factor"} if self.person == self.permissions.staff else set()
        if act in [ACTS[slug] for slug in own]:
            return "yourself, under your own name"
        return ""

    def _role_acts(self, role: Employment) -> list[OpenAct]:
        return [
            self.open(
                f"role-{role.pk}-{slug}",
                act,
                address=f"roles/{role.pk}/{slug}/",
                said=forms.RoleSetForm.of(role) if slug == "change" else {},
            )
            for slug, act in ROLE_ACTS.items()
        ]

    def _until(self, day: datetime.date | None) -> tuple[str, str]:
        """Until when something is valid, and its mark."""
        if day is None:
            return "", ""
        today = local_day(self.room, self.now)
        if day < today:
            return f"ended {day_text(day)}", "stop"
        return f"through {day_text(day)}", "look" if (day - today).days <= REMIND_DAYS else ""

    def _lock_fact(self) -> Fact:
        if not self.lock:
            return Fact("Lock on sign-in", "none")
        kinds = " and ".join(row.get_kind_display() for row in self.lock)
        return Fact("Lock on sign-in", f"{kinds} locked", self.act("lockout"), mark="look")

    def _home_facts(self) -> list[Fact]:
        if not self.other_rooms:
            return [Fact("Belongs to", str(self.room), whose="this room")]
        others = ", ".join(str(each) for each in self.other_rooms)
        act = None if self.works_here else self.act("hand-over")
        return [
            Fact(
                "Belongs to",
                str(self.room),
                act,
                f"works in {others} too" if self.works_here else f"works in {others}",
            )
        ]
