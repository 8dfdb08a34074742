"""What an attack on the database can change without `verify` finding it, each with its reason.

The run over all tables (`make attacks`) fails for what is neither found nor listed here, and for what is listed here and
found. A new table of facts needs nothing: its rows are covered by the commands that write them. For a table that no command
writes, say so in the `digest_policy` of its model (`cardroom.core.row_digests`), and list it here.
"""

from __future__ import annotations

from typing import Final

#: Stands for every column of a table, and for rows taken out, put in and swapped.
ALL: Final = "*"
PUT: Final = "row put in"

_PACKAGE = "of a package that the site is built with; no fact of the room"
_OLDER = (
    "an entry that manage.py or a room's file wrote, neither a command nor the admin: only the newest one of each row is "
    "compared with the row"
)
_SINCE = "what a run since a checkpoint goes by: a whole run looks at everything, and needs none"
_STATE = "working state of the background, written over as it runs"

EXCEPTIONS: Final[dict[str, dict[str, str]]] = {
    "account_emailaddress": {ALL: _PACKAGE},
    "account_emailconfirmation": {ALL: _PACKAGE},
    "auth_group": {ALL: _PACKAGE + ": rights come from roles alone"},
    "auth_group_permissions": {ALL: _PACKAGE + ": rights come from roles alone"},
    "auth_permission": {ALL: _PACKAGE + ": rights come from roles alone"},
    "django_admin_log": {ALL: _PACKAGE + ": the administration's own log"},
    "django_content_type": {ALL: _PACKAGE},
    "django_session": {ALL: _PACKAGE + ": who is signed in now"},
    "floor_journalentry": {
        "id": "no fact: an entry is known by its chain and its place there",
        "two rows swapped": "two entries that swap their ids alone",
    },
    "floor_storedanswer": {ALL: "kept seven days for a repeat of a command; no fact"},
    "floor_table": {"version": "a counter for If-Match, which moves with every command"},
    "floor_waitingentry": {
        "name": "what a guest is called by while they wait; no fact, and gone as they leave the list"
    },
    "inbox_search": {ALL: _STATE + ": how far the search for items has got"},
    "jobs_heartbeat": {ALL: _STATE},
    "jobs_job": {ALL: _STATE + "; what background reports say is compared with the journal"},
    "mfa_authenticator": {ALL: _PACKAGE + ": the second factors of accounts"},
    "people_lockout": {ALL: "wrong tries at signing in: state that is lifted again, and no fact"},
    "people_programtoken": {"last_used_at": "moves with the token's use, and is no fact"},
    "people_staff": {
        "password": "a hash that is in no history",
        "last_login": "moves with each sign-in",
    },
    "people_staff_groups": {ALL: "groups give no rights: they come from roles"},
    "people_staff_user_permissions": {ALL: "Django's permissions give no rights: they come from roles"},
    "reports_checkpoint": dict.fromkeys(("id", "made_at", "last", "row taken out", PUT), _SINCE),
    "reports_piecescratch": {ALL: "what pieces of a verification say to one another; gone when it has ended"},
    "rooms_room": {"version": "a counter for If-Match, which moves with every command"},
    "usersessions_usersession": {ALL: _PACKAGE + ": who is signed in now"},
    "webhooks_webhook": {"position": "how far deliveries have come, which moves on with each"},
    "webhooks_webhooktry": {ALL: "a log of tries, which is cleared after thirty days"},
    **{
        table: {ALL: _OLDER}
        for table in (
            "filings_historicalfeeschedule",
            "filings_historicalgamefiling",
            "floor_historicaltable",
            "people_historicalemployment",
            "people_historicalplayer",
            "people_historicalprovider",
            "people_historicalroom",
            "people_historicalstaff",
        )
    },
}


def reason(table: str, what: str) -> str | None:
    """Return why an attack on a table may stay unfound; None where it may not."""
    known = EXCEPTIONS.get(table, {})
    return known.get(what) or known.get(ALL)
