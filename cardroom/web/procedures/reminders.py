"""Template context of procedures on the table page: the reminders near the next step, and the menu of what may be recorded."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from cardroom.core import commands as declared
from cardroom.floor.checks import why_not
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Procedure
from cardroom.floor.reads.prompts import NO_BOX, VOID, Prompt, prompts_of
from cardroom.floor.reads.table_state import TableState
from cardroom.people.rights import Right
from games.phrases import Phrase, capital
from games.procedures.irregularities import irregularity_ids, what_follows
from games.procedures.rules import IN_PLAY, RESHUFFLE, RETIRE_DECK, ROUND_VOID, SET_ASIDE

from ..parts.access import Permissions
from ..parts.cards import faces_of
from ..parts.forms.command import CommandForm
from ..table.commands import COMMANDS, FailedCommand, PageCommand, menu_of

#: What the menu holds beside the irregularities, in its order; other commands of this menu come after.
MENU = (
    *("recut", "card-up", "stub", "no-count", "device", "no-box", "deck", "inspect"),
    *("deck-place", "deck-retire", "dealing", "win", "win-confirm", "win-withdraw"),
)
#: Why a command has no place in the menu at all: the game or the table does not know it.
_NOT_HERE = frozenset(
    {
        *("no_card_up", "no_count_due", "no_counting_shuffler", "no_progressive", "no_win"),
        *("no_box_missing", "box_waived", "shown_card_off", "meter_linked", "meter_not_linked"),
    }
)
_CARDS = {
    IN_PLAY: Phrase("the cards stay in play"),
    SET_ASIDE: Phrase("the card is set aside"),
    RESHUFFLE: Phrase("reshuffle"),
    RETIRE_DECK: Phrase("the deck is retired"),
}


@dataclasses.dataclass(frozen=True)
class Reminder:
    """A prompt on the page; `slug` is the command whose one touch answers it, empty where there is none.

    `sets_box`: what it asks for is a box, and the person may set one, on the page of the drop.
    """

    prompt: Prompt
    slug: str
    sets_box: bool


@dataclasses.dataclass(frozen=True)
class Choice:
    """An irregularity that may be reported, and what follows by the rules if it happens once more."""

    id: str
    name: str
    follows: str
    clause: str
    voids: bool


@dataclasses.dataclass(frozen=True)
class Entry:
    """A command of the menu, as the other commands of the page are shown: its form, or why not."""

    command: PageCommand
    title: str
    form: CommandForm | None
    why_not: WhyNot | None
    open: bool


@dataclasses.dataclass(frozen=True)
class Procedures:
    """All of it: what the table is reminded of, what may be reported, and the menu.

    `void` is the reminder that the round is void by the rules: the next step says it, and no list of reminders.
    """

    reminders: list[Reminder]
    void: Prompt | None
    choices: list[Choice]
    irregularity: Entry
    entries: list[Entry]

    @property
    def open(self) -> bool:
        """Whether something of the menu was just refused, so that it opens where it was left."""
        return self.irregularity.open or any(entry.open for entry in self.entries)

    @property
    def forms(self) -> list[CommandForm]:
        entries = [self.irregularity, *self.entries]
        return [entry.form for entry in entries if entry.form is not None]


NewForm = Callable[[PageCommand, TableState, Permissions], CommandForm]


def procedures_of(
    state: TableState,
    permissions: Permissions,
    failed: FailedCommand | None,
    new_form: NewForm,
    *,
    quiet: bool,
) -> Procedures:
    """Put the procedures of a table together; `quiet` leaves the reminders out (a settlement is looked at)."""
    page = _Page(state, permissions, failed, new_form)
    # What the game or the table does not know is left out for all users, whether or not they have the right to it.
    entries = [
        page.entry(slug, COMMANDS[slug].title)
        for slug in menu_of("procedures", MENU)
        if (why := why_not(state, COMMANDS[slug].service.name)) is None or why.code not in _NOT_HERE
    ]
    prompts = [] if quiet else prompts_of(state)
    return Procedures(
        reminders=[page.reminder(prompt) for prompt in prompts if prompt.kind != VOID],
        void=next((prompt for prompt in prompts if prompt.kind == VOID), None),
        choices=[] if state.live is None else _choices(state),
        irregularity=page.entry("irregularity", Phrase("Irregularity")),
        entries=entries,
    )


@dataclasses.dataclass(frozen=True)
class _Page:
    """What every part of the procedures is made of."""

    state: TableState
    permissions: Permissions
    failed: FailedCommand | None
    new_form: NewForm

    def entry(self, slug: str, title: str) -> Entry:
        command, failed = COMMANDS[slug], self.failed
        why = command.why_not(self.state, self.permissions)
        has_failed = failed is not None and failed.command.slug == slug
        form = failed.form if has_failed and failed is not None else None
        if form is None and why is None:
            form = self.new_form(command, self.state, self.permissions)
        return Entry(command, title, form, why, has_failed)

    def reminder(self, prompt: Prompt) -> Reminder:
        slug = declared.COMMANDS[prompt.command].page if prompt.does else ""
        one_touch = bool(prompt.does) and COMMANDS[slug].why_not(self.state, self.permissions) is None
        # The floor's own look is one touch for the floor; a dealer's tablet asks for the signature in the menu.
        if prompt.given.get("by") == Procedure.Inspector.FLOOR and not self.permissions.may(Right.SUPERVISE):
            one_touch = False
        sets_box = prompt.kind == NO_BOX and self.permissions.may(Right.DROP_BOXES)
        return Reminder(prompt, slug if one_touch else "", sets_box)


def _choices(state: TableState) -> list[Choice]:
    """The irregularities of the game, each with what follows when it happens (once more) in this round."""
    before = {fact.subject: fact.number or 0 for fact in state.procedures.irregularities}
    choices = []
    for key in irregularity_ids(state.procedure_rules):
        consequence = what_follows(state.procedure_rules, key, before.get(key, 0) + 1)
        voids = consequence.round == ROUND_VOID
        text = in_words(consequence.round, consequence.cards)
        choices.append(Choice(key, Phrase(consequence.reason), text, consequence.clause, voids))
    return choices


def in_words(round_fate: str, card_fate: str) -> str:
    """What follows, as it is said at the table: "round void, reshuffle"."""
    fate = Phrase("round void") if round_fate == ROUND_VOID else Phrase("play on")
    return Phrase("{round}, {cards}", round=fate, cards=_CARDS[card_fate])


def format_answer(answer: Mapping[str, Any]) -> str:
    """What follows from a command that was carried out, by its answer; nothing from most.

    A count says what it leads to by itself; an irregularity has a name alone.
    """
    follows = answer.get("follows")
    if follows is None:
        return ""
    text = capital(Phrase(follows["text"]))
    if "times" not in answer:
        return Phrase("{text}.", text=text)
    then = in_words(follows["round"], follows["cards"])
    return Phrase("{text}. By the rules: {then}.", text=text, then=then)


def format_procedure(made: Procedure) -> str:
    """One recorded procedure in a sentence; its reason, round and people are beside it."""
    deck = "" if made.deck is None else f", {made.deck}"
    if made.kind == Procedure.Kind.INSPECTED:
        return f"{made.deck} inspected: {Procedure.Inspector(made.subject).label}"
    if made.kind == Procedure.Kind.BANK_CARD:
        [face] = faces_of(made.subject)
        return f"Dealer card exposed: {face.name}"
    text = f"{made.get_kind_display()[:1].upper()}{made.get_kind_display()[1:]}{deck}"
    if made.kind == Procedure.Kind.STUB_COUNT:
        return f"{text}: {made.number} cards left, {made.text}"
    if made.kind == Procedure.Kind.IRREGULARITY:
        return f"{made.text}{deck}: {in_words(made.round_fate, made.card_fate)}"
    return text
