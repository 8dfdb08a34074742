"""Formats wagers for a placard on screen and paper: limits, paytables and exact odds beside one another."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from games.money import dollars
from games.notices import in_a_row
from games.odds import NOT_WORKED_OUT, OddsRow, compare
from games.phrases import Phrase
from games.placard import PostedTable, PostedWager

from .placard import Limit, Placard


@dataclasses.dataclass(frozen=True)
class ByCard:
    """The best play of the ante against one shown card: the hand to play or better, and how many hands are played."""

    card: str
    play_from: str
    played: str


@dataclasses.dataclass(frozen=True)
class Odds:
    """The exact odds of one wager on one table, as text; `exact` is empty where they are not worked out.

    `advantage` is the bank's, in percent; `favours_players` says that it is below nothing. `printed` is what the
    rule document itself gives, empty where it gives none. `by_card` is the best play where the bank shows a card.
    """

    advantage: str
    exact: str
    hit: str
    printed: str
    favours_players: bool
    remark: str
    by_card: tuple[ByCard, ...] = ()


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a matrix that goes by the number of players: what each of its hands pays, and the odds."""

    players: int
    pays: tuple[str, ...]
    odds: Odds
    clause: str
    in_force: bool


@dataclasses.dataclass(frozen=True)
class Shown:
    """One wager: its limit, one paytable with odds, or a matrix of them by number of players.

    `hands` names the rows of the matrix, the best first.
    """

    wager: PostedWager
    limit: Limit | None
    table: PostedTable | None
    odds: Odds | None
    hands: tuple[str, ...]
    matrix: tuple[Column, ...]

    @property
    def rows(self) -> list[tuple[str, list[tuple[Column, str]]]]:
        """The matrix hand by hand: each column with what it pays on that hand."""
        return [
            (hand, [(column, column.pays[number]) for column in self.matrix])
            for number, hand in enumerate(self.hands)
        ]


def shown_wagers(placard: Placard, *, players: int | None = None) -> list[Shown]:
    """The wagers of a placard, those with a matrix last; `players` marks the columns for so many in the round."""
    shown = [_shown(placard, wager, players) for wager in placard.game.wagers]
    return sorted(shown, key=lambda each: bool(each.matrix))


def _shown(placard: Placard, wager: PostedWager, players: int | None) -> Shown:
    limit = placard.limit_of(wager.id)
    if any(table.players for table in wager.tables):
        columns = tuple(
            Column(
                players=table.players or 0,
                pays=tuple(pays for _, pays in table.lines),
                odds=_odds(row),
                clause=table.clause,
                in_force=table.players == players,
            )
            for table, row in zip(wager.tables, wager.odds, strict=True)
        )
        hands = tuple(hand for hand, _ in wager.tables[0].lines)
        return Shown(wager, limit, None, None, hands, columns)
    return Shown(
        wager,
        limit,
        wager.tables[0] if wager.tables else None,
        _odds(wager.odds[0]) if wager.odds else None,
        (),
        (),
    )


def _odds(row: OddsRow) -> Odds:
    return Odds(
        advantage=percent_of(row.edge),
        exact=""
        if row.edge is None
        else f"{row.edge.numerator:,}/{row.edge.denominator:,}".replace("-", "−"),
        hit=percent_of(row.hit),
        printed=_printed(row),
        favours_players=row.favours_players,
        remark=_remark(row),
        by_card=tuple(
            ByCard(each["card"], each["play_from"], f"{float(Fraction(each['played']) * 100):.1f}%")
            for each in row.detail.get("shown_card", ())
        ),
    )


def _printed(row: OddsRow) -> str:
    """The figures that the rule document prints of a wager."""
    text = ""
    for each in compare(row):
        percent = f"{each.published.percent}%"
        figure = (
            Phrase("advantage {percent}", percent=percent)
            if each.published.figure == "edge"
            else Phrase("frequency {percent}", percent=percent)
        )
        text = Phrase("{figures}; {next}", figures=text, next=figure) if text else figure
    return text


def percent_of(share: Fraction | None) -> str:
    """A share in percent to four places, the way documents print theirs: "8.5614%", "−2.5701%"; or that it is not known."""
    return NOT_WORKED_OUT if share is None else f"{float(share * 100):.4f}%".replace("-", "−")


def _remark(row: OddsRow) -> str:
    """What the figures rest on: the best decision for an ante, the meter for a progressive."""
    detail = row.detail
    if "shown_card" in detail:
        played = percent_of(Fraction(detail["played"]))
        limits = percent_of(Fraction(detail["edge_by_limits"]))
        return Phrase(
            "with the best decision for each hand and card shown, {played} of hands played; {limits} for whoever "
            "goes by the one hand given for each card",
            played=played,
            limits=limits,
        )
    if row.edge is None:
        return in_a_row(row.remarks) if row.remarks else ""
    if "decision" in detail:
        return Phrase("with the best decision: {decision}", decision=detail["decision"])
    if "meter_cents" in detail:
        fair = detail["fair_meter_cents"]
        amounts = {"unit": dollars(detail["unit_cents"]), "meter": dollars(detail["meter_cents"])}
        if fair is None:
            return Phrase("a bet of {unit} at a meter of {meter}, envy left out", **amounts)
        return Phrase(
            "a bet of {unit} at a meter of {meter}, envy left out; fair at {fair}",
            fair=dollars(fair),
            **amounts,
        )
    return ""
