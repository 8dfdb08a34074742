"""A game's approval as a file that people read and write, TOML or JSON: `based_on`, and what the room's document says otherwise.

    based_on = "california"
    number = "GEGR-004861"
    title = "Three Card Poker"
    date = 2026-10-14
    seats = 8

    [sources]
    seats = "2, page 2"

The rest is as `games.approval` has it. What is unknown, wrong or of another rulebook is refused with the file and the place.
"""

from __future__ import annotations

import datetime
import json
from typing import Any, NamedTuple

from games.approval import APPROVAL, DATE
from games.datafile import DataFileError, read_data
from games.refusal import Refusal
from games.registry import RULEBOOKS, game_of
from games.sheet_json import NotJson, load_json
from games.tomltext import toml_text

from .models import GameFiling

BASED_ON = "based_on"


class ApprovalFileRefused(ValueError):
    """The file that cannot be read, or the game that has no approval to be written: the place, and what to mend."""


class ApprovalInFile(NamedTuple):
    """What a file says: the rulebook, and the approval as a filing's options hold it."""

    based_on: str
    approval: dict[str, Any]


def approval_table(game: GameFiling) -> dict[str, Any]:
    """The approval of a game as the data of a file. Raises ApprovalFileRefused where it has none."""
    approval = game.options.get(APPROVAL)
    if approval is None:
        raise ApprovalFileRefused(
            f"{game} says nothing otherwise than its rulebook: it has no approval of its own."
        )
    return {BASED_ON: game.rulebook, **approval}


def approval_toml(game: GameFiling) -> str:
    """The approval of a game as the text of a TOML file."""
    table = approval_table(game)
    if table.get(DATE):
        table[DATE] = datetime.date.fromisoformat(table[DATE])
    return toml_text(table)


def approval_json(game: GameFiling) -> str:
    """The same as JSON."""
    return json.dumps(approval_table(game), indent=2, ensure_ascii=False) + "\n"


def read_approval_file(data: bytes, *, file: str, rulebook: str = "") -> ApprovalInFile:
    """Read the bytes of a file called `file`: JSON where they begin with a brace, else TOML.

    Raises ApprovalFileRefused; also for one that is based on another rulebook than `rulebook`, where that is given.
    """
    try:
        read = load_json(data) if data.lstrip().startswith(b"{") else _toml(data, file)
    except (NotJson, DataFileError) as error:
        raise ApprovalFileRefused(
            str(error) if isinstance(error, DataFileError) else f"{file}: {error}"
        ) from None
    given = json_of(read)
    based_on = given.pop(BASED_ON, None)
    known = [each for each in RULEBOOKS if game_of(each).approved_terms()]
    if based_on not in known:
        raise ApprovalFileRefused(f"{file}: {BASED_ON} is one of {', '.join(known)}, not {based_on!r}.")
    if rulebook and based_on != rulebook:
        raise ApprovalFileRefused(
            f"{file}: {BASED_ON} is {based_on}, and this draft is based on {rulebook}: draft a game that is."
        )
    try:
        game_of(based_on).approved_rulebook(based_on, given)
    except Refusal as refusal:
        raise ApprovalFileRefused(f"{file}: {refusal.path or 'the file'}: {refusal.message}") from None
    return ApprovalInFile(based_on, given)


def _toml(data: bytes, file: str) -> dict[str, Any]:
    entry = read_data(data, file)
    return {name: entry.given(name) for name in entry.names()}


def json_of(value: Any) -> Any:
    """A value of TOML as JSON has it: a day as its text."""
    if isinstance(value, dict):
        return {key: json_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return [json_of(each) for each in value]
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value
