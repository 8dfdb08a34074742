"""Words of the games' paytables, for the translators: `makemessages` finds them here, pages translate what a game says.

A test compares them with every paytable of every rulebook.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

HANDS = (
    _("Royal flush"),
    _("Mini royal"),
    _("Mini royal of spades"),
    _("Mini royal, other suits"),
    _("Straight flush"),
    _("Four of a kind"),
    _("Full house"),
    _("Flush"),
    _("Straight"),
    _("Three of a kind"),
    _("Pair"),
    _("Player's hand wins"),
    _("Banker's hand wins"),
    _("Tie"),
    _("Banker wins with a three-card seven"),
    _("Player wins with a three-card eight"),
)

#: Hands and cards that a ranking names and no paytable.
RANKED = (
    _("High card"),
    _("Two to nine"),
    _("Ace"),
    _("Ten, jack, queen, king"),
)

PAYS = (
    # xgettext:no-python-format  # noqa: ERA001
    _("100% of the meter"),
)
