"""Settles a round of baccarat: the outcome of every wager, in the order in which the dealer settles them."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from games.baccarat.hands import BaccaratHand
from games.baccarat.rulebook import PUSHES
from games.baccarat.sheet import Sheet
from games.baccarat.terms import BaccaratTerms
from games.baccarat.wagers import BANKER, DRAGON_7, PANDA_8, PLAYER, TIE
from games.bets import BetPosition
from games.claims import DEALER, Verdict, claim
from games.money import payout_cents
from games.phrases import Phrase
from games.result import positions_in_order, result_of
from games.settlement import LOSE, PUSH, WIN, Line, RoundResult

#: A banker's win with three cards that count this pushes the banker's wager and pays Dragon 7.
SEVEN = 7
#: A player's win with three cards that count this pays Panda 8.
EIGHT = 8


class Coup(Struct, frozen=True):
    """What the two hands come to: their counts, and how many cards each has."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def dragon_7(self) -> bool:
        """The banker wins with a seven of three cards."""
        return self.banker > self.player and self.banker == SEVEN and self.banker_cards == 3

    @property
    def panda_8(self) -> bool:
        """The player wins with an eight of three cards."""
        return self.player > self.banker and self.player == EIGHT and self.player_cards == 3

    @property
    def text(self) -> str:
        return f"player {self.player}, banker {self.banker}"


def coup_of(player: BaccaratHand, banker: BaccaratHand) -> Coup:
    """The counts of two hands."""
    return Coup(player.count, banker.count, len(player.cards), len(banker.cards))


def format_result(coup: Coup, terms: BaccaratTerms) -> Phrase:
    """A coup as a dealer calls it: "Player 6, Banker 6: tie", "Player 8, Banker 6: Player wins · Panda 8"."""
    names = {wager: rule.name for wager, rule in terms.rulebook.wagers.items()}
    outcome = Phrase("tie")
    if coup.player != coup.banker:
        outcome = Phrase("{hand} wins", hand=names[PLAYER if coup.player > coup.banker else BANKER])
    for wager, hits in ((DRAGON_7, coup.dragon_7), (PANDA_8, coup.panda_8)):
        if hits and wager in terms.placed:
            outcome = Phrase("{outcome} · {wager}", outcome=outcome, wager=names[wager])
    return Phrase(
        "{player} {points}, {banker} {others}: {outcome}",
        player=names[PLAYER],
        points=coup.player,
        banker=names[BANKER],
        others=coup.banker,
        outcome=outcome,
    )


def settle_wagers(sheet: Sheet) -> RoundResult:
    """Settle the wagers of a round without fees. The bank has no hand that would have to qualify."""
    coup = coup_of(sheet.player_hand, sheet.banker_hand)
    claims = [
        position_claims(position, coup, sheet.terms)
        for position in positions_in_order(sheet, sheet.positions)
    ]
    return result_of(sheet, claims, qualified=True, on_the_hand=sheet.terms.placed)


def position_claims(position: BetPosition, coup: Coup, terms: BaccaratTerms) -> list[Line]:
    """The claims of a position's wagers in their order: the player's, then the tips, which fare as the wager beside them."""
    claims, tip_claims = [], []
    for wager in terms.rulebook.line_order:
        if wager not in position.wagers:
            continue
        verdict = verdict_on(wager, coup, terms)
        stake = position.wagers[wager]
        owed = 0 if verdict.odds is None else payout_cents(stake, verdict.odds)
        claims.append(claim(position, wager, stake, owed, verdict))
        if wager in position.tips:
            tip = position.tips[wager]
            owed = 0 if verdict.odds is None else payout_cents(tip, verdict.odds)
            tip_claims.append(claim(position, wager, tip, owed, verdict, party=DEALER))
    return claims + tip_claims


def verdict_on(wager: str, coup: Coup, terms: BaccaratTerms) -> Verdict:
    """The outcome of one wager."""
    clauses = terms.clauses[wager]
    if wager in (PLAYER, BANKER):
        return _on_a_hand(wager, coup, terms, clauses)
    hits = {TIE: coup.player == coup.banker, DRAGON_7: coup.dragon_7, PANDA_8: coup.panda_8}
    if not hits[wager]:
        return Verdict(LOSE, None, clauses["misses"], f"{coup.text}: pays nothing")
    odds = terms.rulebook.pays[wager]
    return Verdict(WIN, odds, clauses["pays"], f"{coup.text}: pays {odds.text}")


def _on_a_hand(wager: str, coup: Coup, terms: BaccaratTerms, clauses: Mapping[str, str]) -> Verdict:
    if coup.player == coup.banker:
        return Verdict(PUSH, None, clauses["ties"], f"{coup.text}: a tie, the wager goes back")
    if (wager == PLAYER) != (coup.player > coup.banker):
        return Verdict(LOSE, None, clauses["loses"], f"{coup.text}: {wager} loses")
    if wager == BANKER and coup.dragon_7 and terms.rulebook.three_card_seven == PUSHES:
        return Verdict(PUSH, None, clauses["seven"], f"{coup.text} with three cards: the wager goes back")
    odds = terms.rulebook.pays[wager]
    return Verdict(WIN, odds, clauses["pays"], f"{coup.text}: {wager} wins")


#: Coups of which one brings a position the most that any can: each hand's plain win, a tie, Dragon 7 and Panda 8.
_BEST_COUPS = (
    Coup(9, 0, 2, 2),
    Coup(0, 9, 2, 2),
    Coup(6, 6, 2, 2),
    Coup(0, SEVEN, 3, 3),
    Coup(EIGHT, 0, 3, 3),
)


def most_owed(placed: BetPosition, terms: BaccaratTerms) -> int:
    """The most in cents that any coup can bring a position."""
    return max(sum(line.owed for line in position_claims(placed, coup, terms)) for coup in _BEST_COUPS)


def even_money(placed: Iterable[BetPosition]) -> int:
    """The wagers on one hand and the tips beside them at even money, in cents: of the hand on which more is wagered."""
    sums = dict.fromkeys((PLAYER, BANKER), 0)
    for position in placed:
        for hand in sums:
            sums[hand] += position.wagers.get(hand, 0) + position.tips.get(hand, 0)
    return max(sums.values())
