"""Report on access: the roles of the room with their holders since when, what was changed about them, and who signed in."""

from __future__ import annotations

import datetime
from typing import Any

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.reads.records import entries_of_room
from cardroom.people.duties import ALONE
from cardroom.people.journal import ADMINISTRATION, SIGN_INS
from cardroom.people.models import Employment, Role, Staff
from cardroom.people.rights import RIGHTS, Right

from ..queries.query import Report, ReportQuery
from ..queries.setting_changes import ADDED, changes_of_model

_NOTES = (
    "The list is that of the moment; the changes are those of the days asked about.",
    "A role is held since it was given, as the history of roles has it; a role from before that history is not listed.",
    "An account that is not active opens nothing, whatever roles it holds; leavers are made inactive within 72 hours.",
    "Sign-ins, failures and the administration are entries of the room's journal; a person of two rooms is in both.",
    "A failure is listed under the name that was typed, or who was signed in there; a name that is nobody's, in the log alone.",
    "While somebody is locked out, further tries are counted and not listed.",
    "An administrator of the site makes rooms and their first people in the admin, and may do nothing in a room without a role.",
)
_SITE = "administrator of the site"


def _held(employment: Employment) -> str:
    """Return the role that is held; of a program with the rights that it was given."""
    role = str(employment.get_role_display())
    program = getattr(employment.staff, "program", None)
    return role if program is None else f"{role}: {', '.join(program.rights)}"


def access(query: ReportQuery) -> ReportDocument:
    """List who has access, and the changes."""
    employments = list(
        Employment.objects.filter(room=query.room)
        .select_related("staff__program", "provider")
        .order_by("staff__display_name", "staff__username", "role")
    )
    people = [each for each in employments if each.role != Role.PROGRAM]
    given = _given([employment.pk for employment in employments])
    administrators = Staff.objects.filter(is_superuser=True).order_by("display_name", "username")
    day = query.last
    rows = [_row(each.staff, _held(each), each.provider, given.get(each.pk), day) for each in employments]
    rows += [_row(person, _SITE, None, None, day) for person in administrators]
    changes = [
        change
        for model in (Employment, Staff)
        for change in changes_of_model(model, query.room, query.since, query.until)
        if change.what != ADDED or model is Employment
    ]
    inactive = {each.staff_id for each in employments if not each.staff.is_active}
    expired = {each.staff_id for each in employments if _is_expired(each.staff, day)}
    entries = list(entries_of_room(query.room, [*SIGN_INS, *ADMINISTRATION], query.since, query.until))
    tables = dict(Table.objects.filter(room=query.room).values_list("pk", "number"))
    failed = [each for each in entries if each.command in _FAILED]
    alone = [each for each in entries if ALONE in each.data]
    return query.document(
        "access",
        "Access list",
        answers=[
            Answer("people", "People with a role", len({each.staff_id for each in people}), Kind.COUNT),
            Answer("inactive", "Inactive accounts with a role", len(inactive), Kind.COUNT),
            Answer(
                "expired",
                "Licences that have expired",
                len(expired),
                Kind.COUNT,
                Mark.LOOK if expired else Mark.DONE,
            ),
            Answer("changes", "Changes in this time", len(changes), Kind.COUNT),
            Answer("failed", "Wrong passwords, PINs and codes", len(failed), Kind.COUNT),
            Answer(
                "locked_out",
                "Lockouts",
                sum(each.command == "lockout_begin" for each in entries),
                Kind.COUNT,
            ),
            Answer(
                "alone",
                "Commands for two that one person did",
                len(alone),
                Kind.COUNT,
                Mark.LOOK if alone else Mark.DONE,
            ),
        ],
        grids=[
            Grid("people", "Who has access", _PEOPLE, rows, empty="Nobody holds a role here."),
            Grid(
                "changes",
                "What was changed",
                _CHANGES,
                [
                    Row(
                        {
                            "changed_at": change.at,
                            "who": change.row,
                            "what": change.what,
                            "element": change.element,
                            "before": change.before,
                            "after": change.after,
                            "by": change.by,
                        }
                    )
                    for change in sorted(changes, key=lambda change: (change.at, change.kind, change.pk))
                ],
                empty="No role and no account was changed in this time.",
            ),
            Grid(
                "alone",
                "Signed alone, no second holder",
                _COMMANDS,
                [_command(each, tables, Mark.LOOK) for each in alone],
                empty="Every command for two people had two.",
            ),
            Grid(
                "administration",
                "What the administration did",
                _COMMANDS,
                [_command(each, tables) for each in entries if each.command in ADMINISTRATION],
                empty="Nobody changed an account, a role or a setting of the room in this time.",
            ),
            Grid(
                "sign_ins",
                "Sign-ins and failures",
                _COMMANDS,
                [
                    _command(each, tables, Mark.LOOK if each.command in _FAILED else Mark.NONE)
                    for each in entries
                    if each.command in SIGN_INS
                ],
                empty="Nobody signed in in this time.",
            ),
            Grid(
                "rights",
                "What each role may do",
                (Column("right", "To"), Column("roles", "Roles that may")),
                [
                    Row({"right": right.value, "roles": ", ".join(sorted(role.label for role in roles))})
                    for right, roles in RIGHTS.items()
                ],
            ),
        ],
        notes=_NOTES,
    )


_PEOPLE = (
    Column("person", "Person"),
    Column("user_name", "User name"),
    Column("role", "Role"),
    Column("provider", "Provider"),
    Column("since_at", "Since", Kind.INSTANT, absent="not recorded"),
    Column("active", "Active"),
    Column("badge", "Badge"),
    Column("licence", "Licence"),
    Column("licence_expires", "Expires", Kind.DAY),
    Column("signed_in_at", "Last signed in", Kind.INSTANT, absent="never"),
)
_CHANGES = (
    Column("changed_at", "When", Kind.INSTANT),
    Column("who", "Who"),
    Column("what", "What"),
    Column("element", "Element"),
    Column("before", "Before"),
    Column("after", "After"),
    Column("by", "By"),
)
_COMMANDS = (
    Column("done_at", "When", Kind.INSTANT),
    Column("by", "Who"),
    Column("what", "What"),
    Column("about", "About"),
    Column("more", "More"),
    Column("approved_by", "Signed by"),
    Column("from", "From"),
)
_FAILED = frozenset({"sign_in_fail", "pin_refuse", "lockout_begin"})
#: What of an entry has a column of its own, and the digest of a file.
_TOLD = frozenset({"person", "approved_by", "address", "table", "file"})


def _command(entry: JournalEntry, tables: dict[int, int], mark: Mark = Mark.NONE) -> Row:
    data, number = entry.data, tables.get(entry.data.get("table", 0))
    origin = [str(data.get("address", "")), "" if number is None else f"table {number}"]
    signers = data.get("approved_by") or []
    about = (data.get("person") or {}).get("name", "")
    return Row(
        {
            "done_at": entry.at,
            "by": entry.actor_name,
            "what": {**SIGN_INS, **ADMINISTRATION}[entry.command],
            "about": "" if about == entry.actor_name else about,
            "more": ", ".join(
                f"{_words(key)} {_words(each)}" for key, each in data.items() if key not in _TOLD and each
            ),
            "approved_by": ", ".join(
                each["name"] for each in (signers if isinstance(signers, list) else [signers])
            ),
            "from": ", ".join(filter(None, origin)),
        },
        mark=mark,
    )


def _words(value: Any) -> str:
    """Say a part of an entry's data in words: a name, a list, or before and after of what was changed."""
    if isinstance(value, dict):
        if "name" in value:
            return str(value["name"])
        return ", ".join(f"{_words(key)} {_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        return " to ".join(_words(each) or "nothing" for each in value)
    return str(value).replace("_", " ")


def _row(
    person: Staff, role: str, provider: object | None, since: datetime.datetime | None, day: datetime.date
) -> Row:
    return Row(
        {
            "person": str(person),
            "user_name": person.username,
            "role": role,
            "provider": "" if provider is None else str(provider),
            "since_at": since,
            "active": "yes" if person.is_active else "no",
            "badge": person.badge,
            "licence": person.licence_number,
            "licence_expires": person.licence_expires,
            "signed_in_at": person.last_login,
        },
        mark=Mark.LOOK if _is_expired(person, day) else Mark.NONE,
    )


def _given(employments: list[int]) -> dict[int, datetime.datetime]:
    """When each of these roles was given, by the history's first word of it."""
    added = Employment.history.filter(id__in=employments, history_type="+")
    return dict(added.order_by("-history_date").values_list("id", "history_date"))


def _is_expired(person: Staff, day: datetime.date) -> bool:
    """Whether a person who may still sign in holds a licence that has expired by that day."""
    return person.is_active and person.licence_expires is not None and person.licence_expires < day


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    people = figures.several("people", "person")
    changes = figures.several("changes", "change")
    looks = [
        f"{figures.text(name)} {words}"
        for name, words in (
            ("expired", "with an expired licence"),
            ("locked_out", "locked out"),
            ("alone", "signed alone, without a second holder"),
        )
        if figures.number(name)
    ]
    to_look_at = f"; {', '.join(looks)}" if looks else ""
    hold = "holds" if figures.number("people") == 1 else "hold"
    return f"{people} {hold} a role, {changes} in this time{to_look_at}"


ACCESS = Report(
    name="access",
    title="Access list",
    text="Who holds which role since when, and which roles and accounts were changed?",
    right=Right.SEE_REPORTS,
    make=access,
    answer=_answer,
    by_table=False,
)
