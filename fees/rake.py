"""House rake: the same flat cents from each payer that its mode names, known before the deal (ruling 20).

`games.collection` computes a rake, for settlements too; this module checks what a room may set, and quotes what a
round's hands would owe before it is known which of them the bank covers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fees.charges import Ante
from fees.errors import FeeError
from fees.quote import BANK, Fee, check_antes
from games.collection import Rake
from games.money import MOST_CENTS
from games.registry import game_of
from games.rulebook import Rulebook

__all__ = ["OPTION", "Rake", "RakeQuote", "modes_of", "rake_quote", "read_rake"]

#: The rulebook option that holds a rake.
OPTION = "house_rake"


def modes_of(rulebook: Rulebook) -> tuple[str, ...]:
    """Return the modes of house rake that a rulebook has; empty if none."""
    rule = rulebook.options.get(OPTION)
    return () if rule is None else tuple(map(str, rule.values))


def read_rake(rulebook: Rulebook, mode: str, cents: int) -> Rake:
    """Return the rake that a room may set; raises FeeError `no_house_rake`, `bad_rake_mode` or `bad_rake_cents`."""
    modes = modes_of(rulebook)
    if not modes:
        raise FeeError(
            "no_house_rake",
            f"{rulebook.name} by these rules knows no house rake: choose a fee schedule, or none.",
        )
    if mode not in modes:
        raise FeeError("bad_rake_mode", f"A house rake is paid by {' or '.join(modes)}, not by {mode!r}.")
    if isinstance(cents, bool) or not isinstance(cents, int) or not 0 < cents <= MOST_CENTS:
        raise FeeError(
            "bad_rake_cents",
            "A house rake is a whole number of cents above 0, the same for everybody who pays it.",
        )
    return Rake(mode, cents)


@dataclass(frozen=True, slots=True)
class RakeQuote:
    """What a round's hands owe the house, in cents: one a hand in the order given, then the bank's.

    Unlike the fees of a schedule it is not collected before the deal: a hand that the bank cannot cover pays none.
    """

    rake: Rake
    fees: tuple[Fee, ...]
    bank_seat: int

    @property
    def bank_cents(self) -> int:
        return sum(fee.cents for fee in self.fees if fee.seat == self.bank_seat)

    @property
    def players_cents(self) -> int:
        return self.cents - self.bank_cents

    @property
    def cents(self) -> int:
        return sum(fee.cents for fee in self.fees)


def rake_quote(
    rake: Rake, rulebook: Rulebook, antes: Sequence[Ante], *, bank_seat: int, dead: Collection[int] = ()
) -> RakeQuote:
    """Return what the hands behind `antes` owe with the bank at `bank_seat`, the seats in `dead` left out.

    Before the deal no hand is known to be dead: the quote then is the most that will be taken. Payers of 0 are left
    out. Raises FeeError as `quote` for antes that cannot be.
    """
    check_antes(antes, bank_seat)
    live = [ante for ante in antes if ante.seat not in dead]
    clause = game_of(rulebook.id).rake_clause(rulebook, rake.mode)
    due = [Fee(ante.player, ante.seat, rake.hand_cents, clause, behind=ante.behind) for ante in live]
    due.append(Fee(BANK, bank_seat, rake.bank_cents(len(live)), clause))
    return RakeQuote(rake, tuple(fee for fee in due if fee.cents), bank_seat)
