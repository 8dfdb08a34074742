"""A document as PDF: every word stands whole, wide tables lie across, and every name can be read."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from cardroom.config.environment import PROJECT_DIR
from cardroom.documents.document import Chart, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.pdf import pdf_of
from cardroom.documents.pdf_layout.fonts import fonts_of, markup, width_of
from tests.pdf_text import pages_of, streams_of

from .samples import ANSWERS, document, grid, row

UPRIGHT, ACROSS = b"/MediaBox [ 0 0 612 792 ]", b"/MediaBox [ 0 0 792 612 ]"


def printed(of: ReportDocument, by: str = "Ines") -> bytes:
    return pdf_of(of, printed_by=by, printed_at="2026-11-21 09:14:05 PST", signed_by=["Compliance"])


def wide(columns: int) -> ReportDocument:
    heads = [Column(f"sum_{at}_cents", f"Collected {at}", Kind.MONEY, adds=True) for at in range(columns)]
    return document(grid(Row({head.name: 12345678 for head in heads}), columns=heads))


def mapped(pdf: bytes) -> str:
    """What the fonts in the file say of their letters: the code points that a reader finds for them."""
    maps = [
        stream.decode("latin-1")
        for stream in streams_of(pdf)
        if b"beginbfchar" in stream or b"beginbfrange" in stream
    ]
    return "".join(maps).upper()


def test_answers_rows_sums_notes_and_a_line_to_sign_stand_on_it() -> None:
    of = document(grid(row(), row("Bo", drop_cents=-750)), answers=ANSWERS, notes=["As it was counted."])
    (page,) = pages_of(printed(of))
    for text in ("(!) -$7.50", "(*) pending", "$1,240.50", "-$7.50", "$1,233", "2,480", "2 h 10 min", "Total",
                 "Fri Nov 20, 2026, 9:14 PM PST", "As it was counted.", "Compliance", "Page 1 of 1"):  # fmt: skip
        assert text in page, text


def test_an_empty_table_says_so_and_one_with_a_sum_that_is_not_known_says_that() -> None:
    (page,) = pages_of(printed(document(grid(empty="Nobody played."), grid(row(drop_cents=None), name="b"))))
    assert "Nobody played." in page
    assert page.count("pending") == 2


@pytest.mark.parametrize("before", [0, *range(2, 60, 7)])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 40])
def test_a_heading_stands_with_two_rows_and_a_total_with_two_before_it(before: int, rows: int) -> None:
    first = grid(*(row(f"Above {n}") for n in range(before)), title="First")
    second = grid(*(row(f"Below {n}") for n in range(rows)), title="Second", name="second")
    pages = pages_of(printed(document(first, second)))
    [page] = [page for page in pages if "Second" in page]
    beneath = page.split("Second", 1)[1]
    assert sum(f"Below {n}\n" in beneath for n in range(rows)) >= min(2, rows), beneath
    if rows <= 4:
        assert "Total" in beneath, "a short table is not parted"
    for page in pages:
        above = 0
        for line in page.split("\n"):
            above = 0 if line in ("First", "Second") else above + line.startswith(("Above ", "Below "))
            if line == "Total":
                assert above >= (1 if rows == 1 and "Second" in page else 2), page


def first_page(*grids: Grid, **more: object) -> ReportDocument:
    return document(*grids, answers=ANSWERS, has_summary=True, **more)


@pytest.mark.parametrize("columns", [4, 12])
def test_a_first_page_is_one_page_with_the_lines_to_sign_and_the_parts_come_after_it(columns: int) -> None:
    heads = [Column(f"sum_{at}_cents", f"Collected {at}", Kind.MONEY, adds=True) for at in range(columns)]
    wide = grid(
        *(Row({head.name: 12345678 for head in heads}) for _ in range(3)),
        columns=heads,
        name="wide",
        title="By table",
        part="Drop",
    )
    charts = [
        Chart("a", "By hour", ["06:00", "07:00"], [500, 700], True, [600, 100], "a week before", unit="$")
    ]
    short = [grid(*(row(f"P{n}") for n in range(20)), name=f"s{at}", title=f"Short {at}") for at in range(2)]
    first, second = pages_of(printed(first_page(*short, wide, charts=charts)))
    for text in (
        "(!) -$7.50",
        "By hour",
        "In $. Bars now, lines a week before.",
        "Short 0",
        "Short 1",
        "P19",
        "Compliance",
    ):
        assert text in first, text
    assert "By table" not in first
    assert second.index("Drop") < second.index("By table")
    assert "Compliance" not in second


@pytest.mark.parametrize(
    ("values", "before", "scale"),
    [
        ([1], [], (0, 2, 1)),
        ([400, 100], [], (0, 500, 100)),
        ([500], [], (0, 600, 100)),
        ([399], [1001], (0, 1500, 500)),
        ([-30, 20], [], (-30, 30, 10)),
    ],
)
def test_a_grid_line_stands_above_the_tallest_bar(
    values: list[int], before: list[int], scale: tuple[int, int, int]
) -> None:
    chart = Chart("a", "By hour", [str(at) for at in values], values, before=before, unit="rounds")
    assert chart.scale == scale
    assert chart.scale.lines[-1] > max(*values, *before, 0)


def test_a_chart_of_nothing_is_left_out() -> None:
    charts = [
        Chart("a", "By hour", ["06:00"], [0], unit="rounds"),
        Chart("b", "By day", ["Fri"], [500], text_money=True, unit="$"),
    ]
    (page,) = pages_of(printed(document(charts=charts)))
    assert "By hour" not in page
    assert "By day" in page


def test_a_long_table_repeats_its_heading_and_counts_its_pages() -> None:
    pages = pages_of(printed(document(grid(*(row(f"Player {n}") for n in range(150))))))
    assert len(pages) > 2
    assert all("Into the drop" in page for page in pages[:-1])
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]
    assert "Player 149" in "".join(pages)


@pytest.mark.parametrize(("columns", "lies"), [(4, UPRIGHT), (8, UPRIGHT), (12, ACROSS)])
def test_a_table_that_is_too_wide_upright_lies_across_with_every_figure_whole(
    columns: int, lies: bytes
) -> None:
    pdf = printed(wide(columns))
    assert lies in pdf
    (page,) = pages_of(pdf)
    assert page.count("$123,456.78") == 2 * columns
    assert page.count("Collected") == columns


def test_a_table_wider_than_any_page_is_printed_with_every_column_on_it() -> None:
    (page,) = pages_of(printed(wide(30)))
    assert "".join(page.split()).count("Collected") == 30


def test_a_word_longer_than_its_column_breaks_and_nothing_of_it_is_lost() -> None:
    (page,) = pages_of(printed(document(grid(row("x" * 300)))))
    assert page.replace("\n", "").count("x") >= 300


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Nguyễn Thị Ánh", "ễị"), ("Łukasz Żółć", "ŁŻć"), ("Ελένη", "Ελ"), ("Наталья", "Ня")],
)
def test_a_name_beyond_latin_1_is_printed_in_a_font_that_the_file_brings_along(
    name: str, letters: str
) -> None:
    pdf = printed(document(grid(row(name)), title=name, room=name), by=name)
    assert b"DejaVuSansCondensed-Bold" in pdf  # the title
    for letter in letters:
        assert f"{ord(letter):04X}" in mapped(pdf), letter


@pytest.mark.parametrize(
    ("name", "message"),
    [("สมชาย", "«smchay»"), ("สมชาย Chen", "«smchay» Chen"), ("محمد", "«mhmd»")],
)
def test_a_name_in_a_script_without_letters_here_stands_as_latin_ones_in_marks_that_say_so(
    name: str, message: str
) -> None:
    assert re.sub("<[^>]+>", "", markup(name)) == message
    assert len(pages_of(printed(document(grid(row(name)))))) == 1


def test_han_is_printed_in_its_font_beside_latin_letters_and_figures_in_theirs() -> None:
    assert markup("李明 Chen付$10") == (
        '<font name="DroidSansFallback">李明</font> Chen<font name="DroidSansFallback">付</font>$10'
    )
    pdf = printed(document(grid(row("李明")), room="李"), by="明")
    assert b"DroidSansFallback" in pdf
    assert all(f"{ord(letter):04X}" in mapped(pdf) for letter in "李明")


def test_vietnamese_is_set_in_one_font() -> None:
    plain, bold = fonts_of("vi")
    assert "<font" not in markup("Mọi người chơi trả $1 mỗi ván", plain)
    assert "<font" not in markup("Nhà cái", bold)
    assert "DroidSansFallback" in markup("李 trả $1", plain)
    assert fonts_of("es") == fonts_of("en") == ("Helvetica", "Helvetica-Bold")


@pytest.mark.parametrize("text", ["José", "<b>no markup</b> & =1", "“Ana” – $5", ""])
def test_what_helvetica_can_write_it_writes(text: str) -> None:
    assert "<font" not in markup(text)
    assert width_of(text, "Helvetica", 8) >= 0


def test_figures_below_nothing_keep_to_one_font() -> None:
    assert markup("−$10") == "-$10"
    assert markup("−$10 by Łucja").startswith("-$10 by <font")


def test_a_row_to_look_at_has_a_sign_since_paper_has_no_colour() -> None:
    marked = Row(row("Ana").values, mark=Mark.STOP)
    (page,) = pages_of(printed(document(grid(marked))))
    assert "(!) Ana" in page


@pytest.mark.parametrize(
    "text", ["Ann & Bo <b>", "\N{MINUS SIGN}$5", "two  blanks", "Zoë pays “the bank” €5"]
)
def test_a_cell_on_one_line_says_what_a_paragraph_of_it_says(text: str) -> None:
    """What fits on one line is set without a paragraph, and what does not with one: neither reads markup in it."""
    long = f"{text} " + "and so it went on " * 20
    grid = Grid("cells", "Cells", (Column("words", "Words"),), [Row({"words": text}), Row({"words": long})])
    lines = pages_of(printed(document(grid)))[0].split("\n")
    plain = " ".join(text.replace("\N{MINUS SIGN}", "-").split())
    assert plain in lines, lines
    assert any(line.startswith(f"{plain} and so it went on") for line in lines)


#: Whatever a process prints first: right-to-left, Han, a letter that no font has, marks, and each as a part of a word.
FIRST = ["محمد الهاشمي", "אבי", "陳大文", "สมชาย", "Nguyễn", "O'محمد", "陳-Nguyễn", "−5", ""]
#: Prints each first text in a process that has printed nothing, and says which one failed.
PRINT_FIRST = """
import io, os, sys
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph
from cardroom.documents.pdf_layout.fonts import BOLD, PLAIN, draw, fonts_of, markup, width_of

ways = {
    "wrapped": lambda text, font: Paragraph(markup(text, font), ParagraphStyle("first", fontName=font)).wrap(200, 200),
    "drawn": lambda text, font: draw(Canvas(io.BytesIO()), 0, 0, text, font=font, size=9),
    "measured": lambda text, font: width_of(text, font, 9),
}
for text in sys.argv[1:]:
    for font in (PLAIN, BOLD, None):
        for way, print_it in ways.items():
            child = os.fork()
            if child == 0:
                try:
                    print_it(text, font or fonts_of("vi")[0])
                except Exception as error:
                    print(f"{text!r} {way} in {font or 'Vietnamese'}: {error}", flush=True)
                os._exit(0)
            os.waitpid(child, 0)
"""


@pytest.mark.outside
def test_any_text_may_be_the_first_that_a_process_prints() -> None:
    """A font is loaded when it is first needed, so only a fresh process shows that nothing relies on a text before."""
    command = [sys.executable, "-c", PRINT_FIRST, *FIRST]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=True)
    assert done.stdout == ""
