"""The admin of people: it shows and searches, makes a room's first two people, and writes nothing that a command writes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from cardroom.floor.commands.accounts import account_close
from cardroom.floor.models import JournalEntry, Table
from cardroom.people.duties import ALONE, BY_THE_SITE, IN_SET_UP
from cardroom.people.models import Employment, PasswordReset, Player, Provider, Role, Staff, WorkPermit
from cardroom.rooms.models import Room
from tests.cast import PASSWORD, PIN, Cast, give_pin
from tests.kept import kept

NEW = "nine high straight beats it"


@pytest.fixture
def cast(db: None) -> Cast:
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast()
    Staff.objects.filter(employments__role=Role.ROOM_MANAGER).update(is_staff=True)
    rival = cast.people["rival_dealer"]
    rival.badge, rival.licence_number, rival.email = "R-9", "WP-7131", "rae@gold-bar.example"
    rival.save()
    Staff.objects.create(username="root", is_staff=True, is_superuser=True, password=rival.password)
    return cast


@pytest.fixture
def at(cast: Cast) -> Callable[[str], Client]:
    """A browser in which somebody is signed in."""

    def signed_in(username: str) -> Client:
        browser = Client()
        browser.post("/accounts/login/", {"login": username, "password": PASSWORD})
        return browser

    return signed_in


def text(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def make(browser: Client, room: Room, username: str) -> Any:
    given = {"username": username, "display_name": username.title(), "badge": "", "home": room.pk}
    return browser.post(
        "/admin/people/staff/add/",
        {**given, "password1": NEW, "password2": NEW, "usable_password": "true"},
    )


def give(browser: Client, room: Room, staff: Staff, role: str, **signed: str) -> Any:
    given = {"staff": staff.pk, "room": room.pk, "role": role}
    return browser.post("/admin/people/employment/add/", {**given, **signed})


def test_an_administrator_of_the_site_makes_a_room_and_its_first_two_people_and_no_third(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    root = at("root")
    assert root.get("/admin/people/staff/add/").status_code == 403, "no room is being set up"
    fields = {
        each.html_name: each.value()
        for each in root.get("/admin/rooms/room/add/").context["adminform"].form
        if each.value() is not None and each.value() is not False
    }
    assert (
        root.post("/admin/rooms/room/add/", {**fields, "name": "Bay Oaks", "code": "bay-oaks"}).status_code
        == 302
    )
    room = Room.objects.get(code="bay-oaks")
    for username in ("walt", "grace"):
        assert make(root, room, username).status_code == 302
    walt, grace = (Staff.objects.get(username=each) for each in ("walt", "grace"))
    assert (walt.home, walt.must_change_password, walt.is_staff) == (room, True, False)
    assert give(root, room, walt, "dealer").status_code == 200, "a role that may not sign"
    assert give(root, cast.room, walt, "room_manager").status_code == 200, "a room that has its people"
    assert give(root, room, walt, "room_manager").status_code == 302
    first = JournalEntry.objects.get(room=room, command="role_give").data
    assert (first["approved_by"], first[ALONE]) == (None, IN_SET_UP)
    assert give(root, room, grace, "compliance").status_code == 200, "the first signs for the second"
    give_pin(walt)
    assert give(root, room, grace, "compliance", approver="walt", approver_pin=PIN).status_code == 302
    assert JournalEntry.objects.filter(room=room, command="account_make").count() == 2
    third = cast.people["dealer"]
    signed = {"approver": "walt", "approver_pin": PIN}
    assert give(root, room, third, "room_manager", **signed).status_code == 403
    assert make(root, room, "third").status_code == 403


def test_a_room_that_has_lost_its_second_holder_is_given_another_by_an_administrator_of_the_site(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    cast.send_room(account_close, "room_manager", staff_id=cast.people["compliance"].pk)
    root, support = at("root"), cast.people["support"]
    assert give(root, cast.room, support, "compliance").status_code == 200, "the manager is left to sign"
    cast.send_room(account_close, "room_manager", staff_id=cast.people["room_manager"].pk)
    assert give(root, cast.room, support, "compliance").status_code == 302
    entry = JournalEntry.objects.filter(room=cast.room, command="role_give").latest("pk")
    assert (entry.data["approved_by"], entry.data[ALONE]) == (None, BY_THE_SITE)


def test_the_admin_writes_nothing_that_a_command_writes(cast: Cast, at: Callable[[str], Client]) -> None:
    """Neither by a manager nor by an administrator of the site, at any address of a model that a command keeps."""
    dealer = cast.people["dealer"]
    WorkPermit.objects.create(staff=dealer, room=cast.room, number="WP-1")
    models = (Staff, Employment, WorkPermit, PasswordReset, Player, Provider, Room, Table)
    for who in ("room_manager", "root"):
        browser = at(who)
        before = {model: list(model.objects.order_by("pk").values()) for model in models}
        for model in models:
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            of_room = {Staff: {"pk": dealer.pk}, Room: {"pk": cast.room.pk}}.get(model, {"room": cast.room})
            if row := model.objects.filter(**of_room).first():
                change = reverse(f"{name}_change", args=[row.pk])
                assert browser.get(change).status_code == 200, change
                for address in (change, reverse(f"{name}_delete", args=[row.pk])):
                    typed = {"name": "Stolen", "number": "77", "display_name": "Stolen", "role": "floor"}
                    assert browser.post(address, {**typed, "post": "yes"}).status_code == 403, address
            if (who, model) != ("root", Room):
                assert browser.get(reverse(f"{name}_add")).status_code == 403, name
            assert admin.site.get_model_admin(model).get_actions(_request(browser)) == {}
        assert (
            browser.post(f"/admin/people/staff/{dealer.pk}/password/", {"password1": NEW}).status_code == 403
        )
        assert {model: list(model.objects.order_by("pk").values()) for model in models} == before


def test_what_the_admin_adds_is_a_room_and_its_first_people_and_nothing_is_changed_or_deleted(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    """Whatever is registered there, today and later."""
    request = _request(at("root"))
    Room.objects.create(name="Bay Oaks", code="bay-oaks")  # which is set up
    registered = [model for model in apps.get_models() if admin.site.is_registered(model)]
    ours = [
        (model, admin.site.get_model_admin(model))
        for model in registered
        if model.__module__.startswith("cardroom.")
    ]
    added = {model for model, of_model in ours if of_model.has_add_permission(request)}
    assert added == {Room, Staff, Employment} and len(ours) > 40
    for model, of_model in ours:
        row = model(pk=1)
        assert not of_model.has_change_permission(request, row), model
        assert not of_model.has_delete_permission(request, row) and not of_model.get_actions(request), model


def _request(browser: Client) -> Any:
    return browser.get("/admin/people/staff/").wsgi_request


def test_no_address_of_the_admin_shows_or_changes_people_of_the_other_room(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    thief = at("room_manager")
    victim, firm = cast.people["rival_dealer"], Provider.objects.get(room=cast.rival)
    role = Employment.objects.get(staff=victim)
    secrets = ("rival_dealer", "Rival dealer", "WP-7131", "rae@gold-bar", "Levee Players of Gold Bar", "Rae")
    rows = [
        ("staff", victim.pk),
        ("employment", role.pk),
        ("player", cast.rival_player.pk),
        ("provider", firm.pk),
    ]
    addresses = ["/admin/", "/admin/people/"]
    for model, pk in rows:
        addresses += [
            f"/admin/people/{model}/",
            f"/admin/people/{model}/add/",
            f"/admin/people/{model}/?q=rival",
        ]
        addresses += [f"/admin/people/{model}/?q=rae"]
        addresses += [f"/admin/people/{model}/{pk}/{page}/" for page in ("change", "history", "delete")]
        addresses += [f"/admin/people/{model}/{pk}/", f"/admin/r/{model}/{pk}/"]
    addresses += [f"/admin/people/staff/{victim.pk}/password/", "/admin/people/passwordreset/"]
    addresses += ["/admin/people/passwordreset/add/", "/admin/people/player/?provider__id__exact=1"]
    addresses += ["/admin/people/employment/?staff__password__startswith=md5"]
    addresses += [
        f"/admin/autocomplete/?app_label=people&model_name={model}&field_name={field}&term=r"
        for model, field in (
            ("employment", "staff"),
            ("player", "staff"),
            ("player", "provider"),
            ("staff", "home"),
        )
    ]
    opened = 0
    for address in addresses:
        answer = thief.get(address, follow=True)
        opened += answer.status_code == 200
        for secret in secrets:
            assert not re.search(rf"\b{re.escape(secret)}\b", text(answer).replace("?q=rae", "")), (
                f"{secret} at {address}"
            )
    assert opened > 15
    before = {
        model: list(model.objects.order_by("pk").values()) for model in (Staff, Employment, Player, Provider)
    }
    for model, pk in rows:
        thief.post(f"/admin/people/{model}/{pk}/delete/", {"post": "yes"})
        thief.post(
            f"/admin/people/{model}/{pk}/change/", {"name": "Stolen", "role": "floor", "room": cast.room.pk}
        )
        for action in ("delete_selected", "hand_over", "confirm", "refuse"):
            thief.post(f"/admin/people/{model}/", {"action": action, "_selected_action": [pk], "post": "yes"})
    after = {model: list(model.objects.order_by("pk").values()) for model in before}
    assert after == before
