"""Template context of a settlement step by step: seat by seat in order, each line with what the dealer does and why.

Reads the recorded settlement (see the round sheet's contract) and adds nothing to it but words and places.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from cardroom.floor.models import Round
from cardroom.floor.places import Place, Places, place_in, place_of, places_of
from cardroom.floor.reads.round_names import names_of
from cardroom.people.names import Names
from games.money import dollars
from games.phrases import Phrase
from games.registry import game_of
from games.rulebook import Rulebook

from ..parts.cards import Face, faces_of
from .spots import spot_name

#: Outcomes in a word, with the tone they are shown in. The word says it all; the tone only helps the eye.
OUTCOMES = {
    "win": (Phrase("wins"), "pay"),
    "lose": (Phrase("loses"), "take"),
    "push": (Phrase("pushes"), "back"),
    "no_action": (Phrase("no action"), "back"),
    "forfeit": (Phrase("forfeit"), "take"),
    "uncovered": (Phrase("uncovered"), "look"),
}

#: Kinds of moves, in the order in which a seat shows them, with the word for their sum. The stake of a wager that won stays where it
#: lies, and no seat shows it.
KINDS = {
    "pay": Phrase("pay"),
    "take": Phrase("take"),
    "push": Phrase("push"),
    "return": Phrase("return"),
    "short": Phrase("short"),
    "tip": Phrase("tip"),
    "fee": Phrase("fee back"),
}


@dataclasses.dataclass(frozen=True)
class Move:
    """What the dealer does with chips: `word` ("take", "pay", "return", "push", "tip box") and cents.

    `kind` is one of KINDS and sets its colour and shape. `spot` is where it is done, on a seat that shows that.
    """

    word: str
    cents: int
    kind: str
    note: str = ""
    spot: str = ""


@dataclasses.dataclass(frozen=True)
class Line:
    """One line: the wager's name, how it came out, the moves it takes, and what the bank has left after it (cents)."""

    number: int
    wager: str
    is_tip: bool
    stake_cents: int
    outcome: str
    tone: str
    odds: str
    moves: list[Move]
    reason: str
    clause: str
    bank_left_cents: int | None
    exhausts: bool

    @property
    def spot(self) -> str:
        """Where its chips are moved: the wager's spot, or the tip beside it."""
        return Phrase("tip") if self.is_tip else self.wager


@dataclasses.dataclass
class SeatSettlement:
    """A place of a settlement: its cards, its decision and its lines; `exposed`: its cards are on record, `gave_up`: it folded.

    A void round has no lines: `given` is what goes back.
    """

    place: Place
    player: str
    faces: list[Face]
    decision: str
    lines: list[Line]
    exposed: bool = True
    gave_up: bool = False
    given: list[Move] = dataclasses.field(default_factory=list)

    @property
    def by_spot(self) -> bool:
        """Whether each spot's moves are shown apart: positions without cards have room, and wagers that fare differently."""
        return bool(self.lines) and self.exposed and not self.faces

    @property
    def moves(self) -> list[Move]:
        """What the dealer does here: a sum of each kind, or of each kind on each spot in the order of settling."""
        sums = {} if self.by_spot else {("", kind): 0 for kind in KINDS}
        for spot, move in [
            *(("", move) for move in self.given),
            *((line.spot if self.by_spot else "", move) for line in self.lines for move in line.moves),
        ]:
            if move.kind in KINDS:
                sums[spot, move.kind] = sums.get((spot, move.kind), 0) + move.cents
        return [Move(KINDS[kind], cents, kind, spot=spot) for (spot, kind), cents in sums.items() if cents]


@dataclasses.dataclass(frozen=True)
class Returned:
    """Wagers of a place that went back because the bank could not cover them, in cents."""

    place: Place
    player: str
    cents: int


@dataclasses.dataclass(frozen=True)
class TableHand:
    """A hand that lay before no position: its label, empty for the bank's own, its cards, and their points if they have any.

    `lies_apart`: it belongs to no bank, and lies in the middle of the felt under its `name`. `least` is the number of cards
    that it begins with.
    """

    label: str
    faces: list[Face]
    lies_apart: bool
    name: str
    points: int | None
    least: int


@dataclasses.dataclass
class SettlementView:
    """A settled round, for the page to step through. All money in cents.

    `rake`: what was dropped is a house rake, and `fees` is who paid it. `funds`: the bank covers by its funds, a hand
    at a time; `dead` are the hands that it could not cover, and `most_cents` is the most that it held. `qualified` is None
    where no hand of the bank has to qualify. Where the house banks there is no seat, no wager and nothing left of it.
    `result` is what the hands of the table came to in words, empty where the game has none.
    """

    bank_seat: int | None
    bank_player: str
    table_hands: list[TableHand]
    result: str
    qualified: bool | None
    wager_cents: int | None
    left_cents: int | None
    won_cents: int
    lost_cents: int
    net_cents: int
    exhausted: bool
    seats: list[SeatSettlement]
    returned: list[Returned]
    short: list[Returned]
    fees: list[tuple[str, int]]
    drop_cents: int
    rake: bool
    funds: bool
    most_cents: int | None
    dead: list[SeatSettlement]
    tips_cents: int
    nets: list[tuple[str, int]]
    net_by_place: dict[Place, int]

    @property
    def felt_hands(self) -> list[TableHand]:
        """The hands that lie in the middle of the felt."""
        return [hand for hand in self.table_hands if hand.lies_apart]


@dataclasses.dataclass(frozen=True)
class VoidView:
    """A round that was voided: what each seat gets back, its fee included where the fees go back. All money in cents.

    `bank_seat` is None where the house banked; `fees_kept`: fees were dropped, and stay in the box.
    """

    bank_seat: int | None
    reason: str
    seats: list[SeatSettlement]
    stakes_cents: int
    fees_cents: int
    fees_kept: bool

    @property
    def net_by_place(self) -> dict[Place, int]:
        """Nobody has won or lost."""
        return {}


def void_view_of(round_: Round, fees_back: bool) -> VoidView:
    """Return what a void round gives back, or one that is being voided: wagers and tips of each place, the bank's wager, and fees."""
    bank = round_.bank_seat
    given: dict[Place, SeatSettlement] = {}
    names = names_of(round_)

    def give(place: Place, player: str, kind: str, cents: int) -> None:
        seat = given.setdefault(place, SeatSettlement(place, player, [], "", []))
        seat.given.append(Move(KINDS[kind], cents, kind))

    for bet in sorted(round_.bets, key=place_of):
        stakes = sum(bet["wagers"].values()) + sum((bet.get("tips") or {}).values())
        give(place_of(bet), names.in_place(bet["player"]), "return", stakes)
    if bank is not None and round_.bank_player is not None and round_.bank_wager_cents:
        give(Place(bank), round_.bank_player.known_as, "return", round_.bank_wager_cents)
    refunded = round_.fees if fees_back else []
    for fee in refunded:
        give(place_of(fee), names.in_place(fee["payer"]), "fee", fee["cents"] + fee.get("jackpot", 0))
    moves = [move for seat in given.values() for move in seat.moves]
    return VoidView(
        bank_seat=bank,
        reason=round_.void_reason,
        seats=list(given.values()),
        stakes_cents=sum(move.cents for move in moves if move.kind == "return"),
        fees_cents=sum(move.cents for move in moves if move.kind == "fee"),
        fees_kept=bool(round_.fees) and not refunded,
    )


def table_hands_of(round_: Round) -> list[TableHand]:
    """The hands of the table on record; the one hand of a bank that plays it needs no label."""
    sheet = round_.sheet or {}
    deal = game_of(round_.rulebook).deal(round_.terms)
    return [
        TableHand(
            label="" if deal.each and not hand.lies_apart else hand.label,
            faces=faces_of(sheet[hand.id]),
            lies_apart=hand.lies_apart,
            name=hand.name,
            points=deal.points(sheet[hand.id]),
            least=hand.least,
        )
        for hand in deal.hands
        if sheet.get(hand.id)
    ]


def result_of(round_: Round) -> str:
    """What the hands of the table came to, in words; empty where they are not on record."""
    game, sheet = game_of(round_.rulebook), round_.sheet or {}
    hands = {hand.id: sheet.get(hand.id) or "" for hand in game.deal(round_.terms).hands}
    return game.format_result(round_.terms, hands) if all(hands.values()) else ""


def settlement_view_of(round_: Round) -> SettlementView | None:
    """Return the settlement view of a round that was settled by its cards; None for any other round."""
    settlement, sheet = round_.settlement, round_.sheet
    if settlement is None or sheet is None:
        return None
    terms = round_.terms
    names = names_of(round_)
    bank, funds = settlement["bank"] or {}, terms.rulebook.coverage == "funds"
    places = places_of(round_.bets)
    hands = {place_in(places, position): position for position in sheet["positions"]}
    given_up = game_of(round_.rulebook).given_up(terms)
    # The bank is exhausted at the first line that it could not cover in full.
    first_short = next(
        (line["seq"] for line in settlement["lines"] if line["uncovered"] or line["short"]), None
    )
    seats: list[SeatSettlement] = []
    for line in settlement["lines"]:
        place = place_in(places, line)
        if not seats or seats[-1].place != place:
            position = hands[place]
            seats.append(
                SeatSettlement(
                    place=place,
                    player=names.in_place(line["player"]),
                    faces=faces_of(position.get("hand") or ""),
                    exposed=position.get("hand", "") is not None,
                    decision=position.get("decision") or "",
                    gave_up=position.get("decision") in given_up,
                    lines=[],
                )
            )
        seats[-1].lines.append(_line(terms.rulebook, line, exhausts=line["seq"] == first_short))
    return SettlementView(
        bank_seat=bank.get("seat"),
        bank_player=round_.bank_player.known_as if round_.bank_player else Phrase("The house"),
        table_hands=table_hands_of(round_),
        result=result_of(round_),
        qualified=settlement["qualified"] if game_of(round_.rulebook).bank_qualifies else None,
        wager_cents=bank.get("wager"),
        left_cents=bank.get("remaining"),
        won_cents=round_.taken_cents,
        lost_cents=round_.paid_cents,
        net_cents=round_.taken_cents - round_.paid_cents,
        exhausted=round_.exhausted,
        seats=seats,
        returned=_by_place(settlement["lines"], places, "uncovered", names),
        short=_by_place(settlement["lines"], places, "short", names),
        fees=[
            (
                Phrase("bank") if fee["seat"] == bank.get("seat") else names.in_place(fee["payer"]),
                fee["cents"],
            )
            for fee in settlement["fees"]
        ],
        drop_cents=settlement["drop"],
        rake=round_.rake is not None,
        funds=funds,
        most_cents=max(bank["wager"], *(line["bank_remaining"] for line in settlement["lines"]))
        if bank
        else None,
        dead=[seat for seat in seats if funds and all(line.outcome == "uncovered" for line in seat.lines)],
        tips_cents=settlement["tokes"],
        nets=list(names.in_place(settlement["net"]).items()),
        net_by_place=_net_by_place(settlement["lines"], places),
    )


def _net_by_place(lines: list[dict[str, Any]], places: Places) -> dict[Place, int]:
    """What each place won or lost in cents, fees left out; a player may hold several."""
    nets: dict[Place, int] = {}
    for line in lines:
        # The winnings of a tip are the dealer's; its stake is the player's loss.
        gained = -line["stake"] if line["toked"] else line["paid"] - line["taken"]
        place = place_in(places, line)
        nets[place] = nets.get(place, 0) + gained
    return nets


def _line(rulebook: Rulebook, line: dict[str, Any], *, exhausts: bool) -> Line:
    outcome, tone = OUTCOMES[line["outcome"]]
    return Line(
        number=line["seq"],
        wager=spot_name(rulebook, line["wager"]),
        is_tip=line["for"] == "dealer",
        stake_cents=line["stake"],
        outcome=outcome,
        tone=tone,
        odds=line["odds"] or "",
        moves=_moves(line),
        reason=line["reason"],
        clause=line["clause"],
        bank_left_cents=line["bank_remaining"],
        exhausts=exhausts,
    )


def _moves(line: dict[str, Any]) -> list[Move]:
    """The chips of a line, in the order in which a dealer's hands move them."""
    moves = []
    if line["taken"]:
        moves.append(Move(Phrase("take"), line["taken"], "take"))
    if line["toked"]:
        moves.append(Move(Phrase("tip box"), line["toked"], "tip", Phrase("stake and winnings of the tip")))
    elif line["paid"]:
        moves.append(Move(Phrase("pay"), line["paid"], "pay"))
    if line["uncovered"]:
        moves.append(Move(Phrase("return"), line["uncovered"], "return", Phrase("uncovered")))
    if back := line["returned"] - line["uncovered"]:
        won = line["outcome"] == "win"
        moves.append(
            Move(Phrase("return"), back, "stake", Phrase("stake"))
            if won
            else Move(Phrase("push"), back, "push")
        )
    if line["short"]:
        moves.append(
            Move(
                Phrase("short"),
                line["short"],
                "short",
                Phrase("of the {owed} owed", owed=dollars(line["owed"])),
            )
        )
    return moves


def _by_place(lines: list[dict[str, Any]], places: Places, figure: str, names: Names) -> list[Returned]:
    totals: dict[Place, Returned] = {}
    for line in lines:
        if line[figure]:
            place = place_in(places, line)
            before = totals.get(place)
            cents = line[figure] + (before.cents if before else 0)
            totals[place] = Returned(place, names.in_place(line["player"]), cents)
    return list(totals.values())
