"""The sentence that heads a stored report: what its time took, and how that stands."""

from __future__ import annotations

from cardroom.documents.answering import Answering, Told


def took(what: str) -> Answering:
    """Return what answers for a shift, a day or a month of this name: "Swing took $35,027 and is $3 short"."""

    def answer(figures: Told) -> str:
        verdict = str(figures["verdict"])
        stands = verdict if verdict in ("ties out", "does not tie out") else f"is {verdict}"
        amounts = [
            f"{verb} {figures.text(name)}"
            for name, verb in (("drop_expected_cents", "took"), ("win_by_slips_cents", "won for the house"))
            if name in figures and figures[name] is not None
        ]
        return (
            f"{what} {' and '.join([*amounts, stands])}"
            if len(amounts) < 2
            else f"{what} {amounts[0]}, {amounts[1]} and {stands}"
        )

    return answer
