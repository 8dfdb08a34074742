"""Admin page of fee schedules: drafts are written here, by the services; filed versions are shown.

A draft is filed on the room's own pages alone, where a second person signs and the room's journal records it.
"""

from __future__ import annotations

import json
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from cardroom.people.admin_access import has_right_anywhere, rooms_with_right
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from fees.rates import problems
from games.registry import RULEBOOKS, load_rulebook

from . import services
from .errors import FilingError
from .models import FeeSchedule
from .models.schedules import games_named


def rooms_filed_for(request: HttpRequest) -> QuerySet[Room]:
    """Return the rooms whose fee schedules the signed-in person may draft and file."""
    return rooms_with_right(request, Right.FILE_SCHEDULES)


class DocumentField(forms.JSONField):
    """A schedule's document as indented JSON, refused line by line when it is not legal."""

    def prepare_value(self, value: Any) -> Any:
        """Keep refused text as it was typed; write a document out for editing."""
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)

    # json refuses numbers of thousands of digits and bottomless nesting by other errors than the one that Django
    # expects, and Django reads the text in three places.

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError) as error:
            raise ValidationError("This cannot be read as a document.", code="bad_json") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except (ValueError, RecursionError):
            return data

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return super().has_changed(initial, data)
        except (ValueError, RecursionError):
            return True

    def validate(self, value: Any) -> None:
        super().validate(value)
        found = problems(value)
        if found:
            raise ValidationError([ValidationError(problem.message, code=problem.code) for problem in found])


class FeeScheduleForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A draft. Its document is checked at once, though only filing makes it count."""

    rulebook = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    document = DocumentField(
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 28, "spellcheck": "false"}),
        help_text=(
            'clause, ante_min_cents, ante_max_cents (null: no limit), lines. A line is {"payer": "player", '
            '"per": "ante", "fee_cents": …} or {"payer": "bank", "per": "total_table_action", "lower_cents": '
            '…, "upper_cents": … (null in the last), "fee_cents": …}; each may name its clause. Every kind of line: docs/fees.md.'
        ),
    )

    class Meta:
        model = FeeSchedule
        fields = (
            "room",
            "rulebook",
            "number",
            "title",
            "games",
            "document",
            "effective_from",
            "state_reference",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "rulebook" in self.fields:
            charged = [book for book in map(load_rulebook, RULEBOOKS) if book.fee_schedules]
            choice = cast(forms.ChoiceField, self.fields["rulebook"])
            choice.choices = [(book.id, book.name) for book in charged]

    def clean_games(self) -> list[int]:
        """The numbers of games; a draft may name none yet."""
        try:
            return games_named(self.cleaned_data["games"] or [])
        except FilingError as refused:
            raise ValidationError(refused.message, code=refused.code) from refused

    def clean(self) -> dict[str, Any]:
        """Name a second draft of a number before it is written, so that nothing typed is lost."""
        cleaned: dict[str, Any] = super().clean() or {}
        room, number = cleaned.get("room"), cleaned.get("number")
        if room is not None and number is not None and self.instance.pk is None:
            drafts = FeeSchedule.objects.filter(room=room, number=number, status=FeeSchedule.Status.DRAFT)
            if drafts.exists():
                self.add_error(
                    "number", f"Schedule {number} of {room} has a draft already: edit or discard that one."
                )
            elif number < 1:
                self.add_error("number", "A schedule's number counts from 1.")
        return cleaned


@admin.register(FeeSchedule)
class FeeScheduleAdmin(ModelAdmin):  # type: ignore[misc]  # unfold ships no types
    """Fee schedules of the rooms one files for."""

    form = FeeScheduleForm
    actions = None
    list_display = (
        "title",
        "room",
        "number",
        "version",
        "status",
        "table_limit",
        "effective_from",
        "effective_to",
        "state_reference",
    )
    list_filter = ("status",)
    list_select_related = ("room",)
    _facts = ("version", "status", "effective_to", "filed_at", "filed_by", "approved_by")

    def get_fields(self, request: HttpRequest, obj: FeeSchedule | None = None) -> tuple[str, ...]:
        return FeeScheduleForm.Meta.fields if obj is None else (*FeeScheduleForm.Meta.fields, *self._facts)

    def get_readonly_fields(self, request: HttpRequest, obj: FeeSchedule | None = None) -> tuple[str, ...]:
        """What a version is stays; what a draft says may change."""
        return () if obj is None else ("room", "rulebook", "number", *self._facts)

    def get_queryset(self, request: HttpRequest) -> QuerySet[FeeSchedule]:
        rows: QuerySet[FeeSchedule] = super().get_queryset(request)
        return rows.filter(room__in=rooms_filed_for(request))

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        if db_field.name == "room":
            kwargs["queryset"] = rooms_filed_for(request)
        return cast(
            "forms.ModelChoiceField[Any] | None",
            super().formfield_for_foreignkey(db_field, request, **kwargs),
        )

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_right_anywhere(request, Right.FILE_SCHEDULES)

    def has_view_permission(self, request: HttpRequest, obj: FeeSchedule | None = None) -> bool:
        if obj is None:
            return has_right_anywhere(request, Right.FILE_SCHEDULES)
        return rooms_filed_for(request).filter(pk=obj.room_id).exists()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: FeeSchedule | None = None) -> bool:
        return (obj is None or obj.status == FeeSchedule.Status.DRAFT) and self.has_view_permission(
            request, obj
        )

    def has_delete_permission(self, request: HttpRequest, obj: FeeSchedule | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponseBase:
        """Turn what a service refuses while it writes (another user was faster) into a message."""
        try:
            answer: HttpResponseBase = super().changeform_view(request, object_id, form_url, extra_context)
        except FilingError as error:
            self.message_user(request, error.message, messages.ERROR)
            return HttpResponseRedirect(request.path)
        return answer

    def save_model(self, request: HttpRequest, obj: FeeSchedule, form: FeeScheduleForm, change: bool) -> None:
        """Write by the services."""
        by = cast(Staff, request.user)
        columns = {
            "document": obj.document,
            "games": obj.games,
            "title": obj.title,
            "effective_from": obj.effective_from,
            "state_reference": obj.state_reference,
        }
        if change:
            services.edit(obj, by=by, **columns)
        else:
            services.draft(obj, by=by)

    @admin.display(description="Table limit")
    def table_limit(self, obj: FeeSchedule) -> str:
        return obj.limit_label or "not legal yet"
