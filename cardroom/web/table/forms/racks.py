"""Forms of a provider's rack at a seat: its opening and closing count, and its hand-over to another of the provider's players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.floor.commands.racks import rack_open
from cardroom.floor.reads.racks import players_to_take_over

from ...parts.forms.chips import CountsChips
from ...parts.forms.fields import DollarsField
from ...parts.forms.signed import SupervisedForm, right_to_sign


class RackCountForm(CountsChips, SupervisedForm):
    """What the rack of a seat comes to, as a sum or by its chips, which are added up; the floor witnesses it."""

    right = right_to_sign(rack_open)

    seat = forms.IntegerField(widget=forms.HiddenInput())
    cents = DollarsField(label=_("Count of the rack"), zero=True, required=False)

    def build(self) -> None:
        super().build()
        if self.must_sign:
            self.fields["approver"].label = _("Witness of the floor: user name or badge")
            self.fields["approver_pin"].label = _("Their PIN")
        self.add_chips()

    @property
    def chips_typed(self) -> bool:
        return any(field.value() for field in self.chips())

    def clean(self) -> None:
        super().clean()
        if self.errors or self.cleaned_data["cents"] is not None:
            return
        if not (counted := self.counted()):
            self.add_error("cents", self.fields["cents"].error_messages["required"])
            return
        self.cleaned_data["cents"] = sum(int(worth) * number for worth, number in counted.items())

    def arguments(self) -> dict[str, Any]:
        counted, chips = self.counted(), {field.name for field in self.chips()}
        values = {key: value for key, value in super().arguments().items() if key not in chips}
        return {**values, "chips": counted} if counted else values

    def field_at(self, path: str) -> str | None:
        return super().field_at(path.replace("chips.", "chips-"))

    @property
    def at(self) -> int | None:
        """The seat that it is of, as it was posted or is drawn."""
        given = str(self.data.get("seat", "") if self.is_bound else self.initial.get("seat", ""))
        return int(given) if given.isascii() and given.isdigit() and len(given) < 4 else None


class HandOverForm(RackCountForm):
    """Who takes the rack of a seat over, with the count that both agree on."""

    to_player_id = forms.TypedChoiceField(coerce=int, label=_("Takes over"))

    def build(self) -> None:
        super().build()
        sitting = self.state.seatings.get(self.at or 0)
        players = [] if sitting is None else players_to_take_over(sitting)
        self.fields["to_player_id"].choices = [  # type: ignore[attr-defined]
            *([] if len(players) == 1 else [("", _("choose"))]),
            *((player.pk, player.label) for player in players),
        ]
        self.fields["to_player_id"].error_messages["invalid_choice"] = _(
            "Choose an authorized player of the same provider who sits nowhere."
        )
        self.order_fields(["seat", "to_player_id", "cents"])
