"""Commands that record the points of a round as they come: the cards of the board, and what positions decide."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.json_types import Size, Text
from cardroom.core.row_digests import row_update
from cardroom.people.rights import Right
from games.cards import hand_text
from games.dealt import check_dealt, read_cards
from games.phrases import Phrase
from games.points import decided, gone_back, gone_on, present_point
from games.refusal import Refusal

from ..checks.points import why_not_decide
from ..errors import BadInput
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Round
from ..reads.table_state import TableState
from ..settling.sheets import refused
from .command_types import MOST_POSITIONS, PositionDecision
from .round_steps import live_round


class PointsAnswer(TypedDict):
    """What is recorded of the round's points so far."""

    board: Annotated[str, "The cards of the board that lie there."]
    point: Annotated[str, "The id of the point at which positions decide now."]
    decided: Annotated[dict[str, str], "By seat, what was decided at each point, joined by blanks."]


@table_command(
    "PUT rounds/current/board",
    Right.RUN_ROUNDS,
    check=why_not_decide,
    title="Record the board",
    tag="Rounds",
    example={"cards": "9h 9c 4d"},
    page="board",
)
def board_show(
    tx: TableTransaction,
    *,
    cards: Annotated[str, Text(80, blank=True), "All cards of the board that lie there; empty: none."],
) -> PointsAnswer:
    """Record the cards of the board as they are shown: the next point of the round comes.

    Whoever has decided nothing at an earlier point has let it pass. The last cards may be recorded anew, or taken back (`cards`
    without them): what was decided since is then decided anew.
    """
    state = tx.state()
    round_, points = live_round(state), state.game.points(state.terms)
    try:
        board = read_cards(cards, "cards")
        check_dealt([("cards", board)], [], decks=state.game.deal(state.terms).decks)
    except Refusal as refusal:
        raise refused(refusal) from refusal
    sizes = sorted({0, *(point.board for point in points)})
    if len(board) not in sizes:
        what = Phrase(
            "{sizes} cards of the board are shown at a time, not {cards}.",
            sizes=" or ".join(map(str, sizes[1:])),
            cards=len(board),
        )
        raise BadInput("hand_size", what, path="cards")
    before, shown = round_.board.split(), hand_text(board).split()
    # The last cards may be recorded anew, or taken back; those before them stay.
    last = max((size for size in sizes if size < max(len(before), len(shown))), default=0)
    stay = min(last, len(before), len(shown))
    if shown[:stay] != before[:stay]:
        what = Phrase("The board is {before} so far; it goes on from there.", before=round_.board)
        raise BadInput("board_differs", what, path="cards")
    now = present_point(points, len(board))
    moved = gone_on if len(shown) >= len(before) else gone_back
    paths = {
        seat: path
        for seat in sorted({str(bet["seat"]) for bet in round_.bets})
        if (path := moved(points, now, round_.decided.get(seat, "")))
    }
    row_update(round_, board=" ".join(shown), decided=paths)
    tx.journal("board_show", {"round": round_.pk, "before": " ".join(before), "after": round_.board})
    return _answer(state, round_)


@table_command(
    "PUT rounds/current/decisions",
    Right.RUN_ROUNDS,
    check=why_not_decide,
    title="Record decisions",
    tag="Rounds",
    example={"positions": [{"seat": 4, "decision": "4x"}]},
    page="decide",
)
def decisions_record(
    tx: TableTransaction, *, positions: Annotated[list[PositionDecision], Size(1, MOST_POSITIONS)]
) -> PointsAnswer:
    """Record what seats decide at the present point; one that was recorded at this point is replaced.

    The decision of a seat holds for all who wager on its spot. A decision of another point is refused (`decision_not_now`), and one of a seat that has decided (`has_decided`).
    """
    state = tx.state()
    round_, points = live_round(state), state.game.points(state.terms)
    now = present_point(points, len(round_.board.split()))
    seats = {bet["seat"] for bet in round_.bets}
    paths, before = dict(round_.decided), dict(round_.decided)
    for index, each in enumerate(positions):
        seat = str(each["seat"])
        if each["seat"] not in seats:
            what = Phrase("Seat {place} has no wager in this round.", place=seat)
            raise BadInput("bad_seat", what, path=f"positions[{index}].seat")
        path = gone_on(points, now, paths.get(seat, ""))
        try:
            paths[seat] = decided(points, now, path, each["decision"])
        except Refusal as refusal:
            raise refused(refusal.under(f"positions[{index}]")) from refusal
    row_update(round_, decided=paths)
    changed = {seat: path for seat, path in paths.items() if before.get(seat) != path}
    tx.journal(
        "decisions_record",
        {"round": round_.pk, "before": {seat: before.get(seat, "") for seat in changed}, "after": changed},
    )
    return _answer(state, round_)


def _answer(state: TableState, round_: Round) -> PointsAnswer:
    points = state.game.points(state.terms)
    now = points[present_point(points, len(round_.board.split()))]
    return {"board": round_.board, "point": now.id, "decided": round_.decided}
