"""Statements of providers on pages, in files and at the API: a lead has their own firm's, oversight anybody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cardroom.people.models import Provider
from tests.cast import Cast
from tests.web.conftest import Person

Sit = Callable[[str], Person]


@pytest.fixture
def firms(cast: Cast) -> tuple[Provider, Provider, Provider]:
    """The lead's own firm, another one of the room, and one of the other room."""
    other = Provider.objects.create(room=cast.room, name="Delta Players", contract_number="P-2")
    return cast.room.providers.exclude(pk=other.pk).get(), other, cast.rival.providers.get()


def addresses(cast: Cast, firm: Provider) -> list[str]:
    """Every address that a firm's statement has."""
    page = f"/rooms/{cast.room.code}/statements/{firm.pk}"
    files = [f"{page}.{form}" for form in ("pdf", "xlsx", "csv", "json")]
    return [f"{page}/", *files, f"/api/rooms/{cast.room.pk}/statements/{firm.pk}"]


def statuses(who: Person, cast: Cast, firm: Provider) -> set[int]:
    return {who.client.get(address).status_code for address in addresses(cast, firm)}


@pytest.mark.postgresql
def test_a_lead_sees_their_own_firm_and_nothing_else(
    cast: Cast, firms: tuple[Provider, Provider, Provider], person: Sit
) -> None:
    own, other, elsewhere = firms
    lead = person("provider_lead")
    assert lead.open("/").redirect_chain[-1][0] == f"/rooms/{cast.room.code}/statements/{own.pk}/"
    assert f"Statement of {own.name}" in lead.text and "not the provider&#x27;s playing book" in lead.text
    assert "Delta Players" not in lead.text and f'href="/rooms/{cast.room.code}/"' not in lead.text
    assert statuses(lead, cast, own) == {200}
    assert statuses(lead, cast, other) == {404}
    assert statuses(lead, cast, elsewhere) == {404}
    answer = lead.client.get(f"/api/rooms/{cast.room.pk}/statements").json()
    assert [firm["name"] for firm in answer] == [own.name]
    for address in (
        f"/rooms/{cast.room.code}/",
        f"/rooms/{cast.room.code}/reports/",
        f"/rooms/{cast.room.code}/reports/bank-time/",
        f"/rooms/{cast.room.code}/rotation/",
        f"/api/rooms/{cast.room.pk}/reports/rotation",
    ):
        assert lead.client.get(address).status_code == 403


def test_oversight_sees_every_firm_of_the_room_and_nobody_elses(
    cast: Cast, firms: tuple[Provider, Provider, Provider], person: Sit
) -> None:
    own, other, elsewhere = firms
    compliance = person("compliance")
    compliance.open(f"/rooms/{cast.room.code}/statements/")
    assert own.name in compliance.text and "Contract P-2" in compliance.text
    assert statuses(compliance, cast, own) == statuses(compliance, cast, other) == {200}
    assert statuses(compliance, cast, elsewhere) == {404}


@pytest.mark.parametrize(
    ("who", "status"),
    [("dealer", 403), ("floor", 403), ("count", 403), ("rival_compliance", 404), ("outsider", 404)],
)
def test_whoever_may_not_see_statements_sees_none(
    cast: Cast, firms: tuple[Provider, Provider, Provider], person: Sit, who: str, status: int
) -> None:
    somebody = person(who)
    assert statuses(somebody, cast, firms[0]) == {status}
    assert somebody.client.get(f"/rooms/{cast.room.code}/statements/").status_code == status


def test_nobody_signed_in_is_sent_to_sign_in(cast: Cast, firms: tuple[Provider, Provider, Provider]) -> None:
    *pages, api = addresses(cast, firms[0])
    assert {Client().get(page).status_code for page in pages} == {302}
    assert Client().get(api).status_code == 401


def test_what_cannot_be_asked_is_said_above_the_form(
    cast: Cast, firms: tuple[Provider, Provider, Provider], person: Sit
) -> None:
    lead = person("provider_lead")
    page, *_, api = addresses(cast, firms[0])
    for query in ("from=2026-11-20&to=2026-11-01", "table=99", "from=yesterday"):
        refused: Any = lead.client.get(f"{page}?{query}")
        assert refused.status_code == 400 and "<form" in refused.content.decode()
        assert lead.client.get(f"{api}?{query}").status_code == 400
    assert lead.client.get(f"{api}?profile=two_rounds").json()["error"]["code"] == "unknown_key"
