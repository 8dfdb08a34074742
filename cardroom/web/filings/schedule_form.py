"""The form of a fee schedule's draft: its head, its lines and its waivers, as a document and back.

Which lines there are is declared in `fees.document`; whether the law allows what they say is not asked here: a draft may be
illegal, and its page shows every problem beside the line that has it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.filings import MOST_NUMBER, REFERENCE_LENGTH, TITLE_LENGTH, schedules
from cardroom.rooms.models import Room
from fees.document import (
    BANDS,
    BANK,
    BOXES,
    COVERS,
    DROP,
    FLAT,
    JACKPOT,
    MOST_CENTS,
    OWN_ANTE,
    PLAYER,
    POSITIONS,
    RATES,
    WAGER,
    Problem,
    per_in_words,
)
from games.money import dollars
from games.refusal import Refusal
from games.registry import load_rulebook, wagers_with_fees
from games.rulebook import Rulebook

from ..parts.forms.fields import DollarsField, day_field, words_field
from ..parts.forms.signed import WitnessedForm, right_to_sign
from ..parts.forms.upload import UploadForm, file_field
from ..parts.money import typed_of

#: As many lines, and as many waivers, as one form takes.
MOST_LINES = 100
_PROPORTION = ("%", "/", "percent")
_NOTHING: Mapping[str, Any] = {}


class CentsField(DollarsField):
    """An amount of a schedule, typed in dollars: 0 too, no proportion of anything, and at most `MOST_CENTS`."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("required", False)
        super().__init__(zero=True, **options)

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # as in DollarsField
        if any(mark in str(value or "").lower() for mark in _PROPORTION):
            raise ValidationError(f"{FLAT} Write an amount in dollars.", code="proportional")
        cents = super().to_python(value)
        if cents is not None and cents > MOST_CENTS:
            raise ValidationError(f"At most {dollars(MOST_CENTS)}.", code="too_large")
        return cents


def kind_of(payer: str, per: str) -> str:
    """The value that stands for a kind of line in the form."""
    return f"{payer}:{per}"


def _kind_name(payer: str, per: str) -> str:
    who = "Player" if payer == PLAYER else "Player-dealer"
    if (payer, per) in _NAMED:
        return f"{who}, {_NAMED[payer, per]}"
    return f"{who}, {'by' if (payer, per) in BANDS else 'per'} {per_in_words(per)}"


#: Kinds whose name does not follow from their words in the document.
_NAMED = {
    (PLAYER, WAGER): "per wager, flat or by its amount",
    (BANK, OWN_ANTE): "per main wager, by its amount",
    (BANK, POSITIONS): "by number of positions",
}
KINDS = [(kind_of(payer, per), _kind_name(payer, per)) for payer, per in (*RATES, *BANDS)]
_OF_WAGER = kind_of(PLAYER, WAGER)
#: Its bands are of numbers and not of dollars: they are typed into the same fields.
_COUNTED = kind_of(BANK, POSITIONS)
_BANDED = {kind_of(payer, per) for payer, per in BANDS}
_BOX_NAMES = {DROP: "drop box", JACKPOT: "jackpot's own box"}
_COVER_NAMES = {
    "player": "one player's fee at a time",
    "players": "the players' fees",
    "bank": "the player-dealer's fee",
    "all": "all fees of the round",
}


def games_offered(draft: FeeSchedule) -> list[tuple[int, str]]:
    """Return the numbers of the games that a draft may be for, with what each is called: those on file, and those that it names."""
    filed = GameFiling.objects.filter(
        room=draft.room, rulebook=draft.rulebook, status=GameFiling.Status.FILED
    ).order_by("number")
    named = {game.number: f"{game.number} · {game.title} ({game.state_reference})" for game in filed}
    gone = {number: f"{number} · not on file" for number in draft.games if number not in named}
    return sorted({**named, **gone}.items())


class HeadForm(forms.Form):
    """Title, table limit and source of a schedule, the games that it is for, and what is planned of its filing."""

    title = words_field(TITLE_LENGTH, "Title", required=False)
    clause = words_field(120, "Source of the figures", required=False)
    ante_min_cents = CentsField(label="Main wager from")
    ante_max_cents = CentsField(label="Main wager to (empty: no limit)")
    effective_from = day_field("Planned first day in force")
    state_reference = words_field(REFERENCE_LENGTH, "State's number of the filing", required=False)
    games = forms.TypedMultipleChoiceField(
        coerce=int,
        required=False,
        label="Approved for these games (none ticked: every game of these rules)",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, games: Collection[tuple[int, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["games"].choices = list(games)  # type: ignore[attr-defined]

    def head(self) -> dict[str, Any]:
        """The document's head, from valid input; what was left empty is left out, for the checker to name."""
        data = self.cleaned_data
        head: dict[str, Any] = {"clause": data["clause"]} if data["clause"] else {}
        if data["ante_min_cents"] is not None:
            head["ante_min_cents"] = data["ante_min_cents"]
        return {**head, "ante_max_cents": data["ante_max_cents"]}


class LineForm(forms.Form):
    """One line: who pays what for what. All empty, it is none. `wagers` are those that may have a fee of their own."""

    kind = forms.ChoiceField(choices=[("", "…"), *KINDS], required=False, label="Who pays, for what")
    wager = forms.ChoiceField(required=False, label="Kind of wager")
    lower_cents = CentsField(label="From")
    upper_cents = CentsField(label="To (empty: and up)")
    fee_cents = CentsField(label="Fee")
    box = forms.ChoiceField(
        choices=[(each, _BOX_NAMES.get(each, each)) for each in BOXES], required=False, label="Goes into"
    )
    clause = words_field(120, "Source", required=False)
    remove = forms.BooleanField(required=False, label="Remove")

    def __init__(self, *args: Any, wagers: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wager"].choices = [  # type: ignore[attr-defined]
            ("", "–"),
            *((each, each.replace("_", " ")) for each in wagers),
        ]
        if not wagers:  # where no wager may have a fee of its own, no such line is offered
            self.fields["kind"].choices = [  # type: ignore[attr-defined]
                ("", "…"),
                *(kind for kind in KINDS if kind[0] != _OF_WAGER),
            ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            not cleaned.get("kind")
            and not cleaned.get("remove")
            and any(
                cleaned.get(name) not in (None, "")
                for name in ("wager", "lower_cents", "upper_cents", "fee_cents")
            )
        ):
            self.add_error("kind", "Choose who pays, and for what.")
        if cleaned.get("kind") == _COUNTED:
            for name in ("lower_cents", "upper_cents"):
                if (cleaned.get(name) or 0) % 100:
                    self.add_error(name, "Write a whole number of positions.")
        return cleaned

    def line(self) -> dict[str, Any] | None:
        """The line as the document has it, from valid input; None where there is none."""
        data = self.cleaned_data
        if data.get("remove") or not data.get("kind"):  # a row left alone has said nothing
            return None
        payer, _, per = data["kind"].partition(":")
        line: dict[str, Any] = {"payer": payer, "per": per}
        if data["wager"]:
            line["wager"] = data["wager"]
        if data["box"] and data["box"] != DROP:
            line["box"] = data["box"]
        lower, upper = data["lower_cents"], data["upper_cents"]
        banded = data["kind"] in _BANDED or (data["kind"] == _OF_WAGER and lower is not None)
        if data["kind"] == _COUNTED:
            line |= {} if lower is None else {"lower_positions": lower // 100}
            line["upper_positions"] = None if upper is None else upper // 100
        else:
            line |= {} if lower is None else {"lower_cents": lower}
            line |= {"upper_cents": upper} if banded or upper is not None else {}
        if data["fee_cents"] is not None:
            line["fee_cents"] = data["fee_cents"]
        if data["clause"]:
            line["clause"] = data["clause"]
        return line


class WaiverForm(forms.Form):
    """One published rule by which a fee may be waived. All empty, it is none."""

    key = words_field(40, "Short name (a_b)", required=False)
    title = words_field(80, "Title", required=False)
    covers = forms.ChoiceField(
        choices=[(each, _COVER_NAMES.get(each, each)) for each in COVERS], required=False, label="Covers"
    )
    most_positions = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=99,
        label="At most so many positions",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 2}),
    )
    portion_cents = CentsField(label="So much of each fee (empty: all of it)")
    text = words_field(300, "What patrons read", required=False)
    clause = words_field(120, "Source", required=False)
    remove = forms.BooleanField(required=False, label="Remove")

    def rule(self) -> dict[str, Any] | None:
        """The rule as the document has it, from valid input; None where there is none."""
        data = self.cleaned_data
        if data.get("remove") or not any(data.get(name) for name in ("key", "title", "text")):
            return None
        names = ("key", "title", "text", "covers", "most_positions", "portion_cents", "clause")
        return {name: data[name] for name in names if data[name] not in (None, "")}


LineRows = forms.formset_factory(LineForm, extra=1, absolute_max=MOST_LINES, max_num=MOST_LINES)
WaiverRows = forms.formset_factory(WaiverForm, extra=0, absolute_max=MOST_LINES, max_num=MOST_LINES)


def with_one_more(data: Any, *rows: str) -> Any:
    """What was posted, with an empty row more where `more` asks for one of these rows."""
    if data is None or data.get("more") not in rows:
        return data
    data = data.copy()
    count = f"{data['more']}-TOTAL_FORMS"
    if re.fullmatch("[0-9]{1,4}", data.get(count, "")):
        data[count] = str(min(int(data[count]) + 1, MOST_LINES))
    return data


class ScheduleForm:
    """A whole draft. Made of what was posted, or of a document; `more` adds an empty line or waiver to it.

    `wagers` are the ids of those that a line may charge for (`wagers_offered`).
    """

    def __init__(
        self,
        data: Any = None,
        *,
        wagers: Collection[str],
        games: Collection[tuple[int, str]] = (),
        initial: Mapping[str, Any] = _NOTHING,
        document: Any = None,
    ) -> None:
        rows = _rows_of(document) if isinstance(document, Mapping) else _NOTHING
        data = with_one_more(data, "lines", "waivers")
        self.head = HeadForm(data, initial={**initial, **rows.get("head", {})}, prefix="head", games=games)
        self.lines = LineRows(data, initial=rows.get("lines"), prefix="lines", form_kwargs={"wagers": wagers})
        self.waivers = WaiverRows(data, initial=rows.get("waivers"), prefix="waivers")

    def numbered(self, problems: list[Problem]) -> list[tuple[LineForm, list[Problem]]]:
        """Each line of the form, the problems that the checker has with it beside it."""
        return [
            (form, [problem for problem in problems if problem.line == number])
            for number, form in enumerate(self.lines, start=1)
        ]

    def is_valid(self) -> bool:
        return all([self.head.is_valid(), self.lines.is_valid(), self.waivers.is_valid()])

    def document(self) -> dict[str, Any]:
        """The document, from valid input."""
        return _document(self.head, list(self.lines), list(self.waivers))

    def arguments(self) -> dict[str, Any]:
        """What the services take, from valid input."""
        data = self.head.cleaned_data
        return {
            "document": self.document(),
            "games": data["games"],
            "title": data["title"],
            "effective_from": data["effective_from"],
            "state_reference": data["state_reference"],
        }


def _document(head: HeadForm, lines: list[LineForm], waivers: list[WaiverForm]) -> dict[str, Any]:
    rules = [rule for each in waivers if (rule := each.rule()) is not None]
    return {
        **head.head(),
        "lines": [line for each in lines if (line := each.line()) is not None],
        **({"waivers": rules} if rules else {}),
    }


def wagers_offered(draft: FeeSchedule) -> list[str]:
    """Return the ids of wagers that a draft may charge for: those of its rulebook, and those that the room's filings name."""
    filed = GameFiling.objects.filter(room=draft.room, rulebook=draft.rulebook)
    books = [load_rulebook(draft.rulebook), *(book for each in filed if (book := _book_of(each)) is not None)]
    return sorted({wager for book in books for wager in wagers_with_fees(book) or ()})


def _book_of(filing: GameFiling) -> Rulebook | None:
    """The rulebook of a filing; None for a draft whose options cannot be read yet."""
    try:
        return filing.book
    except Refusal:
        return None


def fits_form(document: Any, wagers: Collection[str]) -> bool:
    """Tell whether the form can show a document without losing anything: one from elsewhere may hold what it cannot."""
    if not isinstance(document, Mapping):
        return False
    rows = _rows_of(document)
    head = HeadForm(typed_row(rows["head"]))
    lines = [LineForm(typed_row(row), wagers=wagers) for row in rows["lines"]]
    waivers = [WaiverForm(typed_row(row)) for row in rows["waivers"]]
    if len(lines) >= MOST_LINES or not all(form.is_valid() for form in (head, *lines, *waivers)):
        return False
    return _document(head, lines, waivers) == {"ante_max_cents": None, "lines": [], **_plain(document)}


def _plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without what goes without saying: no waivers, the drop box, a band that is open above."""
    plain = {key: value for key, value in document.items() if (key, value) != ("waivers", [])}
    if isinstance(plain.get("lines"), list):
        plain["lines"] = [_plain_line(line) for line in plain["lines"]]
    return plain


def _plain_line(line: Any) -> Any:
    if not isinstance(line, Mapping):
        return line
    return {key: value for key, value in line.items() if (key, value) != ("box", DROP)}


def _rows_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields hold for a document, as far as they can."""
    head = {name: document.get(name) for name in ("clause", "ante_min_cents", "ante_max_cents")}
    return {
        "head": {name: value for name, value in head.items() if holds(value)},
        "lines": list(_each(document.get("lines"), LineForm)),
        "waivers": list(_each(document.get("waivers"), WaiverForm)),
    }


def _each(entries: Any, form: type[forms.Form]) -> Iterator[dict[str, Any]]:
    for entry in entries if isinstance(entries, list) else []:
        row = dict(entry) if isinstance(entry, Mapping) else {}
        if form is LineForm:
            row["kind"] = kind_of(str(row.pop("payer", "")), str(row.pop("per", "")))
            if row["kind"] == _COUNTED:
                for bound in ("lower", "upper"):
                    if isinstance(count := row.pop(f"{bound}_positions", None), int):
                        row[f"{bound}_cents"] = count * 100
        known = form.base_fields.keys() - {"remove"}
        yield {name: value for name, value in row.items() if name in known and holds(value)}


def holds(value: Any) -> bool:
    """Whether a field can hold a value: texts and whole numbers, which is all that a proper document has."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def typed_row(row: Mapping[str, Any]) -> dict[str, str]:
    """A row as it would be typed."""
    return {
        name: typed_of(value) if name.endswith("_cents") and isinstance(value, int) else str(value)
        for name, value in row.items()
    }


class NewForm(forms.Form):
    """The first draft of a number: which number, and by which rules it is played."""

    number = forms.IntegerField(
        min_value=1,
        max_value=MOST_NUMBER,
        label="Number in this room",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 3}),
    )
    rulebook = forms.ChoiceField(label="Rules")

    def __init__(
        self, *args: Any, room: Room, banked: bool = True, of_state: bool = True, **kwargs: Any
    ) -> None:
        """`of_state`: it is of a rulebook; `banked`: only games that a player banks, which alone pay fees; all of them of the room's jurisdiction."""
        kwargs.setdefault("auto_id", "new-%s")
        super().__init__(*args, **kwargs)
        if not of_state:
            del self.fields["rulebook"]
            return
        if not banked:  # a game, of which the room's own document may say otherwise
            self.fields["rulebook"].label = "Based on"
        books = [load_rulebook(each) for each in room.rules_of.rulebooks]
        self.fields["rulebook"].choices = [  # type: ignore[attr-defined]
            (book.id, f"{book.name}, {book.document.jurisdiction}")
            for book in books
            if book.player_banked or not banked
        ]


class FileForm(WitnessedForm):
    """From which day a draft is filed, under what number of the state's, and who signs beside the person who files."""

    right = right_to_sign(schedules.file)
    field_order = ("effective_from", "state_reference")

    effective_from = day_field("First day in force", required=True)
    state_reference = words_field(REFERENCE_LENGTH, "State's number of the filing")

    def __init__(self, *args: Any, of_state: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not of_state:
            del self.fields["state_reference"]


class WithdrawForm(WitnessedForm):
    """Why a filed version is withdrawn, from which day, and who signs beside the person who withdraws it."""

    right = right_to_sign(schedules.withdraw)
    field_order = ("effective_to", "reason")

    effective_to = day_field("First day without it (empty: as soon as may be)")
    reason = words_field(200, "Reason")


class ScheduleUploadForm(UploadForm):
    """A schedule's file, written elsewhere."""

    file = file_field("A schedule's file (TOML)")


def planned(effective_from: datetime.date | None, state_reference: str) -> dict[str, Any]:
    """What the form of filing holds at first: what the draft plans."""
    return {"effective_from": effective_from, "state_reference": state_reference}
