"""Models of people: staff and the roles they hold in a room, players, and providers of proposition players."""

from __future__ import annotations

import datetime
import re
import secrets
from collections.abc import Container
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Max, Q
from simple_history.models import HistoricalRecords

from cardroom.core.canonical import canonical_hash
from cardroom.core.names import KEY_LENGTH, NameField, is_plain_in_sql, looks_like, plain_name
from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, changed
from games.phrases import Phrase

_MERGE = ("id", "room_id", "player_id", "into_id", "reason", "made_at", "made_by_id", "approved_by_id")
#: Why rows of people may be there that no entry of the journal records; what a command has written since is covered.
SET_UP = "set up by manage.py or a room's file, and compared with its history until a command changes it"
#: The columns of a player that go as they are erased; no digest and no history holds them.
NAMES = ("name", "name_key", "other_name", "other_name_key", "name_salt")
#: What names look like that stand in place of erased ones (`Player.nameless`).
_NAMELESS = re.compile(r"player #[0-9]+")
_ERASABLE = "erased at the person's wish; `name_digest` proves it while it is there"
_ERASABLE_PHOTO = "erased at the person's wish; `digest` proves it while it is there"
#: Hexadecimal digits of the salt of a name: 256 bits.
SALT_LENGTH = 64


def names_digest(salt: str, name: str, other_name: str) -> str:
    """Return what proves the names of a player, and tells nothing without the salt."""
    return canonical_hash([salt, name, other_name])


class Staff(AbstractUser):
    """One person, one account. Permissions come from `Employment`, never from Django's permission tables.

    `home` is the room that the account belongs to: the one that made it, else the first that employed the person. Which
    room may change what of an account: `cardroom.people.accounts`.
    """

    digest_policy = DigestPolicy(
        may_predate_journal=SET_UP,
        columns={
            "password": "a hash that the person's own sign-in may renew",
            "last_login": "moves with each sign-in",
            "language": "the person's own choice, in the history",
            "must_change_password": "ends as the person sets a password of their own",
        },
    )

    display_name = NameField(max_length=80, help_text="As shown on table screens and reports.")
    badge = models.CharField(
        max_length=20,
        blank=True,
        help_text="As a reader types it; it signs at a table, with the person's PIN.",
    )
    licence_number = models.CharField(
        max_length=40, blank=True, help_text="Work permit or key employee licence."
    )
    licence_expires = models.DateField(null=True, blank=True)
    language = models.CharField(
        max_length=10,
        default="en",
        editable=False,
        help_text="Of table pages; each person chooses their own. A code of the settings' LANGUAGES.",
    )
    home = models.ForeignKey(
        "rooms.Room",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Room that the account belongs to; empty: administrators of the site alone change it.",
    )
    must_change_password = models.BooleanField(
        default=False,
        editable=False,
        help_text="Somebody else set the password: the person sets another first.",
    )
    added_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )

    history = HistoricalRecords(excluded_fields=["password", "last_login"])

    class Meta:
        verbose_name_plural = "staff"
        constraints = [
            models.UniqueConstraint(
                fields=["home", "badge"],
                condition=~Q(badge=""),
                name="one_badge_of_a_number_in_a_room",
                violation_error_message="Somebody of this room has this badge already.",
            )
        ]

    def __str__(self) -> str:
        return self.display_name or self.username


class Role(models.TextChoices):
    """The roles of staff in a room."""

    DEALER = "dealer", Phrase("Dealer")
    FLOOR = "floor", Phrase("Floor")
    SHIFT_MANAGER = "shift_manager", Phrase("Shift manager")
    COUNT = "count", Phrase("Count team")
    COMPLIANCE = "compliance", Phrase("Compliance")
    ROOM_MANAGER = "room_manager", Phrase("Room manager")
    PROVIDER_LEAD = "provider_lead", Phrase("Provider lead")
    INSPECTOR = "inspector", Phrase("Inspector")
    SURVEILLANCE = "surveillance", Phrase("Surveillance")
    SUPPORT = "support", Phrase("Support staff")
    #: No person: a program's account, whose rights are its own (`cardroom.people.rights.PROGRAM_RIGHTS`).
    PROGRAM = "program", Phrase("Program")


class Provider(models.Model):
    """A third-party provider of proposition player services under contract with the room."""

    digest_policy = DigestPolicy(may_predate_journal=SET_UP)

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="providers")
    name = NameField(max_length=120)
    contract_number = models.CharField(max_length=40, blank=True)
    is_active = models.BooleanField(default=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["room", "name"], name="one_provider_of_a_name")]

    def __str__(self) -> str:
        return self.name


_CONTRACT = (
    *(
        "id",
        "room_id",
        "provider_id",
        "number",
        "begins_on",
        "ends_on",
        "games",
        "tables",
        "opens_at",
        "closes_at",
    ),
    *("entered_at", "entered_by_id"),
)


class ProviderContract(models.Model):
    """What a provider's contract with the room allows: the days, games, tables and hours (4 CCR 12270).

    Games and tables are by number, hours on the room's clock; empty: all of them. A provider without any is not checked.
    """

    guards = (
        Guard(
            "UPDATE",
            "a contract never changes; it is ended once",
            when=lambda vendor: f"OLD.ended_on IS NOT NULL OR {changed(*_CONTRACT, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    provider = models.ForeignKey(Provider, on_delete=models.PROTECT, related_name="contracts")
    number = models.CharField(max_length=40)
    begins_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True, help_text="Its last day; empty: until it is ended.")
    games = models.JSONField(default=list, blank=True, help_text="Numbers of filed games; empty: all.")
    tables = models.JSONField(default=list, blank=True, help_text="Numbers of tables; empty: all.")
    opens_at = models.TimeField(null=True, blank=True, help_text="With `closes_at`: the hours of each day.")
    closes_at = models.TimeField(null=True, blank=True, help_text="Before `opens_at`: on the day after.")
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    ended_on = models.DateField(
        null=True, blank=True, help_text="The last day on which it held, where it was ended."
    )
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["provider", "begins_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("begins_on")),
                name="a_contract_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True, closes_at__isnull=True)
                | Q(opens_at__isnull=False, closes_at__isnull=False) & ~Q(opens_at=F("closes_at")),
                name="a_contract_has_both_hours_or_none",
            ),
            models.CheckConstraint(
                condition=Q(ended_on__isnull=True, ended_by__isnull=True)
                | Q(ended_on__isnull=False, ended_by__isnull=False),
                name="a_contract_is_ended_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"Contract {self.number} of {self.provider}"

    @property
    def last_day(self) -> datetime.date | None:
        """The last day on which it holds; None for one without an end."""
        return min((day for day in (self.ends_on, self.ended_on) if day is not None), default=None)

    def holds_on(self, day: datetime.date) -> bool:
        """Tell whether it is in force on a day of the room's calendar."""
        return self.begins_on <= day and (self.last_day is None or day <= self.last_day)

    def holds_at(self, time: datetime.time) -> bool:
        """Tell whether a time on the room's clock is within its hours, which may go over midnight."""
        if self.opens_at is None or self.closes_at is None:
            return True
        if self.opens_at < self.closes_at:
            return self.opens_at <= time < self.closes_at
        return time >= self.opens_at or time < self.closes_at


class Employment(models.Model):
    """A role that a person holds in a room. A provider lead's role names the provider it is held for."""

    digest_policy = DigestPolicy(may_predate_journal=SET_UP)

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="employments")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="employments")
    role = models.CharField(max_length=20, choices=Role.choices)
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, null=True, blank=True, related_name="leads"
    )

    history = HistoricalRecords()

    class Meta:
        ordering = ["room", "staff", "role"]
        constraints = [
            models.UniqueConstraint(fields=["staff", "room", "role"], name="one_employment_of_a_role"),
            models.CheckConstraint(
                condition=Q(role=Role.PROVIDER_LEAD, provider__isnull=False)
                | (~Q(role=Role.PROVIDER_LEAD) & Q(provider__isnull=True)),
                name="provider_lead_names_a_provider",
                violation_error_message="A provider lead needs a provider, and no other role has one.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.staff} · {self.get_role_display()} · {self.room}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the row; an account without a home room gets the first room that employs the person."""
        super().save(*args, **kwargs)
        if self.staff.home_id is None:
            self.staff.refresh_from_db()
            if self.staff.home_id is None:
                self.staff.home_id = self.room_id
                self.staff.save(update_fields=["home"])  # with its history, which verify compares it with


class WorkPermit(models.Model):
    """The work permit of a person in one room; it overrides the account's licence there."""

    digest_policy = DigestPolicy(may_predate_journal=SET_UP)

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="permits")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="permits")
    number = models.CharField(max_length=40)
    expires = models.DateField(null=True, blank=True, help_text="Last day on which the permit is valid.")

    history = HistoricalRecords()

    class Meta:
        ordering = ["room", "staff"]
        constraints = [models.UniqueConstraint(fields=["staff", "room"], name="one_work_permit_in_a_room")]

    def __str__(self) -> str:
        return f"Work permit {self.number} of {self.staff}"


class PasswordReset(models.Model):
    """A new password for a person employed in several rooms: one room asks, and every other one has to confirm.

    `password` is the hash that the account gets once the last room has confirmed; it is cleared when the request ends.
    An unconfirmed request expires (`cardroom.people.accounts.RESET_HOURS`).
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for the other room"
        DONE = "done", "password set"
        REFUSED = "refused", "refused"

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="password_resets")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=200)
    password = models.CharField(max_length=128, blank=True, editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING, editable=False)
    asked_by = models.ForeignKey(Staff, on_delete=models.PROTECT, editable=False, related_name="+")
    asked_at = models.DateTimeField(editable=False)
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, editable=False, related_name="+")
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["staff"], condition=Q(state="waiting"), name="one_password_reset_waits_for_a_person"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at__isnull=True)
                | (~Q(state="waiting") & Q(ended_at__isnull=False, ended_by__isnull=False, password="")),
                name="a_password_reset_that_ended_keeps_no_password",
            ),
        ]

    def __str__(self) -> str:
        return f"New password for {self.staff}, asked for by {self.room}"


class PasswordConsent(models.Model):
    """One room's consent to a password reset; the asking room gives the first."""

    reset = models.ForeignKey(PasswordReset, on_delete=models.PROTECT, related_name="consents")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    given_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["reset", "room"], name="a_room_consents_once"),
            models.UniqueConstraint(fields=["reset", "given_by"], name="a_person_consents_for_one_room"),
        ]

    def __str__(self) -> str:
        return f"{self.room} consents: {self.reset}"


class Pin(models.Model):
    """The PIN by which a person signs at somebody else's tablet: a hash (`cardroom.people.pins`)."""

    digest_policy = DigestPolicy(
        may_predate_journal="a person of no room has no journal that records their PIN"
    )

    staff = models.OneToOneField(Staff, on_delete=models.PROTECT, primary_key=True, related_name="pin")
    hash = models.CharField(max_length=128)
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"PIN of {self.staff}"


_PROGRAM = ("staff_id", "room_id", "rights", "purpose", "made_at", "made_by_id", "approved_by_id")
_TOKEN = (
    "id", "program_id", "prefix", "hash", "expires_at", "made_at", "made_by_id", "approved_by_id",
)  # fmt: skip


class Program(models.Model):
    """A program that works by the API in one room: an account of its own with a list of rights (`cardroom.people.programs`).

    Its account (`staff`) has no password and no PIN: it signs in by a token alone, and never signs for somebody. The rights never
    change: with others it is another program.
    """

    guards = (
        Guard(
            "UPDATE",
            "a program never changes; it is ended once",
            when=lambda vendor: f"OLD.ended_at IS NOT NULL OR {changed(*_PROGRAM, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    staff = models.OneToOneField(Staff, on_delete=models.PROTECT, primary_key=True, related_name="program")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="programs")
    rights = models.JSONField(help_text="Names of rights in small letters, in their order: see_floor.")
    purpose = models.CharField(max_length=200, help_text="What it does, and who looks after it.")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(
        Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Empty where nobody else could sign yet.",
    )  # fmt: skip
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["staff"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__gte=F("made_at"), ended_by__isnull=False),
                name="a_program_is_ended_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return str(self.staff)


class ProgramToken(models.Model):
    """A token by which a program signs in: its SHA-256 alone, and the letters that it begins with, by which people tell it."""

    digest_policy = DigestPolicy(columns={"last_used_at": "moves with the token's use, and is no fact"})
    guards = (
        Guard(
            "UPDATE",
            "a token never changes; it is revoked once",
            when=lambda vendor: f"OLD.revoked_at IS NOT NULL OR {changed(*_TOKEN, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    program = models.ForeignKey(Program, on_delete=models.PROTECT, related_name="tokens")
    prefix = models.CharField(max_length=12, help_text="What it begins with, as it was shown.")
    hash = models.CharField(max_length=64, help_text="What is kept of the token (`token_hash`).")
    expires_at = models.DateTimeField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    last_used_at = models.DateTimeField(
        null=True, blank=True, help_text="Within a minute: it is not written with each request."
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["hash"], name="one_token_of_a_hash"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="a_token_expires_after_it_was_made"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | Q(revoked_at__gte=F("made_at"), revoked_by__isnull=False),
                name="a_token_is_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… of {self.program}"


class Lockout(models.Model):
    """Wrong passwords, PINs or codes in a row under one name, and whether it is locked (`cardroom.people.lockouts`).

    A right one, or a supervisor, deletes the row.
    """

    digest_policy = DigestPolicy(
        not_digested="wrong tries at signing in: state that is lifted again, and no fact"
    )

    class Kind(models.TextChoices):
        PIN = "pin", "PIN"
        PASSWORD = "password", "Password"
        SECOND_FACTOR = "second_factor", "Second factor"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject = models.CharField(
        max_length=80, help_text="The person, or the digest of a name that is nobody's."
    )
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="lockouts")
    tries = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0, help_text="Tries that came while it was locked.")
    last_try_at = models.DateTimeField()
    locked_until = models.DateTimeField(null=True)
    until_lifted = models.BooleanField(default=False)

    class Meta:
        ordering = ["-last_try_at"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], name="one_count_of_wrong_tries_a_name")
        ]

    def __str__(self) -> str:
        return f"{self.tries} wrong tries at the {self.get_kind_display()} of {self.staff or 'nobody'}"

    def is_locked(self, now: datetime.datetime) -> bool:
        """Tell whether tries are refused now."""
        return self.until_lifted or (self.locked_until is not None and self.locked_until > now)


class Player(models.Model):
    """A patron of the room, or a provider's proposition player. `staff` marks employees of the house (ruling 41).

    `number` is the room's for the player: it tells those apart whose names look alike (`name_key`). Pages name players
    by their names, so that two are never written alike: the second Lee Chan is "Lee Chan #41" (`told_apart`). A guest is somebody
    whom the room does not know by name yet. One who turned out to be another player of the room is `merged_into` that one:
    facts go on to refer to this row, and who reads them is told `known_as`.

    The names stand here, with those of before in `PlayerName` and the photograph in `PlayerPhoto`, and nowhere else: facts refer to a player by `ref`, which who reads
    them replaces (`cardroom.people.names`). What proves a name is `name_digest`, which chain and history keep; without the
    salt beside the name it tells nothing, so that names and salt can be erased (`erased_at`).
    """

    digest_policy = DigestPolicy(may_predate_journal=SET_UP, columns=dict.fromkeys(NAMES, _ERASABLE))

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="players")
    number = models.PositiveIntegerField(
        blank=True, help_text="The room's number of the player; left empty, the next one."
    )
    name = NameField(max_length=80)
    name_key = models.CharField(
        max_length=KEY_LENGTH,
        editable=False,
        help_text="What all names have in common that look like this one (cardroom.core.names).",
    )
    other_name = NameField(
        max_length=80, blank=True, help_text="The name in another script, or a second one they go by."
    )
    other_name_key = models.CharField(max_length=KEY_LENGTH, blank=True, editable=False)
    name_salt = models.CharField(
        max_length=SALT_LENGTH, blank=True, editable=False, help_text="Random; erased with the names."
    )
    name_digest = models.CharField(
        "name",
        max_length=64,
        editable=False,
        help_text="What proves both names while they are there (cardroom.people.names).",
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the names were erased, at the person's wish."
    )
    photo = models.OneToOneField(
        "people.PlayerPhoto",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="player",
    )
    is_guest = models.BooleanField(default=False, help_text="Seated before the room knew their name.")
    is_unused = models.BooleanField(
        default=False,
        editable=False,
        help_text="Added for a seat, and taken off it by an undo: nobody, until the entry is used for the next guest.",
    )
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="merged",
        help_text="Who this is, where two entries turned out to be one person; never one that was merged itself.",
    )
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, null=True, blank=True, related_name="players"
    )
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="players")
    is_active = models.BooleanField(default=True)
    excluded_until = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When the last of their exclusions ends that are in force; `FOR_GOOD` for one without an end.",
    )
    badge_number = models.CharField(max_length=40, blank=True, help_text="Of a provider's authorized player.")
    badge_expires = models.DateField(null=True, blank=True, help_text="Last day on which the badge is valid.")

    history = HistoricalRecords(excluded_fields=list(NAMES))

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "name"], condition=Q(erased_at__isnull=True), name="one_player_of_a_name"
            ),
            models.UniqueConstraint(
                fields=["room", "number"],
                name="one_player_of_a_number",
                violation_error_message="Another player of this room has this number.",
            ),
            models.UniqueConstraint(fields=["room", "staff"], name="one_player_of_a_member_of_staff"),
            models.CheckConstraint(
                condition=~Q(name=""),
                name="player_has_a_name",
                violation_error_message="A player needs a name.",
            ),
            models.CheckConstraint(condition=is_plain_in_sql("name"), name="a_players_name_is_plain"),
            models.CheckConstraint(
                condition=is_plain_in_sql("other_name"), name="a_players_other_name_is_plain"
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="players_are_numbered_from_one"),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(other_name="", name_salt="", photo__isnull=True, is_active=False),
                name="who_is_erased_has_no_names",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="nobody_is_merged_into_themselves",
            ),
        ]
        indexes = [models.Index(fields=["room", "name_key"], name="players_whose_names_look_alike")]

    def __str__(self) -> str:
        return self.known_as

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the row with how its names look; a player without a number gets the next one of the room."""
        self.name, self.other_name = plain_name(self.name), plain_name(self.other_name)
        if self.number is None:
            self.number = Player.next_number(self.room_id)
        self.clean()
        columns = kwargs.get("update_fields")
        if columns is not None and not {"name", "other_name"}.isdisjoint(columns):
            kwargs["update_fields"] = {*columns, *NAMES, "name_digest"}
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Read how the names look before constraints are asked, and prove them anew where they are others."""
        self.name_key, self.other_name_key = self.name_keys()
        if self.erased_at is None and self.name_digest != names_digest(
            self.name_salt, self.name, self.other_name
        ):
            self.name_salt = secrets.token_hex(SALT_LENGTH // 2)
            self.name_digest = names_digest(self.name_salt, self.name, self.other_name)

    def name_keys(self) -> tuple[str, str]:
        """How the two names look, without the number that tells two of one name apart."""
        return looks_like(self.name.removesuffix(f" #{self.number}")), looks_like(self.other_name)

    def told_apart(self, name: str, others: Container[str]) -> str:
        """Return how a name is written that one of `others` has already, or whoever is erased would: with the player's number."""
        taken = name in others or (_NAMELESS.fullmatch(looks_like(name)) and name != self.nameless)
        return f"{name} #{self.number}" if taken else name

    @staticmethod
    def next_guest(room_id: int) -> int:
        """Return the number of whoever is added next for a seat: one that was never used, or else the next."""
        unused = Player.objects.filter(room=room_id, is_unused=True).order_by("number")
        return unused.values_list("number", flat=True).first() or Player.next_number(room_id)

    @staticmethod
    def next_number(room_id: int) -> int:
        """Return the number after the last one of a room."""
        last: int | None = Player.objects.filter(room=room_id).aggregate(last=Max("number"))["last"]
        return (last or 0) + 1

    def may_play(self, now: datetime.datetime) -> bool:
        """Tell whether they may play in the room at `now`: active, and neither barred nor self-excluded."""
        return self.is_active and (self.excluded_until is None or self.excluded_until <= now)

    @property
    def person_id(self) -> int:
        """The id that all entries of one person have in common: of the one that the others were merged into."""
        return self.merged_into_id or self.pk

    @property
    def nameless(self) -> str:
        """What stands in place of a name that was erased."""
        return f"Player #{self.number}"

    @property
    def ref(self) -> str:
        """What documents and texts that are kept call them by: `player:12`, one for all entries of a person."""
        return f"player:{self.person_id}"

    @property
    def known_as(self) -> str:
        """The name of who this is: of the player whom they were merged into, where they were."""
        return self.name if self.merged_into is None else self.merged_into.name

    @property
    def label(self) -> str:
        """The name with the room's number, which nobody else has: as a field of a page takes it."""
        return f"{self.known_as.removesuffix(f' #{self.number}')} #{self.number}"


class PlayerName(models.Model):
    """Names that a player had before, until when, and who gave them others; erased with those of today (`player_erase`)."""

    digest_policy = DigestPolicy(columns=dict.fromkeys(("name", "other_name", "name_salt"), _ERASABLE))
    guards = (Guard("UPDATE", "a name of before never changes; it is erased with the player's"),)

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="names")
    name = NameField(max_length=80)
    other_name = NameField(max_length=80, blank=True)
    name_salt = models.CharField(max_length=SALT_LENGTH)
    name_digest = models.CharField(max_length=64, help_text="As the player's row had it.")
    ended_at = models.DateTimeField(help_text="When they were given another name.")
    ended_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"#{self.player.number} until {self.ended_at:%Y-%m-%d}"


class PlayerPhoto(models.Model):
    """A player's photograph as it is kept (`cardroom.people.photographs`); another takes its place, and it goes with the names."""

    digest_policy = DigestPolicy(columns=dict.fromkeys(("content", "salt"), _ERASABLE_PHOTO))
    guards = (Guard("UPDATE", "a photograph never changes: another takes its place, or it is taken away"),)

    content = models.BinaryField(help_text="A JPEG.")
    salt = models.CharField(max_length=SALT_LENGTH, help_text="Random; goes with the photograph.")
    digest = models.CharField(max_length=64, help_text="What proves it while it is there.")
    set_at = models.DateTimeField()
    set_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"photograph {self.pk}"


#: The end of an exclusion that has none.
FOR_GOOD = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC)

_EXCLUSION = (
    "id",
    "room_id",
    "player_id",
    "kind",
    "reason",
    "began_on",
    "ends_on",
    "entered_at",
    "entered_by_id",
)


class Exclusion(models.Model):
    """A player who may not play in the room, from a day on: barred, or excluded at their own wish (4 CCR 12463 to 12466).

    Need-to-know: only who keeps or oversees them reads kind and reason, and each look is an entry of the journal.
    """

    class Kind(models.TextChoices):
        SELF_EXCLUDED = "self_excluded", Phrase("Self-excluded")
        BARRED = "barred", Phrase("Barred by the room")
        BY_ORDER = "by_order", Phrase("By order of a court or the state")

    guards = (
        Guard(
            "UPDATE",
            "an exclusion never changes; it is lifted once",
            when=lambda vendor: f"OLD.lifted_at IS NOT NULL OR {changed(*_EXCLUSION, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="exclusions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    reason = models.CharField(max_length=200)
    began_on = models.DateField(help_text="The day on the room's calendar on which it was entered.")
    ends_on = models.DateField(null=True, blank=True, help_text="Its last day; empty: until it is lifted.")
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    lifted_approved_by = models.ForeignKey(
        Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    lifted_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("began_on")),
                name="an_exclusion_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(
                    lifted_at__isnull=True,
                    lifted_by__isnull=True,
                    lifted_approved_by__isnull=True,
                    lifted_reason="",
                )
                | Q(
                    lifted_at__gte=F("entered_at"), lifted_by__isnull=False, lifted_approved_by__isnull=False
                ),
                name="an_exclusion_is_lifted_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: #{self.player.number}"

    @property
    def ends_at(self) -> datetime.datetime:
        """The instant at which it ends: the midnight after its last day in the room's zone; `FOR_GOOD` for none."""
        if self.ends_on is None:
            return FOR_GOOD
        midnight = datetime.datetime.combine(self.ends_on, datetime.time(), self.room.zone)
        # The wall's clock goes on by a day, however many hours that has.
        return (midnight + datetime.timedelta(days=1)).astimezone(datetime.UTC)

    def holds_at(self, now: datetime.datetime) -> bool:
        """Tell whether it is in force at `now`."""
        return self.lifted_at is None and now < self.ends_at


class PlayerMerge(models.Model):
    """Two entries of a room that turned out to be one person: `player` was merged into `into`, by two people.

    Facts keep the row that they refer to; undoing it takes two as well.
    """

    guards = (
        Guard(
            "UPDATE",
            "a merge never changes; it is undone once",
            when=lambda vendor: f"OLD.undone_at IS NOT NULL OR {changed(*_MERGE, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    into = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges_into")
    reason = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    undone_approved_by = models.ForeignKey(
        Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(undone_at__isnull=True), name="a_player_is_merged_once"
            ),
            models.CheckConstraint(condition=~Q(player=F("into")), name="a_merge_is_of_two"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True, undone_approved_by__isnull=True)
                | Q(undone_at__gte=F("made_at"), undone_by__isnull=False, undone_approved_by__isnull=False),
                name="a_merge_is_undone_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.player.number} merged into #{self.into.number}"
