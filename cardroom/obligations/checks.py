"""Checks of commands on obligations: each answers why one may not be worked on so in its present state, or None."""

from __future__ import annotations

from cardroom.floor.errors import WhyNot

from .models import Obligation


def why_not_work(obligation: Obligation) -> WhyNot | None:
    """Why nothing is changed of an obligation now, and why it is not done again."""
    if not obligation.is_open:
        state = obligation.get_state_display()
        return WhyNot("obligation_closed", f"“{obligation}” is {state}: reopen it first, with the reason.")
    return None


def why_not_done(obligation: Obligation, reference: str = "") -> WhyNot | None:
    """Why an obligation is not done now."""
    if why := why_not_work(obligation):
        return why
    if not reference and obligation.document_id is None:
        return WhyNot(
            "proof_required",
            "It is done with proof: attach the document, or write its reference, such as the number of the receipt.",
        )
    return None


def why_not_reopen(obligation: Obligation) -> WhyNot | None:
    """Why an obligation is not opened again."""
    if obligation.is_open:
        return WhyNot("obligation_open", f"“{obligation}” is open.")
    return None
