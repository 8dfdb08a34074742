"""Form of the plan of the line-up: tables of each string by their numbers, the string of each dealer, and minutes.

With scripts the fields are written by touch (`plan.js`): chips of tables and dealers that are put into strings in order.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from django import forms

from cardroom.floor.commands.line_up import STRING_LENGTH, TableString
from cardroom.floor.models import Table
from cardroom.floor.reads.line_up import LineUp

from ..parts.faces import face_of

#: Strings on the form.
STRINGS = 4
#: What strings are called until somebody names them.
NAMES = ("A", "B", "C", "D")
MINUTES = {
    "down_minutes": "A down",
    "break_minutes": "A break after the last table",
    "rest_minutes": "Away, to count as a rest",
    "rest_after_minutes": "Rest due after",
    "meal_minutes": "A meal",
    "meal_after_minutes": "Meal due after",
}


class PlanForm(forms.Form):
    """The plan in force, to be changed: a name and tables for each string, for each dealer of the room a string and a start."""

    def __init__(self, line_up: LineUp, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "plan-%s")
        super().__init__(*args, **kwargs)
        self.line_up = line_up
        self.tables = {table.number: table for table in Table.objects.filter(room=line_up.room)}
        numbers = {table.pk: table.number for table in self.tables.values()}
        strings = line_up.plan.strings or [
            {
                "name": NAMES[0],
                "tables": [table.pk for table in line_up.tables],
                "dealers": [dealer.pk for dealer in line_up.in_plan],
            }
        ]
        placed: dict[Any, str] = {}
        for place in range(max(STRINGS, len(strings))):
            string = strings[place] if place < len(strings) else {"name": "", "tables": [], "dealers": []}
            placed |= {pk: str(place) for pk in string["dealers"]}
            self.fields[f"name-{place}"] = forms.CharField(
                max_length=STRING_LENGTH,
                required=False,
                label="Name",
                initial=string["name"] or (NAMES[place] if place < len(NAMES) else ""),
            )
            self.fields[f"tables-{place}"] = forms.CharField(
                max_length=400,
                required=False,
                label="Tables, in order",
                initial=" ".join(str(numbers[pk]) for pk in string["tables"] if pk in numbers),
                widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
            )
        self.strings = range(max(STRINGS, len(strings)))
        choices = [("", "none"), *((str(place), self[f"name-{place}"].value()) for place in self.strings)]
        zone = line_up.room.zone
        starts = {
            each["dealer"]: datetime.datetime.fromisoformat(each["at"]).astimezone(zone).time()
            for each in line_up.plan.starts
        }
        for dealer in line_up.dealers.values():
            self.fields[f"dealer-{dealer.pk}"] = forms.ChoiceField(
                choices=choices, required=False, label=str(dealer), initial=placed.get(dealer.pk, "")
            )
            self.fields[f"start-{dealer.pk}"] = forms.TimeField(
                required=False,
                label=f"{dealer} starts at",
                initial=starts.get(dealer.pk),
                widget=forms.TimeInput(attrs={"type": "time"}),
            )
        self.fields["order"] = forms.CharField(
            max_length=8000, required=False, widget=forms.HiddenInput(attrs={"data-order": ""})
        )
        planned = [pk for each in strings for pk in each["dealers"]]
        self.order = {pk: place for place, pk in enumerate(planned)}
        self.fields["order"].initial = " ".join(map(str, planned))
        for name, label in MINUTES.items():
            self.fields[name] = forms.IntegerField(
                min_value=1,
                max_value=1440,
                label=label,
                initial=getattr(line_up.plan, name),
                widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 4}),
            )

    @property
    def string_fields(self) -> list[tuple[Any, Any]]:
        return [(self[f"name-{place}"], self[f"tables-{place}"]) for place in self.strings]

    @property
    def dealer_fields(self) -> list[tuple[Any, Any]]:
        return [(self[f"dealer-{pk}"], self[f"start-{pk}"]) for pk in self.line_up.dealers]

    @property
    def chips(self) -> dict[str, list[dict[str, Any]]]:
        """The room's tables and dealers, as the script draws them."""
        return {
            "tables": [
                {"number": table.number, "open": table.state == Table.State.OPEN}
                for table in sorted(self.tables.values(), key=lambda each: each.number)
            ],
            "dealers": [
                {"id": dealer.pk, "name": str(dealer), **face_of(dealer.person)}
                for dealer in self.line_up.dealers.values()
            ],
        }

    @property
    def minute_fields(self) -> list[Any]:
        return [self[name] for name in MINUTES]

    def clean(self) -> dict[str, Any]:
        """Refuse a number that is no table's, and a string that has tables or dealers and no name."""
        for place in self.strings:
            field = f"tables-{place}"
            numbers = [int(each[:6]) for each in re.findall(r"\d+", self.cleaned_data.get(field, ""))]
            if unknown := [number for number in numbers if number not in self.tables]:
                self.add_error(field, f"This room has no table {unknown[0]}.")
            dealers = [pk for pk in self.line_up.dealers if self._string_of(pk) == place]
            if dealers and not numbers:
                self.add_error(field, "Dealers are in this string: name its tables.")
        return self.cleaned_data

    def _string_of(self, pk: int) -> int | None:
        value = self.cleaned_data.get(f"dealer-{pk}", "")
        return int(value) if value else None

    def arguments(self) -> dict[str, Any]:
        """What the command takes, from valid input; dealers keep the order that they had in their string, or have the one of the touches."""
        strings: list[TableString] = []
        order = self.order
        if touched := re.findall(r"\d+", self.cleaned_data["order"]):
            order = {int(pk[:18]): place for place, pk in enumerate(touched)}
        known = sorted(self.line_up.dealers, key=lambda pk: order.get(pk, len(order)))
        for place in self.strings:
            numbers = [int(each) for each in re.findall(r"\d+", self.cleaned_data[f"tables-{place}"])]
            if numbers:
                strings.append(
                    {
                        "name": self.cleaned_data[f"name-{place}"],
                        "tables": [self.tables[number].pk for number in numbers],
                        "dealers": [pk for pk in known if self._string_of(pk) == place],
                    }
                )
        planned = [pk for string in strings for pk in string["dealers"]]
        starts = [
            {"dealer": pk, "at": at.isoformat("minutes")}
            for pk in planned
            if (at := self.cleaned_data[f"start-{pk}"]) is not None
        ]
        return {"strings": strings, "starts": starts, **{name: self.cleaned_data[name] for name in MINUTES}}
