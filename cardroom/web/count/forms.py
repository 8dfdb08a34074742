"""Forms of drop and count: boxes put on and taken off, pieces by denomination, corrections, and answers to variances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict

from cardroom.core.json_types import REASON_LENGTH
from cardroom.drop.commands.counts import count_again, count_correct, count_enter
from cardroom.drop.commands.variances import variance_check_again
from cardroom.drop.models import DropBox
from cardroom.drop.pieces import COIN, DENOMINATIONS, MOST_PIECES, Denomination, Pieces
from cardroom.drop.reads.boxes import BoxCount
from cardroom.floor.commands.boxes import MOST_NUMBER, PlacedBox, boxes_drop
from cardroom.floor.execution.carry_out import RoomCommand
from cardroom.floor.models import Table
from games.money import dollars

from ..parts.forms.fields import DollarsField
from ..parts.forms.signed import WitnessedForm, right_to_sign


def _number(most: int, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0,
        max_value=most,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 9}),
        **more,
    )


class PlaceForm(forms.Form):
    """A number for each table without a box of a kind, filled with the usual ones; left empty, it stays without."""

    def __init__(
        self,
        tables: list[Table],
        usual: dict[int, int],
        *args: Any,
        kind: str = DropBox.Kind.DROP,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("auto_id", f"{kind}-%s")
        super().__init__(*args, **kwargs)
        self.tables = tables
        self.kind = kind
        for table in tables:
            self.fields[f"table-{table.pk}"] = _number(
                MOST_NUMBER, label=f"Number of the box at {table}", initial=usual.get(table.pk)
            )

    @property
    def kind_name(self) -> str:
        return str(DropBox.Kind(self.kind).label)

    def rows(self) -> Iterator[tuple[Table, BoundField]]:
        for table in self.tables:
            yield table, self[f"table-{table.pk}"]

    def boxes(self) -> list[PlacedBox]:
        """What the service takes, from valid input."""
        numbers = ((table.pk, self.cleaned_data[f"table-{table.pk}"]) for table in self.tables)
        return [
            {"table": table, "number": number, "kind": self.kind}
            for table, number in numbers
            if number is not None
        ]


class DropForm(WitnessedForm):
    """Boxes to take off their tables."""

    right = right_to_sign(boxes_drop)
    boxes = forms.TypedMultipleChoiceField(
        coerce=int,
        label="Boxes",
        error_messages={"required": "Choose the boxes that come off."},
    )

    def __init__(self, hanging: list[BoxCount], *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "drop-%s")
        super().__init__(*args, **kwargs)
        choices = [(each.box.pk, str(each.box)) for each in hanging]
        self.fields["boxes"].choices = choices  # type: ignore[attr-defined]
        self.chosen = {str(pk) for pk in self["boxes"].value() or []}


class BoxForm(forms.Form):
    """The form of a command at a box: `command` carries it out with `arguments()`, and `told()` is what is said then.

    `fits`: whether the box is in a state in which the form has something to say.
    """

    command: RoomCommand[...]
    ids = ""
    done = ""
    fits = True

    def __init__(self, box: DropBox, data: QueryDict | None = None, **kwargs: Any) -> None:
        self.box = box
        super().__init__(data, auto_id=f"{self.ids}-%s", **kwargs)

    def arguments(self) -> dict[str, Any]:
        """What the command takes, from valid input. Raises Forbidden where the second person did not sign."""
        return dict(self.cleaned_data)

    def done_message(self, answer: Mapping[str, Any]) -> str:
        """What was done, by the command's answer."""
        return self.done.format(box=self.box)


class PiecesForm(BoxForm):
    """Pieces by denomination; coin as its amount. What is left empty is none."""

    def __init__(self, box: DropBox, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(box, data, **kwargs)
        for each in DENOMINATIONS:
            label = "Coin, in dollars" if each.kind == COIN else f"{dollars(each.cents)} {each.kind}"
            field = (
                DollarsField(required=False, label=label)
                if each.kind == COIN
                else _number(MOST_PIECES, label=label)
            )
            field.widget.attrs["data-worth"] = each.cents if each.kind != COIN else "dollars"
            self.fields[each.key] = field

    def kinds(self) -> list[tuple[str, list[BoundField]]]:
        """The fields as they are counted: chips, then bills and coin."""
        named = (("Chips", ("chip",)), ("Bills and coin", ("bill", COIN)))
        return [
            (title, [self[each.key] for each in DENOMINATIONS if each.kind in kinds])
            for title, kinds in named
        ]

    def arguments(self) -> dict[str, Any]:
        pieces: Pieces = [
            {"kind": each.kind, "cents": each.cents, "pieces": self.cleaned_data[each.key]}
            for each in DENOMINATIONS
            if self.cleaned_data[each.key]
        ]
        return {"pieces": pieces}


class CountForm(PiecesForm):
    """A count; `recount` comes with one that was made knowing that two counts differ."""

    ids = "count"

    def __init__(self, box: DropBox, data: QueryDict | None = None) -> None:
        self.command = count_again if data is not None and data.get("recount") == "yes" else count_enter
        super().__init__(box, data)

    def done_message(self, answer: Mapping[str, Any]) -> str:
        if answer["stands"]:
            return f"The count of {self.box} is verified."
        if answer["counts"] == 1:
            return f"Your count of {self.box} is in. Another person makes the second count."
        return f"Your count of {self.box} is in, and the two differ. A third person counts it afresh."


class CorrectForm(PiecesForm, WitnessedForm):
    """What should have stood, and why; it begins with what is verified. A second person signs."""

    right = right_to_sign(count_correct)
    corrects = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        max_length=REASON_LENGTH,
        label="What was wrong, and how it was found",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    command = count_correct
    ids = "correct"
    done = "The count of {box} is corrected. What stood before stays on the sheet."

    def __init__(self, box: DropBox, data: QueryDict | None = None) -> None:
        current = box.sheets.order_by("seq").last()
        self.fits = current is not None and box.counted_at is not None
        pieces = [] if current is None else current.pieces
        initial = {Denomination(row["kind"], row["cents"]).key: row["pieces"] for row in pieces}
        super().__init__(box, data, initial={**initial, "corrects": current and current.pk})

    def arguments(self) -> dict[str, Any]:
        correction = {name: self.cleaned_data[name] for name in ("corrects", "reason")}
        return {**super().arguments(), **correction, "approver": self.signature()}


class CheckVarianceForm(BoxForm):
    """A button alone."""

    command = variance_check_again
    ids = "check-variance"
    done = "{box}: variance checked again."


#: The commands at a box by the last part of their addresses.
BOX_COMMANDS: dict[str, type[BoxForm]] = {
    "count": CountForm,
    "correct": CorrectForm,
    "check-variance": CheckVarianceForm,
}
