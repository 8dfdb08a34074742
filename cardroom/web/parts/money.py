"""Parses dollars that people type into integer cents, and back for a form field. No float is involved either way."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from cardroom.core.json_types import MOST_CENTS

#: Digits, or digits grouped by thousands, with at most two places of cents; a dollar sign is welcome.
_TYPED = re.compile(
    r"\$?[ ]?(?P<dollars>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.(?P<cents>[0-9]{0,2}))?", re.ASCII
)


class NotMoney(ValueError):
    """What was typed is no amount of dollars. The message says what would be."""


def cents_of(typed: str) -> int:
    """Return the cents that `typed` dollars mean: "10" is 1000, "7.50" and "7.5" are 750, "$1,240" is 124000.

    Raises NotMoney for everything else: signs, fractions of a cent, words, amounts above ten billion dollars.
    """
    match = _TYPED.fullmatch(typed.strip())
    if match is None:
        if re.fullmatch(r"\$?[0-9,]*\.[0-9]{3,}", typed.strip()):
            raise NotMoney(
                _("“%(typed)s” has parts of a cent. Chips stop at the cent: write 7.50.")
                % {"typed": typed.strip()}
            )
        raise NotMoney(
            _("“%(typed)s” is no amount in dollars. Write 10 or 7.50.") % {"typed": typed.strip()[:20]}
        )
    dollars = match["dollars"].replace(",", "")
    cents = 0 if len(dollars) > 12 else int(dollars) * 100 + int((match["cents"] or "").ljust(2, "0"))
    if len(dollars) > 12 or cents > MOST_CENTS:
        raise NotMoney(_("No table holds that much. Check the amount."))
    return cents


def typed_of(cents: int | None) -> str:
    """Return `cents` as they would be typed into a field ("1240", "7.50"); nothing for None."""
    if cents is None:
        return ""
    whole, part = divmod(cents, 100)
    return f"{whole}.{part:02}" if part else str(whole)
