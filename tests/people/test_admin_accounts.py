"""Two room managers who attack each other through the admin, and people who work in both of their rooms."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Employment, PasswordReset, Player, Provider, Role, Staff
from tests.cast import PASSWORD, PIN, Cast
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
        browser.force_login(Staff.objects.get(username=username))
        return browser

    return signed_in


def text(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def signed(room: Any | None) -> dict[str, str]:
    """The signature of the room's compliance officer."""
    if room is None:
        return {}
    who = "compliance" if room.code == "cache-slough" else "rival_compliance"
    return {"approver": who, "approver_pin": PIN}


def employ(browser: Client, named: str, room: Any, role: str = "dealer", **more: Any) -> Any:
    return browser.post(
        "/admin/people/employment/add/",
        {"person": named, "room": room.pk, "role": role, "provider": "", **signed(room), **more},
    )


def set_password(browser: Client, staff: Staff, password: str = NEW) -> Any:
    return browser.post(
        f"/admin/people/staff/{staff.pk}/password/",
        {"password1": password, "password2": password, "usable_password": "true"}
        | signed(Staff.objects.get(pk=staff.pk).home),
    )


def opens(staff: Staff, password: str) -> bool:
    return Staff.objects.get(pk=staff.pk).check_password(password)


def change_form(browser: Client, staff: Staff, **fields: Any) -> Any:
    now = Staff.objects.get(pk=staff.pk)
    given = {
        "username": now.username,
        "display_name": now.display_name,
        "badge": now.badge,
        "email": now.email,
    }
    given |= {"licence_number": now.licence_number, "licence_expires": "", "is_active": "on"}
    given |= {name: value for name, value in fields.items() if value is not None}
    given |= signed(now.home)
    return browser.post(f"/admin/people/staff/{staff.pk}/change/", given)


def test_employing_somebody_of_another_room_takes_nothing_of_the_account(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    victim, thief, keeper = cast.people["rival_dealer"], at("room_manager"), at("rival_room_manager")
    assert employ(thief, "R-9", cast.room).status_code == 302
    assert Employment.objects.filter(staff=victim, room=cast.room, role=Role.DEALER).exists()
    # The room that employs them as well sees the role it gave, and nothing of the account.
    assert "rival_dealer" not in text(thief.get("/admin/people/staff/"))
    assert thief.get(f"/admin/people/staff/{victim.pk}/change/").status_code == 302
    assert set_password(thief, victim).status_code in (302, 403, 404)
    assert opens(victim, PASSWORD)
    change_form(thief, victim, display_name="Stolen", is_active=None)
    # The room it belongs to still keeps it: it sees the account, and writes down name, badge and licence.
    assert "WP-7131" in text(keeper.get(f"/admin/people/staff/{victim.pk}/change/"))
    assert change_form(keeper, victim, licence_number="WP-7132").status_code == 302
    victim.refresh_from_db()
    assert (victim.display_name, victim.licence_number, victim.home) == (
        "Rival dealer",
        "WP-7132",
        cast.rival,
    )


def test_the_home_room_of_somebody_who_works_elsewhere_too_moves_neither_sign_in_nor_mail(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    victim, keeper = cast.people["rival_dealer"], at("rival_room_manager")
    Employment.objects.create(staff=victim, room=cast.room, role=Role.SHIFT_MANAGER)
    assert change_form(
        keeper, victim, username="mine", email="thief@gold-bar.example", is_active=None, licence_number="WP-1"
    ).status_code == 302  # fmt: skip
    before = victim.username
    victim.refresh_from_db()
    assert (victim.username, victim.email, victim.is_active) == (before, "rae@gold-bar.example", True)
    assert victim.licence_number == "WP-1"
    assert set_password(keeper, victim).status_code == 403
    assert opens(victim, PASSWORD)


def test_an_account_without_a_role_belongs_to_the_room_that_made_it(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    maker, other = at("rival_room_manager"), at("room_manager")
    made = maker.post(
        "/admin/people/staff/add/",
        {
            "username": "newcomer", "display_name": "New Comer", "badge": "N-1", "home": cast.rival.pk,
            "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true",
        },
    )  # fmt: skip
    assert made.status_code == 302, text(made)
    newcomer = Staff.objects.get(username="newcomer")
    assert (newcomer.home, newcomer.added_by) == (cast.rival, cast.people["rival_room_manager"])
    assert "newcomer" in text(maker.get("/admin/people/staff/"))
    assert "newcomer" not in text(other.get("/admin/people/staff/"))
    assert other.get(f"/admin/people/staff/{newcomer.pk}/change/").status_code == 302
    # Employed by the other room first, the account is still not that room's.
    assert employ(other, "newcomer", cast.room).status_code == 302
    set_password(other, newcomer)
    change_form(other, newcomer, display_name="Stolen")
    newcomer.refresh_from_db()
    assert newcomer.display_name == "New Comer" and opens(newcomer, PASSWORD)
    assert newcomer.home == cast.rival


def test_a_room_makes_accounts_for_its_own_room_alone(cast: Cast, at: Callable[[str], Client]) -> None:
    answer = at("room_manager").post(
        "/admin/people/staff/add/",
        {
            "username": "planted", "display_name": "Planted", "home": cast.rival.pk,
            "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true",
        },
    )  # fmt: skip
    assert answer.status_code == 200 and not Staff.objects.filter(username="planted").exists()


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "named", ["outsider", "root", "rival_deale", "RIVAL_DEALER", "system-clock", "", "R-"]
)
def test_nobody_is_employed_by_less_than_their_exact_name_and_accounts_of_no_room_not_at_all(
    cast: Cast, at: Callable[[str], Client], named: str
) -> None:
    before = Employment.objects.count()
    answer = employ(at("room_manager"), named, cast.room)
    assert answer.status_code == 200 and Employment.objects.count() == before


def test_a_badge_that_two_people_have_employs_neither(cast: Cast, at: Callable[[str], Client]) -> None:
    Staff.objects.filter(username__in=("floor", "rival_dealer")).update(badge="R-9")
    answer = employ(at("room_manager"), "R-9", cast.room)
    assert answer.status_code == 200 and "several have this badge" in text(answer)


def test_a_badge_is_one_persons_in_a_room(cast: Cast, at: Callable[[str], Client]) -> None:
    floor = cast.people["rival_floor"]
    answer = change_form(at("rival_room_manager"), floor, badge="R-9")
    assert answer.status_code == 200 and "has this badge already" in text(answer)
    with pytest.raises(IntegrityError), transaction.atomic():
        Staff.objects.filter(pk=floor.pk).update(badge="R-9")
    # Somebody who moves to a room where their badge is taken changes it first.
    dealer = cast.people["dealer_2"]
    dealer.badge = "R-9"
    dealer.save()
    Employment.objects.filter(staff=dealer).delete()
    Employment.objects.create(staff=dealer, room=cast.rival, role=Role.DEALER)
    moved = at("room_manager").post(
        "/admin/people/staff/",
        {"action": "hand_over", "_selected_action": [dealer.pk]},
        follow=True,
    )
    assert "has the badge R-9 already" in text(moved)
    dealer.refresh_from_db()
    assert dealer.home == cast.room


@pytest.mark.postgresql
def test_a_role_is_given_in_ones_own_room_alone_and_never_moved(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    thief = at("room_manager")
    assert employ(thief, "room_manager", cast.rival, "room_manager").status_code == 200
    own = Employment.objects.get(staff=cast.people["dealer"], room=cast.room)
    thief.post(
        f"/admin/people/employment/{own.pk}/change/",
        {"staff": cast.people["rival_dealer"].pk, "room": cast.rival.pk, "role": "floor", "provider": ""}
        | signed(cast.room),
    )
    own.refresh_from_db()
    assert (own.staff, own.room, own.role) == (cast.people["dealer"], cast.room, Role.FLOOR)
    firm = Provider.objects.get(room=cast.rival)
    assert employ(thief, "dealer", cast.room, "provider_lead", provider=firm.pk).status_code == 200
    theirs = Employment.objects.get(staff=cast.people["rival_dealer"])
    thief.post(f"/admin/people/employment/{theirs.pk}/delete/", {"post": "yes"})
    thief.post(
        "/admin/people/employment/",
        {"action": "delete_selected", "_selected_action": [theirs.pk], "post": "yes"},
    )
    assert Employment.objects.filter(pk=theirs.pk).exists()
    assert employ(thief, "dealer", cast.room, "floor").status_code == 200, "a role is held once"


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


def ask(browser: Client, staff: Staff, room: Any, password: str = NEW) -> Any:
    return browser.post(
        "/admin/people/passwordreset/add/",
        {"person": staff.username, "room": room.pk, "reason": "forgot it", "password1": password, "password2": password},
    )  # fmt: skip


def answer(browser: Client, action: str, reset: PasswordReset) -> Any:
    return browser.post(
        "/admin/people/passwordreset/", {"action": action, "_selected_action": [reset.pk]}, follow=True
    )


@pytest.fixture
def both(cast: Cast) -> Staff:
    """Somebody of the rival room who is shift manager of the first room too."""
    staff = cast.people["rival_dealer"]
    Employment.objects.create(staff=staff, room=cast.room, role=Role.SHIFT_MANAGER)
    return staff


@pytest.mark.postgresql
def test_a_password_of_two_rooms_is_set_by_both_together(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    asker, other = at("room_manager"), at("rival_room_manager")
    signed_in = at("rival_dealer")
    assert ask(asker, both, cast.room).status_code == 302
    reset = PasswordReset.objects.get()
    assert opens(both, PASSWORD) and reset.state == "waiting"
    assert "forgot it" in text(other.get("/admin/people/passwordreset/"))
    assert other.get(f"/admin/people/passwordreset/{reset.pk}/change/").status_code == 200
    for page in (asker, other):
        assert reset.password not in text(page.get(f"/admin/people/passwordreset/{reset.pk}/change/"))
    assert "None of the rooms whose consent is missing" in text(answer(asker, "confirm", reset))
    assert opens(both, PASSWORD), "who asks does not confirm"
    assert "password set" in text(answer(other, "confirm", reset))
    assert opens(both, NEW)
    reset.refresh_from_db()
    assert (reset.state, reset.password, reset.ended_by) == ("done", "", cast.people["rival_room_manager"])
    assert [consent.room for consent in reset.consents.all()] == [cast.room, cast.rival]
    for room in (cast.room, cast.rival):
        entries = JournalEntry.objects.filter(chain=f"room:{room.pk}", command__startswith="password_")
        assert [each.command for each in entries.order_by("seq")] == ["password_ask", "password_consent"]
    assert [*rows_verify()] == []
    assert signed_in.get("/").status_code == 302, "what was open under the old password is closed"
    assert "answered already" in text(answer(other, "confirm", reset))


def test_a_second_manager_of_the_asking_room_is_no_other_room(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    second = cast.people["compliance"]
    Employment.objects.create(staff=second, room=cast.room, role=Role.ROOM_MANAGER)
    Staff.objects.filter(pk=second.pk).update(is_staff=True)
    ask(at("room_manager"), both, cast.room)
    answer(at("compliance"), "confirm", PasswordReset.objects.get())
    assert opens(both, PASSWORD) and PasswordReset.objects.get().state == "waiting"


@pytest.mark.postgresql
def test_who_asked_for_one_room_does_not_confirm_for_the_other(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    ask(at("room_manager"), both, cast.room)
    cast.hire("room_manager", Role.ROOM_MANAGER, room=cast.rival)
    assert "ask a second person" in text(answer(at("room_manager"), "confirm", PasswordReset.objects.get()))
    assert opens(both, PASSWORD)


def test_a_manager_of_a_third_room_neither_sees_nor_answers(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    third = type(cast.room).objects.create(name="Third", code="third")
    Employment.objects.create(staff=cast.people["rival_floor"], room=third, role=Role.ROOM_MANAGER)
    Staff.objects.filter(username="rival_floor").update(is_staff=True)
    ask(at("room_manager"), both, cast.room)
    reset = PasswordReset.objects.get()
    assert "rival_dealer" not in text(at("rival_floor").get("/admin/people/passwordreset/"))
    for action in ("confirm", "refuse"):
        answer(at("rival_floor"), action, reset)
    assert opens(both, PASSWORD) and PasswordReset.objects.get().state == "waiting"


@pytest.mark.postgresql
def test_a_refused_or_lapsed_request_sets_no_password_and_lets_another_be_made(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    asker, other = at("room_manager"), at("rival_room_manager")
    ask(asker, both, cast.room)
    assert "waits for a room's consent already" in text(ask(other, both, cast.rival))
    answer(other, "refuse", PasswordReset.objects.get())
    assert PasswordReset.objects.get().state == "refused"
    ask(asker, both, cast.room)
    late = PasswordReset.objects.get(state="waiting")
    PasswordReset.objects.filter(pk=late.pk).update(asked_at=timezone.now() - datetime.timedelta(hours=25))
    assert "older than 24 hours" in text(answer(other, "confirm", late))
    assert opens(both, PASSWORD)
    assert ask(asker, both, cast.room).status_code == 302
    assert PasswordReset.objects.filter(state="waiting").count() == 1


def test_a_room_asks_for_no_password_of_somebody_whom_it_does_not_employ_or_may_set_alone(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    asker = at("room_manager")
    assert "holds a role" in text(ask(asker, cast.people["rival_dealer"], cast.room))
    assert ask(asker, cast.people["rival_dealer"], cast.rival).status_code == 200
    assert "set the password itself" in text(ask(asker, cast.people["dealer"], cast.room))
    assert not PasswordReset.objects.exists()
    assert set_password(asker, cast.people["dealer"]).status_code == 302
    assert opens(cast.people["dealer"], NEW)


def test_a_person_of_two_rooms_changes_their_own_password(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    browser = at("rival_dealer")
    assert browser.get("/accounts/password/change/").status_code == 200
    given = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browser.post("/accounts/password/change/", given).status_code == 302
    assert opens(both, NEW)


def test_an_administrator_of_the_site_keeps_every_account(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    root = at("root")
    assert "rival_dealer" in text(root.get("/admin/people/staff/"))
    assert set_password(root, both).status_code == 302
    assert opens(both, NEW)
    role = {"staff": cast.people["outsider"].pk, "room": cast.room.pk, "role": "dealer", "provider": ""}
    assert root.post("/admin/people/employment/add/", role | signed(cast.room)).status_code == 302
    assert Staff.objects.get(username="outsider").home == cast.room


@pytest.mark.postgresql
def test_an_account_is_handed_over_to_the_room_that_employs_the_person_now(
    cast: Cast, at: Callable[[str], Client]
) -> None:
    moved, keeper = cast.people["rival_dealer"], at("rival_room_manager")
    employ(at("room_manager"), "rival_dealer", cast.room)
    hand_over = {"action": "hand_over", "_selected_action": [moved.pk]}
    keeper.post("/admin/people/staff/", hand_over)
    assert Staff.objects.get(pk=moved.pk).home == cast.rival, "it still employs the person"
    Employment.objects.get(staff=moved, room=cast.rival).delete()
    assert set_password(at("room_manager"), moved).status_code in (302, 403, 404)
    assert opens(moved, PASSWORD)
    keeper.post("/admin/people/staff/", hand_over)
    assert Staff.objects.get(pk=moved.pk).home == cast.room
    assert set_password(at("room_manager"), moved).status_code == 302
    assert opens(moved, NEW)


def test_a_manager_of_every_room_of_a_person_keeps_the_whole_account(
    cast: Cast, at: Callable[[str], Client], both: Staff
) -> None:
    cast.hire("room_manager", Role.ROOM_MANAGER, room=cast.rival)
    assert set_password(at("room_manager"), both).status_code == 302
    assert opens(both, NEW)
