"""What is declared is whole: every act has a check or says why not, and every fact of the floor has its triggers."""

from __future__ import annotations

import dataclasses

import pytest
from django.apps import apps

from cardroom.api.acts import answer_of, body_of, route_of
from cardroom.api.urls import urlpatterns
from cardroom.core.acts import ACTS, Act, declare
from cardroom.web.acts import ACTS as ON_PAGE
from cardroom.web.forms.command import CommandForm

#: Rows of the floor that may change or go, and why that loses no fact.
CHANGING = {
    "Shift": "it is closed once, and what it was closed with stands in the journal",
    "Down": "it is ended once, and the journal has both",
    "Seating": "a stay ends once, and the journal has both",
    "SlipCounter": "it counts the slips of trays, which have triggers",
    "StoredAnswer": "answers for retries, which are purged after seven days",
    "Table": "settings and state of a place; the journal and its history keep what changed",
}


@pytest.mark.parametrize("act", ACTS.values(), ids=lambda act: act.name)
def test_every_act_has_a_check_or_says_that_it_needs_none(act: Act) -> None:
    assert (act.check is None) == bool(act.no_check)
    assert act.title and act.tag and act.description


def test_an_act_that_does_neither_is_refused() -> None:
    act = next(iter(ACTS.values()))
    with pytest.raises(TypeError, match="no_check"):
        declare(dataclasses.replace(act, check=None, no_check=""))
    with pytest.raises(TypeError, match="two acts"):
        declare(dataclasses.replace(act, check=None, no_check="a copy"))


@pytest.mark.parametrize("act", ACTS.values(), ids=lambda act: act.name)
def test_every_act_has_a_body_and_an_answer_that_can_be_written_down(act: Act) -> None:
    body_of(act)
    assert {act.place, "version"} <= set(answer_of(act)().fields)
    assert act.in_path <= {each.name for each in act.inputs}


def test_every_endpoint_that_writes_is_that_of_a_declared_act() -> None:
    declared = {(act.method.lower(), route_of(act)): act for act in ACTS.values()}
    writing = {
        (method, str(each.pattern))
        for each in urlpatterns
        for method in ("post", "put", "patch", "delete")
        if hasattr(getattr(each.callback, "view_class", None), method)
    }
    # Settling a sheet computes, and writes nothing; an address that there is none of refuses every method.
    assert {(method, route) for method, route in writing if "(?P<rest>" not in route} == {
        *declared,
        ("post", "settle"),
    }


def test_every_act_of_a_page_has_a_form_that_can_be_made() -> None:
    for act in ACTS.values():
        if act.page:
            assert issubclass(ON_PAGE[act.page].form, CommandForm)


def test_every_fact_of_the_floor_has_triggers_or_a_named_exemption() -> None:
    unguarded = {
        model.__name__
        for model in apps.get_app_config("floor").get_models()
        if not getattr(model, "guards", ()) and not model.__name__.startswith("Historical")
    }
    assert unguarded <= set(CHANGING)
