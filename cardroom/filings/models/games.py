"""Model `GameFiling`: versions of a game that a room offers."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import models

from fees.rake import OPTION, Rake
from games.approval import APPROVAL, NUMBER, SOURCES, TITLE, Approval
from games.approved_whole import WholeTerm, whole_of
from games.refusal import Refusal
from games.registry import game_of, load_rulebook, read_options, rulebook_with, terms_of
from games.rotation.profile import PROFILES, profile_id_of, why_not_play_by
from games.rulebook import Rulebook
from games.terms import Terms

from ..errors import FilingError
from .documents import FiledDocument
from .filing import StateFiling, filed_is_final, today

#: Options of the rulebooks that a game filing does not answer: they are filed by themselves.
COLLECTED = {
    "fee_schedule": "Fee schedules are filed by themselves; a table is set to one beside its game.",
}


class GameFiling(StateFiling):
    """One version of a game that a room offers: rulebook, options, own paytables, rotation profile and house rake.

    `options` are the round sheet's, without the fee schedule, which is filed by itself; a house rake is one of them.
    """

    word = "game"
    drafted = ("state_reference", "options", "rotation")
    guards = filed_is_final("rulebook", *drafted, "document_id")

    options = models.JSONField(
        default=dict,
        blank=True,
        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
    )
    rotation = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
    )

    document = models.ForeignKey(
        FiledDocument,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="games",
        help_text="The room's own document by which it may offer the game.",
    )

    class Meta(StateFiling.Meta):
        pass

    def content(self) -> dict[str, Any]:
        """The same with the document's name and SHA-256: whoever signs has signed that document."""
        return {**super().content(), "document": None if self.document is None else self.document.named}

    @property
    def book(self) -> Rulebook:
        """The rulebook as this version has it: of some games the options say name, seats and wagers."""
        return rulebook_with(self.rulebook, self.options)

    @property
    def default_title(self) -> str:
        return self.book.name

    @property
    def rake(self) -> Rake | None:
        """The house rake that is filed with the game."""
        rake = self.options.get(OPTION)
        return None if rake is None else Rake(**rake)

    @property
    def charged_by_schedule(self) -> bool:
        """Whether a fee schedule is charged: neither a rake is filed with the game nor does the house bank."""
        return self.rake is None and self.book.player_banked

    @property
    def play_options(self) -> dict[str, Any]:
        """The options without the rake: what a table keeps of them beside its rake."""
        return {name: value for name, value in self.options.items() if name != OPTION}

    @property
    def profile_id(self) -> str:
        """The rotation profile that is filed, or else the rulebook's own; `house_banks` where the house does."""
        return profile_id_of(self.rotation, self.book)

    @property
    def terms(self) -> Terms:
        """The rulebook with this version's options put in: what is played under it."""
        return read_options(self.book, self.options)

    @property
    def approval_key(self) -> str:
        """What tells the approval of the game from others: the state's number; a draft has that of its filing.

        Rounds in a row are counted over games of one approval (ruling 53).
        """
        return self.state_reference or f"draft {self.number}"

    @property
    def approval(self) -> Approval | None:
        """What the room's own document says otherwise than the rulebook."""
        return self.book.approval

    @property
    def whole(self) -> tuple[WholeTerm, ...]:
        """Every term that an approval of the game may say: what the rulebook says, what holds here, and the clause."""
        if not game_of(self.rulebook).approved_terms():
            return ()
        return whole_of(self.terms, terms_of(self.rulebook, {}), self.rotation)

    def check_draft(self) -> None:
        """Refuse options that the rulebook does not know, and a profile that is not in force on the planned day."""
        super().check_draft()
        self._name_approval()
        self._check_options()
        self._check_rotation(self.effective_from or today(self))

    def check_filing(self, first: datetime.date) -> None:
        """The same once more: rulebook and profile must be permitted on the first day."""
        super().check_filing(first)
        self._name_approval()
        self._check_options()
        self._check_clauses()
        self._check_rotation(first)

    def _check_options(self) -> None:
        for name, why in COLLECTED.items():
            if name in self.options:
                raise FilingError("collected_elsewhere", why, path=f"options.{name}")
        try:
            read_options(load_rulebook(self.rulebook), self.options)
        except Refusal as refusal:
            raise FilingError(refusal.code, refusal.message, path=refusal.path) from refusal

    @property
    def _named_approval(self) -> tuple[dict[str, Any] | None, str]:
        """What holds number and clauses of the room's document, and its path; a game that is filed whole has them flat."""
        if game_of(self.rulebook).from_filing:
            says = any(self.options.get(name) for name in (NUMBER, TITLE, SOURCES))
            return (self.options if says else None), "options"
        given = self.options.get(APPROVAL)
        return (given if isinstance(given, dict) else None), f"options.{APPROVAL}"

    def _name_approval(self) -> None:
        """Give the approval the state's number, or the filing the approval's, where one of them is known alone."""
        given, path = self._named_approval
        if given is None:
            return
        number = given.get(NUMBER) or self.state_reference
        if self.state_reference and number != self.state_reference:
            raise FilingError(
                "approval_number",
                f"The approval's number is {number!r}, and the filing's is {self.state_reference!r}: it is one number.",
                path=f"{path}.{NUMBER}",
            )
        if isinstance(number, str) and number:
            named = {**given, NUMBER: number}
            self.options = named if given is self.options else {**self.options, APPROVAL: named}
            self.state_reference = number

    def _check_clauses(self) -> None:
        """Refuse to file what differs from the rulebook without the clause of the room's document that says so."""
        if self.approval is not None and (missing := self.approval.without_clause):
            raise FilingError(
                "clause_missing",
                f"Say where the room's document says otherwise of {', '.join(missing)}: a clause, or a page.",
                path=f"{self._named_approval[1]}.{SOURCES}.{missing[0]}",
            )

    def _check_rotation(self, day: datetime.date) -> None:
        if self.rotation and self.rotation not in PROFILES:
            raise FilingError(
                "unknown_rotation",
                f"There is no rotation profile {self.rotation!r}. There are {', '.join(PROFILES)}.",
                path="rotation",
            )
        if why := why_not_play_by(self.rotation, self.book, day):
            raise FilingError("rotation_not_in_force", why, path="rotation")
