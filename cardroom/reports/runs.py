"""Rounds in a row by one bank, counted from the rounds themselves (ruling 40).

The turns' own counts are what the floor acts on; a report that used them too would repeat their mistakes.
Here a run is: settled rounds at one table, one after the other, banked by one player, with no complete cycle
of offers between. A cycle is complete when, at the moment the new turn began, every other occupied seat had
answered an offer since the round before; an answer that was withdrawn is none. A correction is no further round. A closed table ends a run, and a void neither counts nor ends one.
"""

from __future__ import annotations

from typing import Final, TypedDict

from django.db import connection

from cardroom.floor.models import Round
from games.rotation import load_profile
from games.rulebook import load_rulebook

from .figures import RoundRef


class Run(TypedDict):
    """A run of rounds in a row over the limit, oldest round first."""

    table: int
    player: int
    limit: int
    rounds: list[RoundRef]


def rounds_in_a_row(rulebook: str, rotation: str = "") -> int | None:
    """How many settled rounds in a row one player may bank, by the profile of a round or else of its rulebook.

    None where the profile goes by the clock: its rounds are held against it by the rotation's own review.
    """
    profile = rotation or load_rulebook(rulebook).rotation
    assert profile is not None  # a rulebook whose rounds a player banks has one
    return load_profile(profile).offer_after_rounds


def runs_over_limit(shift_id: int) -> list[Run]:
    """Find the runs over the limit with a round in the shift. Two queries, however many rounds it has.

    The count begins `limit` settled rounds before the shift's first at each table: enough to tell that a run
    is too long, and no walk through the table's whole past.
    """
    played = Round.objects.filter(
        shift=shift_id, state=Round.State.SETTLED, bank_player__isnull=False, corrects__isnull=True
    )
    rules = played.order_by("rulebook", "rotation").values_list("rulebook", "rotation").distinct()
    limits = [limit for rule in rules if (limit := rounds_in_a_row(*rule)) is not None]
    if not limits:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_RUNS, {"shift": shift_id, "skip": max(limits) - 1, "least": min(limits)})
        rows = cursor.fetchall()
    runs: dict[tuple[int, int], Run] = {}
    for table, place, player, round_, gaming_day, number, rulebook, rotation in rows:
        day = gaming_day if isinstance(gaming_day, str) else gaming_day.isoformat()
        if (limit := rounds_in_a_row(rulebook, rotation)) is None:
            continue
        run = runs.setdefault((table, place), Run(table=table, player=player, limit=limit, rounds=[]))
        run["limit"] = min(run["limit"], limit)  # a table may have changed its game in mid-run
        run["rounds"].append({"id": round_, "gaming_day": day, "number": number})
    return [run for run in runs.values() if len(run["rounds"]) > run["limit"]]


#: A round that corrects none is of revision 0. Asked for as one without `corrects`, SQLite would take that column's index
#: and walk through all rounds there are.
_RUNS: Final = """
WITH bounds AS (
    SELECT table_id, MIN(id) AS first_id, MAX(id) AS last_id FROM floor_round
    WHERE shift_id = %(shift)s AND state = 'settled' AND corrects_id IS NULL GROUP BY table_id
), starts AS (
    SELECT table_id, last_id, COALESCE((
        SELECT earlier.id FROM floor_round AS earlier
        WHERE earlier.table_id = bounds.table_id AND earlier.state = 'settled'
            AND earlier.revision = 0 AND earlier.id < bounds.first_id
        ORDER BY earlier.id DESC LIMIT 1 OFFSET %(skip)s
    ), 0) AS start_id
    FROM bounds
), settled AS (
    SELECT floor_round.id, floor_round.table_id, shift_id, turn_id, bank_seat, bank_player_id, opened_at,
        gaming_day, number, rulebook, rotation,
        LAG(bank_player_id) OVER earlier AS before_player,
        LAG(turn_id) OVER earlier AS before_turn,
        LAG(ended_at) OVER earlier AS before_end
    FROM floor_round
    JOIN starts ON starts.table_id = floor_round.table_id AND floor_round.id BETWEEN start_id AND last_id
    WHERE state = 'settled' AND revision = 0
    WINDOW earlier AS (PARTITION BY floor_round.table_id ORDER BY floor_round.id)
), marked AS (
    SELECT settled.*, CASE
        WHEN before_player IS NULL OR before_player <> bank_player_id THEN 1
        WHEN before_turn = turn_id THEN 0
        -- Nobody stayed since the round before: the table was closed, or broke up.
        WHEN NOT EXISTS (
            SELECT 1 FROM floor_seating AS sitting
            WHERE sitting.table_id = settled.table_id AND sitting.seated_at <= before_end
                AND (sitting.left_at IS NULL OR sitting.left_at > opened_at)
        ) THEN 1
        -- No other seat was occupied as the turn began without having answered since the round before.
        WHEN NOT EXISTS (
            SELECT 1 FROM floor_seating AS sitting JOIN floor_turn ON floor_turn.id = settled.turn_id
            WHERE sitting.table_id = settled.table_id AND sitting.seat <> settled.bank_seat
                AND sitting.seated_at <= began_at AND (sitting.left_at IS NULL OR sitting.left_at > began_at)
                AND NOT EXISTS (
                    SELECT 1 FROM floor_offer
                    WHERE floor_offer.table_id = sitting.table_id AND floor_offer.seat = sitting.seat
                        AND answered_at BETWEEN before_end AND began_at
                        AND NOT EXISTS (
                            SELECT 1 FROM floor_withdrawal WHERE floor_withdrawal.offer_id = floor_offer.id
                        )
                )
        ) THEN 1
        ELSE 0 END AS begins
    FROM settled
), placed AS (
    SELECT marked.*, SUM(begins) OVER (PARTITION BY table_id ORDER BY id) AS run FROM marked
), counted AS (
    SELECT placed.*, COUNT(*) OVER whole AS length,
        MAX(CASE WHEN shift_id = %(shift)s THEN 1 ELSE 0 END) OVER whole AS here
    FROM placed WINDOW whole AS (PARTITION BY table_id, run)
)
SELECT table_id, run, bank_player_id, id, gaming_day, number, rulebook, rotation FROM counted
WHERE length > %(least)s AND here = 1 ORDER BY table_id, id
"""
