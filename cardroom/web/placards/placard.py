"""Builds a placard: all that a table posts, from its live settings, or from a rulebook and choices (ruling 47).

One value feeds the screen and the printed page, so that they cannot disagree. Its `mark` names what is posted: a paper
whose mark is not the screen's is out of date.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from cardroom.core.dates import day_text
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.checks.limits import TIPS
from cardroom.floor.models import Table
from cardroom.floor.reads.settings import last_set
from cardroom.floor.reads.table_state import profile_of
from fees.rates import Schedule, Tariff
from games.money import dollars
from games.notices import Notice
from games.odds import OddsRow, Situation
from games.phrases import Phrase
from games.placard import GamePlacard, Section
from games.registry import game_of, read_options
from games.rotation.placard import rotation_rules
from games.rotation.profile import Profile, profile_under
from games.rulebook import Rulebook
from games.spots import PROGRESSIVE
from games.terms import Terms

from ..parts.clock import moment_of
from ..parts.options import format_options, format_rake

_MARK_LENGTH = 8
_NO_LIMIT = Phrase("no limit set")
_FEE_SCHEDULE = Phrase("Fee schedule")
_TABLE_SET = Phrase("Table set")


@dataclasses.dataclass(frozen=True)
class Limit:
    """The least and greatest of one wager in words; `cents` has them as numbers, and is None where no limit is set."""

    wager: str
    text: str
    cents: tuple[int | None, int | None] | None


@dataclasses.dataclass(frozen=True)
class Placard:
    """What is posted, the options in force, and the versions it was drawn from, both as (what, which) pairs.

    `schedule` is the fee schedule in force (None: no fee is collected), `rotation` is empty where the house banks.
    """

    game: GamePlacard
    limits: tuple[Limit, ...]
    schedule: Schedule | None
    rotation: tuple[Notice, ...]
    choices: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    mark: str

    @property
    def rulebook(self) -> Rulebook:
        return self.game.rulebook

    @property
    def tariff(self) -> tuple[Tariff, ...]:
        """Every fee of the schedule, wagers by their names on the layout; empty where no fee is collected."""
        if self.schedule is None:
            return ()
        return self.schedule.tariff_at(self.rulebook)

    @property
    def sections(self) -> list[Section]:
        """Which of the rules are posted beside the wagers; the others are on the rulebook's page."""
        return [self.game.section(each) for each in ("order", "bank")]

    @property
    def tip_limit(self) -> Limit | None:
        """The limit of each tip wager; None where the game takes no tips."""
        return self.limit_of(TIPS)

    def limit_of(self, wager: str) -> Limit | None:
        """The limit of one wager; None of one that follows from a decision."""
        return next((limit for limit in self.limits if limit.wager == wager), None)


def table_placard(table: Table) -> Placard:
    """Return what `table` posts as it is set now."""
    rulebook = table.book
    entry = last_set(table)
    settings = (
        f"{moment_of(table.room, entry.at)}, by {entry.actor_name}" if entry else "as the table was made"
    )
    return _placard(
        read_options(rulebook, table.sheet_options),
        limits={**table.wager_limits, **_unit(table)},
        schedule=None if table.schedule is None else table.schedule.schedule,
        profile=profile_of(table) if rulebook.player_banked else None,
        filed=(*_game(table), *_charged(table), (_TABLE_SET, settings)),
    )


def filed_placard(game: GameFiling, schedule: FeeSchedule | None) -> Placard:
    """Return what is posted of a filed game and the schedule that was charged with it, without the limits of a table."""
    return _placard(
        game.terms,
        limits={},
        schedule=None if schedule is None else schedule.schedule,
        profile=profile_under(game.book, game.rotation) if game.book.player_banked else None,
        filed=((Phrase("Game as filed"), _filed_as(game)), *_filing(schedule)),
    )


def _unit(table: Table) -> dict[str, list[int]]:
    """The room's one amount of a progressive wager, as limits (ruling 43); empty where the game has none."""
    if table.book.meter is None:
        return {}
    unit = table.room.progressive_unit_cents
    return {PROGRESSIVE: [unit, unit]}


def rules_placard(
    terms: Terms,
    *,
    limits: Mapping[str, Any] | None = None,
    schedule: Schedule | None = None,
    situation: Situation | None = None,
) -> Placard:
    """Return what a table on these terms would post. `limits` gives [least, most] in cents by wager."""
    return _placard(
        terms,
        limits=limits or {},
        schedule=schedule,
        profile=profile_under(terms.rulebook) if terms.rulebook.player_banked else None,
        situation=situation,
        filed=() if schedule is None else ((_FEE_SCHEDULE, schedule.title),),
    )


def _placard(
    terms: Terms,
    *,
    limits: Mapping[str, Any],
    schedule: Schedule | None,
    profile: Profile | None,
    filed: tuple[tuple[str, str], ...],
    situation: Situation | None = None,
) -> Placard:
    game = game_of(terms.rulebook.id).placard(terms, situation)
    placard = Placard(
        game=game,
        limits=tuple(_limits(game, limits, schedule)),
        schedule=schedule,
        rotation=() if profile is None else tuple(rotation_rules(profile)),
        choices=tuple(format_options(terms.rulebook, terms.options)),
        versions=(
            (Phrase("Rules"), _edition(terms.rulebook)),
            *([(Phrase("Rotation"), _rotation_edition(profile))] if profile is not None else []),
            *filed,
        ),
        mark="",
    )
    return dataclasses.replace(placard, mark=_mark(placard))


def _limits(game: GamePlacard, limits: Mapping[str, Any], schedule: Schedule | None) -> Iterator[Limit]:
    spots = {spot.id: spot for spot in game.terms.spots}
    for wager in game.wagers:
        if not spots[wager.id].placed or spots[wager.id].equals is not None:
            continue
        if spots[wager.id].charged and schedule is not None:
            cents = (schedule.ante_min_cents, schedule.ante_max_cents)
            yield Limit(wager.id, _range(*cents), cents)
        elif wager.id in limits:
            least, most = limits[wager.id]
            yield Limit(wager.id, _range(least, most), (least, most))
        else:
            yield Limit(wager.id, _NO_LIMIT, None)
    if game.terms.tip_spots:
        bounds = limits.get(TIPS)
        if bounds is None:
            yield Limit(TIPS, _NO_LIMIT, None)
        else:
            yield Limit(TIPS, _range(*bounds), (bounds[0], bounds[1]))


def _range(least: int | None, most: int | None) -> str:
    if least is not None and least == most:
        return Phrase("{amount}, no other amount", amount=dollars(least))
    if least is not None and most is not None:
        return Phrase("{least} to {most}", least=dollars(least), most=dollars(most))
    if least is not None:
        return Phrase("from {least}", least=dollars(least))
    return Phrase("up to {most}", most=dollars(most or 0))


def _edition(rulebook: Rulebook) -> str:
    """The document that the game is played by: the room's approval with its number and date, or else the rulebook's."""
    approval, document = rulebook.approval, rulebook.document
    if approval is not None and approval.number:
        dated = "" if approval.day is None else f", {day_text(approval.day)}"
        return f"{approval.title or rulebook.name}, {approval.number}{dated}"
    since = "" if document.in_force_from is None else f", in force from {day_text(document.in_force_from)}"
    return f"{document.title}, {document.authority}{since}"


def _rotation_edition(profile: Profile) -> str:
    return profile.name if profile.in_force_from is None else f"{profile.name}, from {profile.in_force_from}"


def _filing(filing: FeeSchedule | None) -> tuple[tuple[str, str], ...]:
    if filing is None:
        return ((_FEE_SCHEDULE, Phrase("none: no fee is collected")),)
    return ((_FEE_SCHEDULE, _filed_as(filing)),)


def _game(table: Table) -> tuple[tuple[str, str], ...]:
    """The game as it was filed; nothing where a table is set by hand."""
    return () if table.game is None else ((Phrase("Game as filed"), _filed_as(table.game)),)


def _filed_as(filing: FeeSchedule | GameFiling) -> str:
    """Which version it is, its days in force and the state's number."""
    since = "no day yet" if filing.effective_from is None else day_text(filing.effective_from)
    until = "" if filing.effective_to is None else f" until {day_text(filing.effective_to)}"
    reference = f", {filing.state_reference}" if filing.state_reference else ""
    return f"{filing}, in force from {since}{until}{reference}"


def _charged(table: Table) -> tuple[tuple[str, str], ...]:
    """What is charged at a table: the filing in force, or the house rake that it is set to."""
    return (
        _filing(table.schedule) if table.rake is None else ((Phrase("House rake"), format_rake(table.rake)),)
    )


def _mark(placard: Placard) -> str:
    """Eight figures of the hash of everything that is posted: the same content always bears the same mark."""
    game = placard.game
    content = [
        game.rulebook.id,
        [(wager.name, wager.spot, wager.text, wager.tables, _shares(wager.odds)) for wager in game.wagers],
        [made for _, made in game.ranking],
        placard.sections,
        game.rake,
        game.general_notices,
        [(limit.wager, limit.text) for limit in placard.limits],
        placard.tariff,
        placard.rotation,
        placard.choices,
        [(what, which) for what, which in placard.versions if what != _TABLE_SET],
    ]
    text = json.dumps(content, default=dataclasses.astuple, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_MARK_LENGTH].upper()


def _shares(rows: tuple[OddsRow, ...]) -> list[tuple[str, str]]:
    return [(str(row.edge), str(row.hit)) for row in rows]
