"""The admin of the floor: it changes reference data and leaves what commands keep alone."""

from __future__ import annotations

from django.contrib import admin
from django.forms import modelform_factory
from django.test import RequestFactory

from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Table
from cardroom.people.models import Role

from .house import House


def test_a_table_changed_in_the_admin_keeps_the_version_and_chain_that_a_command_gave_it_meanwhile(
    open_house: House,
) -> None:
    stale = Table.objects.get(pk=open_house.table.pk)
    form = modelform_factory(Table, fields=["number"])({"number": 17}, instance=stale)
    assert form.is_valid()
    open_house.bet({4: 1000})  # two commands between the reading of the row and its writing
    request = RequestFactory().post("/")
    request.user = open_house.people[Role.ROOM_MANAGER]

    admin.site.get_model_admin(Table).save_model(request, form.save(commit=False), form, change=True)

    table = Table.objects.get(pk=open_house.table.pk)
    assert table.number == 17
    assert (table.version, table.chain_seq) == (stale.version + 2, stale.chain_seq + 2)
    assert list(chain_breaks(table)) == []
    assert table.history.count() >= 1
