"""Views of the rules of each rulebook and the placard of each table: on screen, and as a page to print."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.http import require_GET

from cardroom.floor.models import Round, Table
from games.refusal import Refusal
from games.registry import WITH_RULES, load_rulebook
from games.rulebook import Rulebook

from ..parts.access import Permissions, staff_of, table_for
from ..parts.languages import language_asked, table_called
from .forms import ChoicesForm, choices_of, schedules_of
from .placard import Placard, rules_placard, table_placard
from .placard_pdf import PrintContext, placard_pdf
from .wagers import shown_wagers


@login_required
@require_GET
def rules_list(request: HttpRequest) -> HttpResponse:
    """Show the rulebooks there are."""
    return render(
        request, "web/placards/rules.html", {"rulebooks": [load_rulebook(each) for each in WITH_RULES]}
    )


@login_required
@require_GET
def rules_page(request: HttpRequest, rulebook_id: str) -> HttpResponse:
    """Show a rulebook with the options that the address chooses; what it does not name is the default."""
    rulebook = _rulebook(rulebook_id)
    form, placard = _chosen(request, rulebook)
    context = {
        "rulebook": rulebook,
        "form": form,
        "placard": placard,
        "wagers": [] if placard is None else shown_wagers(placard, players=form.players),
        "schedules": [(each, each.tariff_at(rulebook)) for each in schedules_of(rulebook)],
        "prefix": f"{rulebook.id}:",
        "asked": request.GET.urlencode(),
    }
    return render(request, "web/placards/rulebook.html", context, status=200 if placard is not None else 400)


@login_required
@require_GET
def rules_print(request: HttpRequest, rulebook_id: str) -> HttpResponse:
    """Give the placard of a rulebook with the chosen options as a PDF: for games that no table of the floor plays."""
    rulebook = _rulebook(rulebook_id)
    form, placard = _chosen(request, rulebook)
    if placard is None:
        return rules_page(request, rulebook_id)
    print_context = PrintContext(
        where="", room=None, printed_by=str(staff_of(request)), printed_at=timezone.now()
    )
    return _pdf(placard_pdf(placard, print_context, players=form.players), f"placard-{rulebook.id}")


@login_required
@require_GET
def placard_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show what a table posts, as it is set now, in the language that the address asks for."""
    with translation.override(language_asked(request)):
        return _placard_shown(request, table_id)


def _placard_shown(request: HttpRequest, table_id: int) -> HttpResponse:
    table, permissions = table_for(request, table_id)
    try:
        placard = table_placard(table)
    except Refusal as refusal:
        return _nothing_posted(request, table, permissions, refusal)
    has_rules = table.rulebook in WITH_RULES
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "rulebook": placard.rulebook,
        "placard": placard,
        "wagers": shown_wagers(placard, players=_hands_in_play(table)),
        "prefix": f"{placard.rulebook.id}:",
        "has_rules": has_rules,
        "chosen": urlencode(choices_of(placard.rulebook, table.sheet_options, table.wager_limits))
        if has_rules
        else "",
        "now": timezone.now(),
        "table_name": table_called(table),
        "language": language_asked(request),
        "languages": settings.LANGUAGES,
    }
    return render(request, "web/placards/placard.html", context)


@login_required
@require_GET
def placard_print(request: HttpRequest, table_id: int) -> HttpResponse:
    """Give the same as a PDF on US Letter."""
    table, permissions = table_for(request, table_id)
    language = language_asked(request)
    with translation.override(language):
        print_context = PrintContext(
            where=table_called(table),
            room=table.room,
            printed_by=str(staff_of(request)),
            printed_at=timezone.now(),
        )
        try:
            placard = table_placard(table)
        except Refusal as refusal:
            return _nothing_posted(request, table, permissions, refusal)
        page = placard_pdf(placard, print_context)
    ending = "" if language == settings.LANGUAGE_CODE else f"-{language}"
    return _pdf(page, f"placard-{table.room.code}-table-{table.number}{ending}")


def _hands_in_play(table: Table) -> int | None:
    """The number of hands of the round in play, once "no more bets" has fixed it."""
    closed = Round.objects.filter(table=table, state=Round.State.BETS_CLOSED)
    return closed.values_list("positions", flat=True).first()


def _nothing_posted(
    request: HttpRequest, table: Table, permissions: Permissions, refusal: Refusal
) -> HttpResponse:
    """Say why a table has no placard: it was set before to options that its rulebook does not allow."""
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "refusal": refusal,
        "table_name": table_called(table),
        "language": language_asked(request),
    }
    return render(request, "web/placards/nothing.html", context, status=409)


def _rulebook(rulebook_id: str) -> Rulebook:
    if rulebook_id not in WITH_RULES:
        raise Http404(f"There is no rulebook {rulebook_id}.")
    return load_rulebook(rulebook_id)


def _chosen(request: HttpRequest, rulebook: Rulebook) -> tuple[ChoicesForm, Placard | None]:
    """The form of the choices and what they come to; None when they do not go together."""
    form = ChoicesForm(rulebook, request.GET.dict())
    if not form.is_valid() or form.terms is None:
        return form, None
    placard = rules_placard(form.terms, limits=form.limits, schedule=form.schedule, situation=form.situation)
    return form, placard


def _pdf(page: bytes, name: str) -> HttpResponse:
    return HttpResponse(
        page,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )
