"""The report as JSON and CSV: the same figures, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.csv_cells import cell
from cardroom.documents.formatting import plain_dollars
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_open
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.stored.exports import report_csv, report_json
from cardroom.rooms.models import Room
from tests.cast import JACK_HIGH, Cast, running_cast
from tests.kept import kept
from tests.pdf_text import pages_of

from ..commands import as_superuser, report


@pytest.fixture
def made(db: None) -> ShiftReport:
    return kept(_made)


def _made() -> ShiftReport:
    cast = running_cast()
    cast.play({1: 3000, 4: 1000, 5: 5000}, wager=15000)
    cast.play({4: 10000, 5: 5050}, wager=15000)
    return report(cast)


def lines(made: ShiftReport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report_csv(made))))


def test_the_csv_has_a_line_a_table_and_the_total(made: ShiftReport) -> None:
    seven, eight, total = lines(made)
    assert [line["table"] for line in (seven, eight, total)] == ["7", "8", "total"]
    assert seven["room"] == "Cache Slough" and seven["shift"] == "Swing"
    assert seven["rounds settled"] == total["rounds settled"] == "2"
    assert seven["total table action"] == "240.50"
    assert seven["player fees"] == "5.00"
    assert seven["bank fees"] == "3.00"
    assert seven["drop expected"] == total["drop expected"] == "8.00"
    assert seven["wagers returned uncovered"] == plain_dollars(
        made.typed_figures["tables"][0]["uncovered_cents"]
    )
    assert seven["offers accepted"] == "1" and seven["offers declined"] == "2"
    assert eight["drop expected"] == "0.00" and eight["rounds settled"] == "0"
    assert seven["ties out"] == "yes" and seven["differences"] == ""


def test_every_form_of_the_report_says_how_many_rounds_its_sections_count_and_why(running: Cast) -> None:
    running.play({4: 1000})
    running.bet({4: 1000})  # open at the change of shift: bets close in the next
    report(running)
    running.send_room(shift_open, name="Graveyard")
    running.send(bets_close)
    running.send(round_deal)
    running.settle({4: 1000})
    running.bank_to(4)
    running.play({5: 1000})
    running.deal({5: 1000})
    running.send(round_void, reason="misdeal", approver=running.people["shift_manager"])
    made = report(running)
    document = shift_document_of(made)
    counted = document.grid("rounds_counted")
    assert counted is not None
    assert [(row.values["where"], row.values["rounds"]) for row in counted.rows] == [
        ("Rounds settled", 2),
        ("Void", 1),
        ("Player-dealer fees by band", 3),
        ("Rotation of the bank", 1),
    ]
    why = "a round that was open as the shift changed counts here in the shift before"
    assert why in str(counted.rows[-1].values["why"])
    client = Client()
    client.force_login(running.people["shift_manager"])
    address = f"/shifts/{made.shift_id}/report"
    assert why in client.get(f"{address}/").content.decode()
    printed = " ".join(" ".join(pages_of(client.get(f"{address}.pdf").content)).split())
    assert "How rounds are counted" in printed and "counts here in the shift before" in printed
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{address}.xlsx").content))
    cells = [str(cell.value) for sheet in book for row in sheet for cell in row]
    assert any(why in each for each in cells)
    [*_, total] = csv.DictReader(io.StringIO(client.get(f"{address}.csv").content.decode()))
    assert total["rounds settled"] == "2"
    assert total["rounds in the fee bands, voids included"] == "3"
    assert total["rounds settled in the rotation, by when they opened"] == "1"


def test_bank_fees_have_a_column_a_band(made: ShiftReport) -> None:
    seven, eight, total = lines(made)
    columns = [heading for heading in seven if heading.startswith("bank fees schedule 1 v1 ")]
    assert [heading.rpartition(" at ")[2] for heading in columns] == ["1.00", "2.00"]
    assert [seven[heading] for heading in columns] == ["1.00", "2.00"]
    assert [eight[heading] for heading in columns] == ["0.00", "0.00"]
    assert [total[heading] for heading in columns] == ["1.00", "2.00"]


def test_every_line_has_every_column_and_the_ends_of_rfc_4180(made: ShiftReport) -> None:
    text = report_csv(made)
    assert text.endswith("\r\n")
    widths = {len(row) for row in csv.reader(io.StringIO(text))}
    assert len(widths) == 1


def test_a_figure_that_is_not_known_is_an_empty_cell_and_never_0(made: ShiftReport) -> None:
    figures = json.loads(json.dumps(made.figures))
    figures["tables"][0]["tips_cents"] = None
    figures["tables"][0]["turns_begun"] = None
    del figures["tables"][0]["uncovered_cents"]  # a report of an older shape
    made.figures = figures
    seven = lines(made)[0]
    assert (seven["tips"], seven["turns begun"], seven["wagers returned uncovered"]) == ("", "", "")


def test_both_say_loudly_that_a_report_does_not_tie_out(running: Cast) -> None:
    running.play({4: 1000}, hands={4: JACK_HIGH})
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET taken_cents = taken_cents + 5")
    made = report(running)
    seven, eight, total = lines(made)
    assert [line["ties out"] for line in (seven, eight, total)] == ["no", "yes", "no"]
    day = made.shift.gaming_day
    assert seven["differences"] == (
        f"table 7 taken: transfers 20.00, rounds 20.05, settlements 20.00, rounds {day}/1"
    )
    document = json.loads(report_json(made))
    assert document["ties_out"] is False
    assert document["figures"]["differences"][0]["figure"] == "taken_cents"


def test_the_json_is_the_stored_figures_and_what_proves_them(made: ShiftReport) -> None:
    document = json.loads(report_json(made))
    assert document["figures"] == made.figures
    assert document["heads"] == made.heads
    assert document["inputs_hash"] == made.inputs_hash
    assert document["ties_out"] is True
    assert document["made_at"].endswith("Z")
    amounts = [value for key, value in _leaves(document["figures"]) if key.endswith("_cents")]
    assert amounts and all(isinstance(value, int) for value in amounts)


def test_names_cannot_become_formulas(running: Cast) -> None:
    Room.objects.filter(pk=running.room.pk).update(name='=HYPERLINK("x","y")')
    made = report(running)
    assert lines(made)[0]["room"] == '\'=HYPERLINK("x","y")'


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert cell(text) == "'" + text


@pytest.mark.parametrize("text", ["Swing", "a=b", "", "7"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert cell(text) == text


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_dollars_are_exact_and_have_two_places(cents: int) -> None:
    text = plain_dollars(cents)
    assert len(text.partition(".")[2]) == 2
    assert int(text.replace(".", "")) == cents


def test_dollars_of_less_than_one_keep_their_sign() -> None:
    assert (plain_dollars(-5), plain_dollars(5), plain_dollars(0)) == ("-0.05", "0.05", "0.00")


def _leaves(value: Any, key: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in _leaves(inner, name)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in _leaves(inner, key)]
    return [(key, value)]
