"""What is declared is whole: every command has a check or says why not, and every fact of the floor has its triggers."""

from __future__ import annotations

import dataclasses

import pytest
from django.apps import apps

from cardroom.api.commands import answer_of, body_of, route_of
from cardroom.api.urls import urlpatterns
from cardroom.core.commands import COMMANDS, Declaration, declare
from cardroom.web.parts.forms.command import CommandForm
from cardroom.web.table.commands import COMMANDS as ON_PAGE

#: Rows of the floor that may change or go, and why that loses no fact.
CHANGING = {
    "Shift": "it is closed once, and what it was closed with is in the journal",
    "Down": "it is ended once, and the journal has both",
    "Seating": "a stay ends once, and the journal has both",
    "SlipCounter": "it counts the slips of trays, which have triggers",
    "StoredAnswer": "answers for retries, which are purged after seven days",
    "Table": "settings and state of a place; the journal and its history keep what changed",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_command_has_a_check_or_says_that_it_needs_none(command: Declaration) -> None:
    assert (command.check is None) == bool(command.no_check)
    assert command.title and command.tag and command.description


def test_a_command_that_does_neither_is_refused() -> None:
    command = next(iter(COMMANDS.values()))
    with pytest.raises(TypeError, match="no_check"):
        declare(dataclasses.replace(command, check=None, no_check=""))
    with pytest.raises(TypeError, match="two commands"):
        declare(dataclasses.replace(command, check=None, no_check="a copy"))


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_command_has_a_body_and_an_answer_that_can_be_written_down(command: Declaration) -> None:
    body_of(command)
    assert {command.place, "version"} <= {each.key for each in answer_of(command).fields}
    assert command.in_path <= {each.name for each in command.inputs}


def test_every_endpoint_that_writes_is_that_of_a_declared_command() -> None:
    declared = {(command.method.lower(), route_of(command)): command for command in COMMANDS.values()}
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


def test_every_command_of_a_page_has_a_form_that_can_be_made() -> None:
    for command in COMMANDS.values():
        if command.page:
            assert issubclass(ON_PAGE[command.page].form, CommandForm)


def test_every_fact_of_the_floor_has_triggers_or_a_named_exemption() -> None:
    unguarded = {
        model.__name__
        for model in apps.get_app_config("floor").get_models()
        if not getattr(model, "guards", ()) and not model.__name__.startswith("Historical")
    }
    assert unguarded <= set(CHANGING)
