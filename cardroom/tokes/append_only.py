"""Which rows of tokes may never change again, as triggers in the database: all of them."""

from __future__ import annotations

from fees.triggers import Trigger, refuse

_MESSAGES = {
    "tokes_poolrule": "a rule stays as it was made; make another that holds from a later day",
    "tokes_handin": "a hand-in stays as it was written; take it back by another row",
    "tokes_workedhours": "hours stay as they were written; take them back by another row",
    "tokes_poolsheet": "a closed sheet never changes",
}


def toke_triggers(vendor: str) -> list[Trigger]:
    """Return the triggers of tokes for `vendor` (`sqlite` or `postgresql`)."""
    return [
        trigger
        for table, message in _MESSAGES.items()
        for trigger in refuse(table, message=f"{table}: {message}", vendor=vendor)
    ]
