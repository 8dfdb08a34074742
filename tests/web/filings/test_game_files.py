"""Files of a game: an approval written and read as TOML and JSON, and the room's own document as a PDF."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from cardroom.filings.approval_file import (
    ApprovalFileRefused,
    approval_json,
    approval_toml,
    read_approval_file,
)
from cardroom.filings.models import FiledDocument, GameFiling
from cardroom.filings.models.documents import MOST_BYTES, file_name
from cardroom.filings.verification import documents_verify
from cardroom.floor.models import JournalEntry
from tests.cast import PIN, Cast
from tests.filing import game_draft
from tests.games.test_approval import PAPER
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]
PDF = b"%PDF-1.7\n1 0 obj <<>> endobj\n%%EOF\n"
SIGNED = {"approver": "room_manager", "approver_pin": PIN}


def page_of(answer: Any) -> str:
    return str(answer.content.decode())


def drafted(cast: Cast, approval: dict[str, Any] | None = None) -> GameFiling:
    options = {"coverage": "net"} if approval is None else {"coverage": "net", "approval": approval}
    return game_draft(
        room=cast.room, number=1, rulebook="california", by=cast.people["compliance"], options=options
    )


def address(cast: Cast, rest: str = "") -> str:
    return f"/rooms/{cast.room.code}/games/1/1/{rest}"


def sent(officer: Person, page: str, where: str, content: bytes, name: str) -> Any:
    """A file sent by the form of a page."""
    fields = Form(page_of(officer.open(page)), where).fields
    return officer.client.post(where, {**fields, "file": SimpleUploadedFile(name, content)})


@pytest.mark.parametrize("write", [approval_toml, approval_json])
def test_an_approval_is_read_as_it_was_written(write: Callable[[GameFiling], str], cast: Cast) -> None:
    draft = drafted(cast, PAPER)
    read = read_approval_file(write(draft).encode(), file="paper")
    assert (read.based_on, read.approval) == ("california", draft.options["approval"])
    assert draft.options["approval"] == PAPER


def test_an_approval_is_downloaded_and_uploaded_into_a_draft(cast: Cast, person: Who) -> None:
    draft = drafted(cast)
    text = approval_toml(GameFiling(rulebook="california", options={"approval": PAPER}))
    officer = person("compliance")
    assert (
        sent(
            officer, address(cast, "edit/"), address(cast, "approval/"), text.encode(), "paper.toml"
        ).status_code
        == 302
    )
    draft.refresh_from_db()
    assert draft.options == {"coverage": "net", "approval": PAPER}
    assert draft.state_reference == "GEGR-004861"
    given = officer.open(address(cast, "approval.toml"))
    assert (
        given.headers["Content-Disposition"]
        == f'attachment; filename="{cast.room.code}-game-1-version-1.toml"'
    )
    assert tomllib.loads(page_of(given))["based_on"] == "california"
    assert json.loads(page_of(officer.open(address(cast, "approval.json"))))["seats"] == 8


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("seats = 8", "based_on is one of "),
        ('based_on = "designated_player"\nseats = 9', "this draft is based on california"),
        ('based_on = "california"\nstars = 3', "paper: stars: the game knows no term"),
        ('based_on = "california"\n[bank]\nqualifies = "ten_high"', "paper: bank.qualifies: it is one of"),
        ('based_on = "california"\n[[pair_plus_tables]]\nodds = {straight_flush = 40, pair = 1}', "paper: pair_plus_tables[0].odds.three_of_a_kind"),
        ("seats = ", "paper: "),
        ('{"based_on": "california", "based_on": "california"}', "paper: "),
        ("\x00", "paper: "),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused_with_its_place_and_nothing_is_written(
    text: str, why: str, cast: Cast, person: Who
) -> None:
    draft = drafted(cast)
    answer = sent(
        person("compliance"), address(cast, "edit/"), address(cast, "approval/"), text.encode(), "paper"
    )
    assert answer.status_code == 422
    assert why in page_of(answer).replace("&#x27;", "'")
    draft.refresh_from_db()
    assert "approval" not in draft.options


def test_a_game_by_its_rulebook_has_no_approval_to_be_written(cast: Cast, person: Who) -> None:
    with pytest.raises(ApprovalFileRefused):
        approval_toml(drafted(cast))
    assert person("compliance").open(address(cast, "approval.toml")).status_code == 409


def test_a_document_is_attached_signed_with_its_hash_and_downloaded(cast: Cast, person: Who) -> None:
    draft, officer = drafted(cast, PAPER), person("compliance")
    before = draft.digest
    assert sent(officer, address(cast), address(cast, "document/"), PDF, "TCP 2026.pdf").status_code == 302
    draft.refresh_from_db()
    hashed = hashlib.sha256(PDF).hexdigest()
    assert draft.document is not None
    assert draft.document.named == {"name": "TCP 2026.pdf", "sha256": hashed, "size": len(PDF)}
    assert draft.digest != before
    entry = JournalEntry.objects.filter(command="game_document").get()
    assert (entry.data["before"], entry.data["after"]["sha256"]) == (None, hashed)
    page = page_of(officer.open(address(cast)))
    assert hashed in page
    fields = Form(page, address(cast, "file/")).fields
    filing = {"effective_from": "2026-01-01", "state_reference": "GEGR-004861", **SIGNED}
    assert officer.client.post(address(cast, "file/"), {**fields, **filing}).status_code == 302
    for who in ("floor", "inspector"):
        given = person(who).open(address(cast, "document.pdf"))
        assert (given.content, given.headers["Content-Type"]) == (PDF, "application/pdf")
        assert given.headers["Content-Disposition"] == 'attachment; filename="TCP 2026.pdf"'
    assert person("outsider").open(address(cast, "document.pdf")).status_code == 404
    fields = {name: value for name, value in fields.items() if name != "read"}
    answer = officer.client.post(
        address(cast, "document/"), {**fields, "file": SimpleUploadedFile("b.pdf", PDF)}
    )
    assert answer.status_code == 404
    for statement in (
        "UPDATE filings_fileddocument SET name = 'x'",
        "DELETE FROM filings_fileddocument",
        "UPDATE filings_gamefiling SET document_id = NULL",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<html>", "is no PDF"),
        (b"%PDF-1.7\n cut off", "is no PDF"),
        (b"%PDF-" + b"0" * MOST_BYTES + b"%%EOF", "At most 10,000,000 bytes"),
    ],
    ids=["html", "cut", "large"],
)
def test_what_is_no_pdf_by_its_content_or_too_large_is_not_kept(
    content: bytes, why: str, cast: Cast, person: Who
) -> None:
    draft = drafted(cast, PAPER)
    answer = sent(person("compliance"), address(cast), address(cast, "document/"), content, "paper.pdf")
    assert answer.status_code == 422
    assert why in page_of(answer)
    draft.refresh_from_db()
    assert draft.document is None
    assert not FiledDocument.objects.exists()


def test_a_document_is_taken_off_a_draft_and_the_same_one_is_kept_once(cast: Cast, person: Who) -> None:
    draft, officer = drafted(cast, PAPER), person("compliance")
    for _ in range(2):
        assert sent(officer, address(cast), address(cast, "document/"), PDF, "a.pdf").status_code == 302
        where = address(cast, "document/remove/")
        fields = Form(page_of(officer.open(address(cast))), where).fields
        assert officer.client.post(where, fields).status_code == 302
        draft.refresh_from_db()
        assert draft.document is None
    assert FiledDocument.objects.count() == 1
    assert officer.open(address(cast, "document.pdf")).status_code == 404


def test_a_page_reads_no_bytes_of_a_document(cast: Cast, person: Who) -> None:
    draft = drafted(cast, PAPER)
    draft.document = FiledDocument.of(cast.room, "a.pdf", PDF, added_by=cast.people["compliance"])
    draft.document.save()
    draft.save()
    with CaptureQueriesContext(connection) as queries:
        assert "a.pdf" in page_of(person("compliance").open(address(cast)))
    read = [each["sql"] for each in queries if "filings_fileddocument" in each["sql"]]
    assert read
    assert not [sql for sql in read if '"content"' in sql]


def test_bytes_that_are_not_those_of_the_hash_are_found(cast: Cast) -> None:
    content = b"%PDF-1.7 another %%EOF"
    document = FiledDocument.of(cast.room, "a.pdf", PDF, added_by=cast.people["compliance"])
    document.save()
    assert list(documents_verify()) == []
    other = FiledDocument.of(cast.room, "b.pdf", content, added_by=cast.people["compliance"])
    other.sha256 = document.sha256
    other.save()
    assert list(documents_verify()) == [
        f"document {other.pk} (b.pdf): its bytes are not those of its checksum"
    ]


@pytest.mark.parametrize("who", ["floor", "inspector", "outsider"])
def test_whoever_does_not_file_attaches_and_uploads_nothing(who: str, cast: Cast, person: Who) -> None:
    drafted(cast, PAPER)
    for rest in ("approval/", "document/", "document/remove/"):
        answer = person(who).client.post(address(cast, rest), {"version": "0"})
        assert answer.status_code == (404 if who == "outsider" else 403), rest
    for rest in ("approval.toml", "approval.json", "document.pdf"):
        assert person(who).open(address(cast, rest)).status_code == 404, rest


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.pdf", "a.pdf"),
        ("..\\..\\b.PDF", "b.pdf"),
        ("/etc/passwd", "passwd.pdf"),
        ('x"\n<y>.pdf', "xy.pdf"),
        ("", "document.pdf"),
        ("é" * 200, "é" * 116 + ".pdf"),
    ],
)
def test_the_name_of_a_document_is_one_of_a_file(given: str, kept: str) -> None:
    assert file_name(given) == kept
