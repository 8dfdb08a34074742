"""Queries on the procedures of a table now: decks, inspections, counts, irregularities and wins that decide what is next.

Read beside the reading of `table_state` and only when asked for: three queries, and one more where the game has a
progressive. What it all leads to, the procedure rules decide (`games`).
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from games import meter
from games.procedures import decks as deck_rules
from games.procedures import stub_count
from games.procedures.dealing import Setup
from games.procedures.rules import RESHUFFLE, RETIRE_DECK, ROUND_VOID, Objection, ProcedureRules
from games.registry import procedure_rules_of
from games.rulebook import Rulebook

from ..models import Deck, Procedure, ProgressiveWin, Round, Table

Kind = Procedure.Kind
#: So many deals are looked back on at most: rounds without a count beyond it are counted as that many.
LOOK_BACK = 20
#: Who looks decks over; and what says whether a count is due.
_LOOKS = (Kind.INSPECTED, Kind.IDLE_ENDED)
_COUNTS = (Kind.STUB_COUNT, Kind.COUNT_WAIVED)
#: What decides whether a round is void by the rules.
VOIDING = (Kind.STUB_COUNT, Kind.IRREGULARITY, Kind.WITHDRAWN)


def current_irregularities(facts: Iterable[Procedure]) -> list[Procedure]:
    """Return the irregularities among the facts of one round that are not withdrawn, in their order."""
    facts = list(facts)
    withdrawn = {fact.withdraws_id for fact in facts if fact.kind == Kind.WITHDRAWN}
    return [fact for fact in facts if fact.kind == Kind.IRREGULARITY and fact.pk not in withdrawn]


def voiding_of(facts: Iterable[Procedure]) -> Procedure | None:
    """Return which of the facts of one round, in their order, voids it by the rules; None where it stands.

    A wrong count comes first: the last count of the round decides, for another count may put a wrong one right.
    """
    facts = list(facts)
    counts = [fact for fact in facts if fact.kind == Kind.STUB_COUNT][-1:]
    void = [fact for fact in (*current_irregularities(facts), *counts) if fact.round_fate == ROUND_VOID]
    return void[-1] if void else None


@dataclasses.dataclass(frozen=True)
class TableProcedures:
    """What was done at a table beside the money, as far as it matters now.

    `decks` are those that serve, the first put there first. `deals` are the latest deals, the latest first. `facts`
    are those of the round in play, the looks at decks since the table opened, and the counts of the latest deals,
    in the order in which they were made. `wins` are those of the last settled round that stand.
    """

    table: Table
    live: Round | None
    last: Round | None
    rules: ProcedureRules
    decks: list[Deck]
    deals: list[Procedure]
    facts: list[Procedure]
    wins: list[ProgressiveWin]

    @property
    def setup(self) -> Setup:
        """How the table shuffles and deals; the first way where the rules name some and the table has none set."""
        return Setup(
            shuffler=self.table.shuffler != Table.Shuffler.NONE,
            method=self.table.dealing or next(iter(self.rules.methods), ""),
        )

    def of_round(self, *kinds: Kind) -> list[Procedure]:
        """What was done in the round in play, in order."""
        if self.live is None:
            return []
        return [fact for fact in self.facts if fact.round_id == self.live.pk and fact.kind in kinds]

    # -- Decks ---------------------------------------------------------------------------------------------------

    @property
    def registered(self) -> list[deck_rules.Deck]:
        """The decks that serve, as the rules know them."""
        return [deck_rules.Deck(deck.name, deck.colour) for deck in self.decks]

    @property
    def last_deck(self) -> str | None:
        """The deck that was dealt last, if that still serves."""
        names = {deck.pk: deck.name for deck in self.decks}
        dealt = (deal.deck_id for deal in self.deals if deal.deck_id is not None)
        return names.get(next(dealt, 0))

    @functools.cached_property
    def deck_due(self) -> deck_rules.DeckDue | None:
        """The deck from which the coming round is dealt; None when the table has none registered."""
        return deck_rules.deck_due(self.rules, self.registered, last=self.last_deck) if self.decks else None

    @property
    def chosen(self) -> Procedure | None:
        """The choice of another deck for the round in play, with its reason."""
        choices = self.of_round(Kind.DECK_CHOSEN)
        return choices[-1] if choices else None

    @property
    def in_play(self) -> Deck | None:
        """The deck of the round in play: dealt, chosen or due. Between rounds the one that was dealt last."""
        dealt = self.of_round(Kind.DEALT)
        if dealt or self.live is None:
            known = dealt or self.deals[:1]
            return next((deck for deck in self.decks if known and deck.pk == known[-1].deck_id), None)
        if self.chosen is not None:
            return next((deck for deck in self.decks if deck.pk == self.chosen.deck_id), None)
        due = self.deck_due
        return None if due is None else next(deck for deck in self.decks if deck.name == due.deck)

    def repeats(self, deck: str) -> bool:
        """Whether the coming round would be the second in a row from `deck`, where decks take turns."""
        return deck_rules.repeats(self.rules, self.registered, deck, last=self.last_deck)

    def repeat_objection(self) -> Objection | None:
        """Why the coming round may not be dealt from its deck: it was dealt last, and no supervisor lets it be again."""
        if self.of_round(Kind.DEALT) or self.deck_due is None:
            return None
        chosen = self.chosen
        names = {deck.pk: deck.name for deck in self.decks}
        deck = self.deck_due.deck if chosen is None else names.get(chosen.deck_id or 0)
        if deck is None or not self.repeats(deck):
            return None
        return deck_rules.why_not_deck(
            self.rules,
            self.registered,
            deck,
            last=self.last_deck,
            reason="" if chosen is None else chosen.reason,
            supervisor=chosen is not None and chosen.ordered_by_id is not None,
        )

    def deck_objection(self) -> Objection | None:
        """What the rules object to in the decks that serve."""
        return deck_rules.why_not_decks(self.rules, self.registered, shuffler=self.setup.shuffler)

    def looks_at(self, deck: Deck) -> tuple[set[str], set[str] | None]:
        """Who has looked `deck` over since it came and the table opened; and who since an idle spell, if one was."""
        idle = max((fact.pk for fact in self.facts if fact.kind == Kind.IDLE_ENDED), default=None)
        looks = [fact for fact in self.facts if fact.kind == Kind.INSPECTED and fact.deck_id == deck.pk]
        since = None if idle is None else {fact.subject for fact in looks if fact.pk > idle}
        return {fact.subject for fact in looks}, since

    def inspection_objection(self, deck: Deck) -> Objection | None:
        """Who has to look `deck` over before it is in use, and by which clause; None when all have."""
        notes, since_idle = self.looks_at(deck)
        return deck_rules.why_not_in_use(self.rules, notes, since_idle=since_idle)

    def inspector_due(self, deck: Deck) -> str:
        """Who has to look `deck` over next, where `inspection_objection` has one."""
        notes, _ = self.looks_at(deck)
        rule = self.rules.inspection
        missing = [] if deck_rules.PRE_SHUFFLED in notes else [each for each in rule.by if each not in notes]
        if missing:
            return missing[0]
        assert rule.after_idle is not None  # nothing else is left to object to
        return rule.after_idle

    # -- The stub ------------------------------------------------------------------------------------------------

    @property
    def rounds_since_count(self) -> int:
        """Rounds dealt since the stub was counted last; since the table opened, if it was not."""
        counted = [fact.made_at for fact in self.facts if fact.kind == Kind.STUB_COUNT]
        since = max([*counted, *([self.table.opened_at] if self.table.opened_at else [])], default=None)
        return sum(1 for deal in self.deals if since is None or deal.made_at > since)

    @property
    def count_waived(self) -> bool:
        """Whether a supervisor lets the coming round go without a count; that holds for one deal."""
        dealt = self.deals[0].pk if self.deals else 0
        return any(fact.kind == Kind.COUNT_WAIVED and fact.pk > dealt for fact in self.facts)

    @property
    def count_due(self) -> stub_count.CountDue:
        """Whether the stub is to be counted before the next round, and why or why not."""
        return stub_count.count_due(
            self.rules,
            self.setup.method,
            self.rounds_since_count,
            shuffler_counts=self.table.shuffler == Table.Shuffler.COUNTS,
        )

    def count_objection(self) -> Objection | None:
        """Why the next round may not be dealt before a count or a supervisor's word."""
        return stub_count.why_not_deal(
            self.rules,
            self.setup.method,
            self.rounds_since_count,
            shuffler_counts=self.table.shuffler == Table.Shuffler.COUNTS,
            supervisor=self.count_waived,
        )

    # -- What happened in the round -------------------------------------------------------------------------------

    @property
    def irregularities(self) -> list[Procedure]:
        """The irregularities of the round in play, without those that were withdrawn."""
        return current_irregularities(self.of_round(Kind.IRREGULARITY, Kind.WITHDRAWN))

    @property
    def voiding(self) -> Procedure | None:
        """What voids the round in play by the rules (`voiding_of`)."""
        return voiding_of(self.of_round(*VOIDING))

    @property
    def reshuffle(self) -> Procedure | None:
        """What of the round in play asks for a reshuffle, or for another deck, when it is over."""
        follows = (RESHUFFLE, RETIRE_DECK)
        found = [fact for fact in self.irregularities if fact.card_fate in follows]
        return found[-1] if found else None

    # -- The progressive ------------------------------------------------------------------------------------------

    @property
    def pending(self) -> list[ProgressiveWin]:
        """Wins that wait for a supervisor."""
        return [win for win in self.wins if win.state == ProgressiveWin.State.PENDING]

    def win_objection(self) -> str | None:
        """Why the last round is not over: a win that waits, or one that was not keyed in."""
        if self.last is None or self.last.settlement is None:
            return None
        return meter.why_not_end_game(self.last.settlement["lines"], [win_of(win) for win in self.wins])


def decks_of(table: Table) -> QuerySet[Deck]:
    """The decks that serve at a table, the first put there first."""
    return Deck.objects.filter(table=table, retired_at__isnull=True).order_by("id")


def deals_of(table: Table) -> QuerySet[Procedure]:
    """The deals at a table, the latest first."""
    return Procedure.objects.filter(table=table, kind=Kind.DEALT).order_by("-id")


def table_procedures(
    table: Table, live: Round | None, last: Round | None, rulebook: Rulebook
) -> TableProcedures:
    """Read the procedures of a table; `live` and `last` are its round in play and the last settled one."""
    rules = procedure_rules_of(rulebook)
    deals = list(deals_of(table)[:LOOK_BACK])
    earliest = _later(table.opened_at, deals[-1].made_at if len(deals) == LOOK_BACK else None)
    wanted = Q(kind__in=_LOOKS, **_since(table.opened_at)) | Q(kind__in=_COUNTS, **_since(earliest))
    if live is not None:
        wanted |= Q(round=live)
    wins: list[ProgressiveWin] = []
    if rulebook.meter is not None and last is not None:
        current = ProgressiveWin.objects.filter(round=last).exclude(state=ProgressiveWin.State.WITHDRAWN)
        wins = list(current.select_related("keyed_by").order_by("id"))
    return TableProcedures(
        table=table,
        live=live,
        last=last,
        rules=rules,
        decks=list(decks_of(table)),
        deals=deals,
        facts=list(Procedure.objects.filter(wanted, table=table).select_related("ordered_by").order_by("id")),
        wins=wins,
    )


def win_of(win: ProgressiveWin) -> meter.Win:
    """A win as the rules know it; people go by their user names."""
    answered = None if win.answered_by is None else win.answered_by.username
    return meter.Win(win.seat, win.state, win.keyed_by.username, answered)


def _later(*instants: datetime.datetime | None) -> datetime.datetime | None:
    return max((instant for instant in instants if instant is not None), default=None)


def _since(instant: datetime.datetime | None) -> dict[str, datetime.datetime]:
    return {} if instant is None else {"made_at__gte": instant}
