"""Converts between a `Round` and the engine's round sheet, and turns the engine's refusals into the floor's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.people.models import Player
from cardroom.people.names import named
from games.bets import Bets, check_action_seat
from games.cards import CARD_NUMBERS
from games.engine import read_bets, read_recorded_sheet, read_sheet
from games.game import Deal
from games.money import dollars
from games.phrases import Phrase
from games.refusal import Refusal
from games.registry import game_of
from games.spots import PROGRESSIVE

from ..errors import BadInput, WhyNot
from ..models import Round, Seating, Table
from ..places import Place, place_of
from ..reads.meters import meter_shown, progressive_wagers

#: Refusals of a document that is no proper sheet at all; the others are about what it says.
FORM_CODES = frozenset({"bad_json", "unknown_key", "missing_key", "wrong_type"})


def refused(refusal: Refusal) -> BadInput:
    """Turn the engine's refusal into the floor's, with the same code, sentence and path."""
    status = 400 if refusal.code in FORM_CODES else 422
    return BadInput(refusal.code, named(refusal.message), path=refusal.path, status=status)


def bets_document(round_: Round, bets: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what lies on the layout of `round_` as a round sheet without cards and decisions."""
    document: dict[str, Any] = {
        "rulebook": round_.rulebook,
        "options": round_.options,
        **(
            {}
            if round_.house_banks
            else {"bank": {"seat": round_.bank_seat, "wager": round_.bank_wager_cents}}
        ),
        "positions": [
            {key: bet[key] for key in ("seat", "player", "wagers", "tips") if key == "wagers" or bet.get(key)}
            for bet in bets
        ],
    }
    if round_.action_seat is not None:
        document["action_seat"] = round_.action_seat
    # Where the game has no progressive, the engine refuses the wager.
    if round_.book.meter is not None and any(PROGRESSIVE in bet["wagers"] for bet in bets):
        document["meter"] = _meter_of(round_)
    return document


def _meter_of(round_: Round) -> int:
    """What the meter shows in cents for a round: in play what it shows now, in a correction what was recorded."""
    corrected = None if round_.corrects is None else (round_.corrects.sheet or {}).get("meter")
    return corrected or meter_shown(round_.table, progressive_wagers(round_.bets))


def bets_read(round_: Round, bets: list[dict[str, Any]], here: str = "positions[0]") -> Bets:
    """Let the engine check the wagers of `round_`; raises BadInput with the engine's code and path.

    `here` is what the caller calls the first of `bets`, when it is one of a longer list.
    """
    try:
        return read_bets(bets_document(round_, bets))
    except Refusal as refusal:
        bad = refused(refusal)
        bad.path = bad.path.replace("positions[0]", here)
        raise bad from refusal


def action_seat_checked(round_: Round) -> None:
    """Refuse a round without the seat at which the action starts, where the filed game has it named by dice or a button."""
    try:
        check_action_seat(round_.book, round_.action_seat)
    except Refusal as refusal:
        raise refused(refusal) from refusal


def sheet_with_cards(round_: Round, hands: Mapping[str, Any], results: list[dict[str, Any]]) -> Bets:
    """Join the bets of `round_` with its cards and decisions into a full sheet, checked by the engine.

    `hands` are the hands of the table by their keys in the sheet (`bank_hand`). `results` is one `{"seat", "behind", "hand",
    "decision", "tips"}` for each position (`behind` left out for the player of the seat); its `tips` are added to those placed
    before the deal (a tip on play comes with the decision, ruling 4). `hand` is None, or left out, for a hand that was
    folded and not exposed, where no wager depends on its cards. Raises BadInput for a result without a bet or a bet
    without a result, where the game deals cards to positions.
    """
    by_place: dict[Place, dict[str, Any]] = {}
    bettors = [place_of(bet) for bet in round_.bets]
    for index, result in enumerate(results):
        place = place_of(result)
        if place in by_place or place not in bettors:
            what = "has two results" if place in by_place else "has no wager in this round"
            raise BadInput(
                "bad_seat",
                Phrase("Seat {place} {what}.", place=place, what=what),
                path=f"positions[{index}].seat",
            )
        by_place[place] = result
    document = bets_document(round_, round_.bets)
    game = game_of(round_.rulebook)
    deal = game.deal(round_.terms)
    document.update(_with_board(round_, deal, hands))
    for index, (place, position) in enumerate(zip(bettors, document["positions"], strict=True)):
        result = by_place.get(place, {})
        if not result and deal.each:
            what = (
                Phrase("Seat {place} has wagers, but its cards and decision were not given.", place=place)
                if game.decisions(round_.terms)
                else Phrase("Seat {place} has wagers, but its cards were not given.", place=place)
            )
            raise BadInput("missing_key", what, path=f"positions[{index}]", status=400)
        if deal.each or result.get("hand") is not None:
            position["hand"] = result.get("hand")
        if (decision := _decision(round_, place, result, f"positions[{index}].decision")) is not None:
            position["decision"] = decision
        if result.get("tips"):
            position["tips"] = {**position.get("tips", {}), **result["tips"]}
    try:
        sheet = read_recorded_sheet(document)
    except Refusal as refusal:
        raise refused(refusal) from refusal
    if deal.shown and (why := why_not_shown(round_.shown_card, sheet)):
        raise BadInput.because(why, "bank_hand")
    return sheet


def _with_board(round_: Round, deal: Deal, hands: Mapping[str, Any]) -> dict[str, Any]:
    """The hands of the table with the board as it was recorded, where that is whole; BadInput for another one."""
    board = deal.board
    if board is None or not round_.board:
        return dict(hands)
    given, recorded = hands.get(board.id) or "", round_.board
    if not given and len(recorded.split()) == board.least:
        return {**hands, board.id: recorded}
    if given and given.split()[: len(recorded.split())] != recorded.split():
        what = Phrase("The board was recorded as {recorded}.", recorded=recorded)
        raise BadInput("board_differs", what, path=board.id)
    return dict(hands)


def _decision(round_: Round, place: Place, result: Mapping[str, Any], path: str) -> str | None:
    """What a position decided, from its result or as it was recorded; BadInput where the two differ."""
    recorded: str = round_.decided.get(str(place.seat), "")
    given: str | None = result.get("decision")
    if given is None:
        return recorded or None
    if recorded and given.split()[: len(recorded.split())] != recorded.split():
        what = Phrase("Seat {place} decided {recorded}.", place=place, recorded=recorded)
        raise BadInput("decision_differs", what, path=path)
    return given


def hands_given(round_: Round, bank_hand: str, hands: Mapping[str, str] | None) -> dict[str, str]:
    """The hands of the table by key, from a command's `bank_hand` and `hands`; what is empty is left out.

    Raises BadInput for a hand that the game does not have.
    """
    given = {"bank_hand": bank_hand, **(hands or {})}
    known = [hand.id for hand in game_of(round_.rulebook).deal(round_.terms).hands]
    for key, text in given.items():
        if text and key not in known:
            path = key if key == "bank_hand" else f"hands.{key}"
            raise BadInput(
                "unknown_hand",
                Phrase("This game has no {key}; it has {known}.", key=key, known=", ".join(known)),
                path=path,
            )
    return {key: text for key, text in given.items() if text}


def why_not_shown(shown_card: str, sheet: Bets) -> WhyNot | None:
    """A shown card that was recorded is one of the bank's three (ruling 49)."""
    if not shown_card or shown_card in (bank_hand := sheet.to_json()["bank_hand"]).split():
        return None
    return WhyNot(
        "shown_card_differs",
        Phrase(
            "The bank showed the {shown_card}, which is not among its cards {bank_hand}. Mend the bank's hand, or record the shown card anew if that was entered wrongly.",
            shown_card=shown_card,
            bank_hand=bank_hand,
        ),
    )


def card_named(typed: str, path: str = "card") -> str:
    """Return one card in the sheet's form: "kh" and "KH" are "Kh". Raises BadInput for anything else."""
    word = typed.strip()
    card = word[:1].upper() + word[1:].lower()
    if card not in CARD_NUMBERS:
        raise BadInput(
            "bad_card",
            Phrase("{typed} is no card; write one such as Kh or Tc.", typed=f"{typed!r}"),
            path=path,
        )
    return card


def recorded_sheet(
    table: Table, there: Mapping[Place, Seating], sheet: Any
) -> tuple[dict[str, Any], list[Place]]:
    """Fit a whole sheet, given from outside, to the table: options filled in, players referred to as they sit.

    Returns the document with the table's options, and the place of each position. Raises BadInput when the sheet is
    refused by the engine, speaks of another rulebook, other options or another fee schedule than the table's, or of
    people who do not sit there.
    """
    if not isinstance(sheet, dict):
        raise BadInput("wrong_type", Phrase("A round sheet is a JSON object."), status=400)
    try:
        parsed = read_sheet(sheet)
    except Refusal as refusal:
        raise refused(refusal) from refusal
    if sheet["rulebook"] != table.rulebook:
        raise BadInput(
            "rulebook_differs",
            Phrase(
                "{table} plays {rulebook}, the sheet {rulebook_}.",
                table=table,
                rulebook=table.rulebook,
                rulebook_=sheet["rulebook"],
            ),
            path="rulebook",
        )
    given = dict(sheet.get("options") or {})
    number = table.schedule.number if table.schedule else None
    if given.pop("fee_schedule", None) not in (
        None,
        number,
    ):  # null, the engine's default, names no setting of the table
        charged = f"schedule {number}" if number else "no fee schedule"
        raise BadInput(
            "options_differ",
            Phrase("{charged} is in force at {table}.", charged=charged.capitalize(), table=table),
            path="options.fee_schedule",
        )
    options = table.sheet_options
    for option, value in given.items():
        if options.get(option, parsed.rulebook.default_options[option]) != value:
            raise BadInput(
                "options_differ",
                Phrase("{table} is set to another {option} than the sheet.", table=table, option=option),
                path=f"options.{option}",
            )
    document = {**sheet, "options": dict(options), "positions": []}
    places: list[Place] = []
    for index, position in enumerate(sheet["positions"]):
        on_spot = {place: stay for place, stay in there.items() if place.seat == position["seat"]}
        called = position.get("player")
        place = next(
            (each for each, stay in on_spot.items() if _is_called(stay.player, called)),
            Place(position["seat"]),
        )
        if (sitting := on_spot.get(place)) is None or not _is_called(sitting.player, called):
            players = " and ".join(stay.player.known_as for stay in on_spot.values())
            who = f"{players or 'nobody'} {'sit' if len(on_spot) > 1 else 'sits'}"
            raise BadInput(
                "player_not_at_seat",
                Phrase(
                    "At seat {seat} {who}, not {x}.",
                    seat=position["seat"],
                    who=who,
                    x=position.get("player", "a player"),
                ),
                path=f"positions[{index}].player",
            )
        document["positions"].append({**position, "player": sitting.player.ref})
        places.append(place)
    return document, places


def _is_called(player: Player, called: str | None) -> bool:
    """Whether a sheet means a player: by name, by the room's number as in #41, by both, as records do, or by nothing."""
    return called in (None, player.known_as, f"#{player.number}", player.label, player.ref)


def check_meter(table: Table, sheet: Mapping[str, Any]) -> None:
    """Refuse a sheet with progressive wagers on another meter than the one that stands at the table for them.

    The meter is locked: linked tables change it too.
    """
    wagers = progressive_wagers(sheet["positions"])
    if wagers and sheet["meter"] != (shows := meter_shown(table, wagers)):
        raise BadInput(
            "meter_differs",
            Phrase(
                "The sheet has the meter at {meter}; at {table} it stands at {shows} for this round.",
                meter=dollars(sheet["meter"]),
                table=table,
                shows=dollars(shows),
            ),
            path="meter",
        )
