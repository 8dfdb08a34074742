"""Forms of drop and count: boxes put on and taken off, pieces by denomination, corrections, and answers to variances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.core.acts import REASON_LENGTH
from cardroom.drop.acts.boxes import MOST_NUMBER, PlacedBox
from cardroom.drop.acts.variances import SAYS_LENGTH
from cardroom.drop.models import CountSheet, DropBox, VarianceNote
from cardroom.drop.pieces import COIN, DENOMINATIONS, MOST_PIECES, Denomination, Pieces
from cardroom.drop.reads.boxes import BoxCount
from cardroom.floor.models import Table
from cardroom.people.models import Staff

from ..money import dollars_of
from .fields import DollarsField
from .signed import WitnessedForm


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


class CountForm(forms.Form):
    """Pieces by denomination; coin as its amount. What is left empty is none."""

    def __init__(self, *args: Any, sheet: CountSheet | None = None, **kwargs: Any) -> None:
        """`sheet` fills the form: what is corrected begins with what stands."""
        if sheet is not None:
            kwargs["initial"] = {
                Denomination(row["kind"], row["cents"]).key: row["pieces"] for row in sheet.pieces
            }
        kwargs.setdefault("auto_id", "count-%s")
        super().__init__(*args, **kwargs)
        for each in DENOMINATIONS:
            label = "Coin, in dollars" if each.kind == COIN else f"{dollars_of(each.cents)} {each.kind}"
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

    def pieces(self) -> Pieces:
        """What the service takes, from valid input."""
        return [
            {"kind": each.kind, "cents": each.cents, "pieces": self.cleaned_data[each.key]}
            for each in DENOMINATIONS
            if self.cleaned_data[each.key]
        ]


class CorrectForm(CountForm, WitnessedForm):
    """What should have stood, and why; a second person signs."""

    corrects = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        max_length=REASON_LENGTH,
        label="What was wrong, and how it was found",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, sheet: CountSheet, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "correct-%s")
        super().__init__(*args, sheet=sheet, **kwargs)
        self.fields["corrects"].initial = sheet.pk


class AnswerForm(forms.Form):
    """How a variance stands."""

    status = forms.ChoiceField(
        label="It is",
        choices=[
            (VarianceNote.Status.EXPLAINED, "explained"),
            (VarianceNote.Status.ESCALATED, "escalated: it goes further up"),
            (VarianceNote.Status.OPEN, "open: somebody looks into it"),
        ],
    )
    owner_id = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Owner")
    says = forms.CharField(
        max_length=SAYS_LENGTH,
        required=False,
        label="What explains it, or to whom it goes and why",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, owners: list[Staff], owner: Staff | None, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "answer-%s")
        super().__init__(*args, **kwargs)
        people = [("", "stays as it is" if owner else "me"), *((each.pk, str(each)) for each in owners)]
        self.fields["owner_id"].choices = people  # type: ignore[attr-defined]
