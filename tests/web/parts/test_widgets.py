"""The kept markup of widgets: what Django draws, once for each thing that a template reads."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.forms.renderers import get_default_renderer
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from cardroom.web.parts.forms import widgets
from cardroom.web.parts.forms.widgets import KeptWidgets


def drawn(widget: forms.Widget, value: Any, renderer: Any) -> str:
    return str(widget.render("seat", value, {"id": "seat"}, renderer=renderer))


@pytest.mark.parametrize(
    "widget",
    [
        forms.TextInput(),
        forms.TextInput({"placeholder": "–", "required": True}),
        forms.TextInput({"placeholder": "–", "required": 1}),
        forms.TextInput({"class": "dollars"}),
        forms.TextInput({"class": mark_safe("a&amp;b")}),
        forms.TextInput({"class": "a&amp;b"}),
        forms.CheckboxInput(),
        forms.HiddenInput(),
        forms.PasswordInput(),
        forms.Textarea(),
        forms.Select(choices=[("1", "One"), ("2", "Two")]),
        forms.Select(choices=[("1", "One"), ("2", "Three")]),
        forms.RadioSelect(choices=[(1, "One"), (2, "Two")]),
    ],
)
def test_markup_is_djangos_own_the_first_time_and_again(widget: forms.Widget) -> None:
    kept = KeptWidgets()
    for value in (None, "", "1", 1, True, "2", "<b>", mark_safe("<b>")):
        for _ in range(2):
            assert drawn(widget, value, kept) == drawn(widget, value, get_default_renderer()), value


def test_widgets_that_differ_share_no_markup() -> None:
    kept = KeptWidgets()
    for required in (True, 1, "True", False, None):
        for value in ("1", "2"):
            widget = forms.TextInput({"required": required})
            assert drawn(widget, value, kept) == drawn(widget, value, get_default_renderer())


def test_words_of_choices_follow_the_language() -> None:
    kept, widget = KeptWidgets(), forms.Select(choices=[("yes", gettext_lazy("Yes"))])
    seen = []
    for language in ("en", "es", "en"):
        with translation.override(language):
            seen.append(drawn(widget, None, kept))
            assert seen[-1] == drawn(widget, None, get_default_renderer())
    assert seen[0] == seen[2] != seen[1]


def test_it_keeps_a_limited_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widgets, "MOST_KEPT", 3)
    kept, widget = KeptWidgets(), forms.TextInput()
    for value in map(str, range(10)):
        assert f'value="{value}"' in drawn(widget, value, kept)
