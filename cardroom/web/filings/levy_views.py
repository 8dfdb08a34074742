"""Views of levies on file: who takes what by which section, and what it comes to in a worked example."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from cardroom.filings.models import Levy
from cardroom.floor.commands.filings import levies
from fees.levy import AT_BOUND, BASES, COMBINE, ROUNDING, TABLES_COUNTED
from fees.levy import Levy as LevyDocument

from ..parts.access import room_for
from .levy_form import LevyForm, LevyHeadForm, TierForm, TriedForm, fits_form
from .problem_words import in_form_words
from .views import FilingPages


class LevyPages(FilingPages[Levy]):
    """The pages of levies."""

    commands = levies
    several = "levies"
    heading = "City and state levies"
    text = "what a city or the state takes"
    lead = (
        "Taxes and fees on the room's own collections, each by the version in force as its period begins. Nobody at a table "
        "pays them."
    )
    none_filed = "Compliance drafts and files one, with the section of the ordinance that says it."
    listed_with = ()
    saved_page = "_edit"

    def empty_of(self, rulebook: str) -> dict[str, Any]:
        head = {"levied_by": "city", "authority": "", "source": "", "period": "month"}
        return {"document": {**head, "base": ["collection"], "lines": []}}

    def version_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Show one version, worked out for the amounts that are asked about."""
        _, permissions = room_for(request, code)
        found = self.version(permissions, number, version)
        if found.problems:
            return self.show(request, permissions, found)
        return self.show(request, permissions, found, tried=TriedForm(found.levy, request.GET))

    def page_context(self, version: Levy) -> dict[str, Any]:
        return _shown(version)

    def draft_context(self, draft: Levy, form: Any) -> dict[str, Any]:
        # Only an unchanged form shows the lines that the problems count.
        as_saved = form is not None and not form.head.is_bound
        shown = _shown(draft) if form is not None else {"problems": draft.problems}
        lines = form.numbered(shown["problems"] if as_saved else []) if form else []
        return {**shown, "lines": lines, "as_saved": as_saved}

    def form_of(self, draft: Levy) -> LevyForm | None:
        if not fits_form(draft.document):
            return None
        plans = {"title": draft.title, "effective_from": draft.effective_from}
        return LevyForm(initial=plans, document=draft.document)

    def form_typed(self, draft: Levy, request: HttpRequest) -> LevyForm:
        return LevyForm(request.POST)


def _shown(version: Levy) -> dict[str, Any]:
    """What pages show of a version: its problems, or what it says in words and a worked example."""
    if problems := version.problems:
        return {"problems": in_form_words(problems, LevyHeadForm, TierForm)}
    levy = version.levy
    return {"problems": [], "levy": levy, "facts": _facts(levy), "tried": TriedForm(levy)}


def _facts(levy: LevyDocument) -> dict[str, str]:
    """What it says beside its tiers, in words."""
    facts = {
        "For each": levy.period,
        "Gross revenue": "; ".join(BASES[name] for name in levy.base),
        "Percentages": f"rounded {ROUNDING[levy.rounding]}",
    }
    if len(levy.scales) > 1:
        facts["Scales"] = COMBINE[levy.combine]
    if len(levy.tiers) > 1:
        facts["On a bound"] = AT_BOUND[levy.at_bound]
    if levy.counts_tables:
        authorized = f": {levy.authorized_tables}" if levy.authorized_tables else ""
        facts["Tables"] = f"{TABLES_COUNTED[levy.tables]}{authorized}"
    return facts


PAGES = LevyPages()
