"""Model `Levy`: versions of what a city or the state takes of the room's own collections."""

from __future__ import annotations

import datetime

from django.db import models

from fees.document import Problem
from fees.levy import Levy as LevyDocument
from fees.levy_document import levy_problems, read_levy

from ..errors import FilingError
from .filing import Filing, filed_is_final
from .json_documents import storable


class Levy(Filing):
    """One version of a city's tax or a state's fee: `document` is what `fees.levy` reads, with the section that says it.

    Only a whole one can be filed. A room has as many as there are sections: each has its number.
    """

    word = "levy"
    drafted = ("document",)
    guards = filed_is_final(*drafted)

    document = models.JSONField(
        help_text="Who takes what of which sum, in tiers, with the section that says it."
    )

    class Meta(Filing.Meta):
        verbose_name = "levy"
        verbose_name_plural = "levies"

    @property
    def levy(self) -> LevyDocument:
        """What this version takes. Raises LevyRefused for a draft that is not whole yet."""
        return read_levy(self.document)

    @property
    def problems(self) -> list[Problem]:
        """Why the document cannot be filed, in the order of its lines; empty: it can be."""
        return levy_problems(self.document)

    @property
    def authority(self) -> str:
        """Who takes it; empty while the draft does not say so."""
        return self._said("authority")

    @property
    def source(self) -> str:
        """The section that says it; empty while the draft does not say so."""
        return self._said("source")

    @property
    def levied_by(self) -> str:
        """Whether a city takes it or the state; empty while the draft does not say so."""
        return self._said("levied_by")

    def _said(self, name: str) -> str:
        said = self.document.get(name, "")
        return said if isinstance(said, str) else ""

    def check_draft(self) -> None:
        """A draft may be in no proper form yet, but is a JSON object that both databases can hold."""
        super().check_draft()
        self.document = storable(self.document, self.word)

    def check_filing(self, first: datetime.date) -> None:
        """Refuse a document with gaps, overlaps or unknown words, with every problem."""
        super().check_filing(first)
        if found := self.problems:
            raise FilingError(
                "levy_refused", "\n".join(problem.message for problem in found), path="document"
            )
