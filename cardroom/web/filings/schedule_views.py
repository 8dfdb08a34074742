"""Views of fee schedules on file: tariff, jumps, what a version changed, its document, and files of it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.filings.models import FeeSchedule
from cardroom.filings.schedule_file import ScheduleFileRefused, read_schedule_file, written_schedule
from cardroom.filings.selectors import approvals_of
from cardroom.floor.commands.filings import schedules
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.reads.filing_tables import filing_tables
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import room_for
from ..parts.command_headers import done_once
from ..parts.documents import document_file
from .notice import notice_of
from .problem_words import in_form_words
from .schedule_form import (
    HeadForm,
    LineForm,
    ScheduleForm,
    ScheduleUploadForm,
    WaiverForm,
    fits_form,
    games_offered,
    planned,
    wagers_offered,
)
from .schedule_version import Filing, filing_of
from .views import FilingPages


class SchedulePages(FilingPages[FeeSchedule]):
    """The pages of fee schedules, which are uploaded and downloaded as files too."""

    commands = schedules
    heading = "Fee schedules"
    text = "what is charged"
    lead = (
        "What was filed stays as it was filed. A table collects by the version in force on the gaming day, and by no "
        "other."
    )
    none_filed = "Compliance drafts and files one; until then tables collect nothing."
    banked = True
    saved_page = "_edit"

    def empty_of(self, rulebook: str) -> dict[str, Any]:
        return {"document": {"ante_max_cents": None, "lines": []}}

    def paths(self) -> list[URLPattern]:
        several = "rooms/<slug:code>/schedules/"
        one = f"{several}<id:number>/<id:version>"
        upload = login_required(require_POST(self.upload_page))
        download = login_required(require_GET(self.file_of))
        notice = login_required(require_GET(self.notice_page))
        return [
            *super().paths(),
            path(f"{several}upload/", upload, name="schedule_upload"),
            path(f"{one}.json", download, {"form": "json"}, name="schedule_file"),
            path(f"{one}.toml", download, {"form": "toml"}, name="schedule_toml"),
            path(f"{one}/notice.pdf", notice, name="schedule_notice"),
        ]

    def upload_page(self, request: HttpRequest, code: str) -> HttpResponse:
        """Draft the next version of a schedule from a file that was written elsewhere."""
        room, permissions = room_for(request, code, Right.FILE_SCHEDULES)
        form = ScheduleUploadForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.show_list(request, permissions, upload=form, status=422)
        given = form.cleaned_data["file"]
        try:
            schedule = read_schedule_file(given.read(), file=given.name)
        except ScheduleFileRefused as refused:
            form.add_error("file", str(refused))
            return self.show_list(request, permissions, upload=form, status=422)

        def command(meta: CommandMeta) -> str:
            schedules.draft(meta, room.pk, **schedule._asdict())
            return f"{given.name} is a draft of schedule {schedule.number}."

        if error := done_once(request, command):
            return self.show_list(request, permissions, upload=form, error=error, status=error.status)
        return self.to_draft(room, schedule.number)

    def file_of(self, request: HttpRequest, code: str, number: int, version: int, form: str) -> HttpResponse:
        """Give one version as a file: its document as JSON, or the whole of it as TOML, as people write it."""
        room, permissions = room_for(request, code)
        filed = self.version(permissions, number, version)
        if form == "toml":
            try:
                text, kind = written_schedule(filed), "application/toml"
            except ScheduleFileRefused as refused:
                return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
        else:
            text, kind = json.dumps(filed.document, indent=2, ensure_ascii=False) + "\n", "application/json"
        name = f"{room.code}-schedule-{number}-version-{version}.{form}"
        return HttpResponse(
            text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    def notice_page(self, request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
        """Print the notice of one version: what is charged, what changes, and at which tables from when."""
        room, permissions = room_for(request, code)
        filed = self.version(permissions, number, version)
        if filed.problems:
            raise Http404("A draft that cannot be read yet has no notice.")
        now = timezone.now()
        return document_file(
            notice_of(filing_of(filed), filing_tables(filed, now)),
            "pdf",
            file_name=f"{room.code}-schedule-{number}-version-{version}-notice",
            printed_by=str(permissions.staff),
            now=now,
        )

    def page_context(self, version: FeeSchedule) -> dict[str, Any]:
        return {
            "filing": _in_form_words(filing_of(version)),
            "rulebook": version.book,
            "games": version.approvals() if version.games else [],
            "for_tables": filing_tables(version, timezone.now()),
        }

    def draft_context(self, draft: FeeSchedule, form: Any) -> dict[str, Any]:
        filing = filing_of(draft)
        if form is not None:
            filing = _in_form_words(filing)
        # Only an unchanged form shows the lines that the problems count.
        as_saved = form is not None and not form.head.is_bound
        return {
            "filing": filing,
            "lines": form.numbered(filing.problems if as_saved else []) if form else [],
            "as_saved": as_saved,
        }

    def described(self, room: Room, found: list[FeeSchedule]) -> dict[int, dict[str, Any]]:
        """The games that each is approved for, with the numbers of their approvals."""
        approved = approvals_of(room, found)
        return {version.pk: {"games": approved[version.pk] if version.games else []} for version in found}

    def list_forms(self) -> dict[str, forms.Form]:
        return {"upload": ScheduleUploadForm()}

    def form_of(self, draft: FeeSchedule) -> ScheduleForm | None:
        wagers = wagers_offered(draft)
        if not fits_form(draft.document, wagers):
            return None
        plans = planned(draft.effective_from, draft.state_reference)
        initial = {"title": draft.title, "games": draft.games, **plans}
        return ScheduleForm(
            wagers=wagers, games=games_offered(draft), initial=initial, document=draft.document
        )

    def form_typed(self, draft: FeeSchedule, request: HttpRequest) -> ScheduleForm:
        return ScheduleForm(request.POST, wagers=wagers_offered(draft), games=games_offered(draft))


def _in_form_words(filing: Filing) -> Filing:
    """The same, with what is wrong said by the words of the form."""
    problems = in_form_words(filing.problems, HeadForm, LineForm, WaiverForm)
    return dataclasses.replace(filing, problems=problems)


PAGES = SchedulePages()
