"""Base form of a command at a table (`CommandForm`)."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.floor.reads.table_state import TableState

from .widgets import KeptWidgets


class CommandForm(forms.Form):
    """The form of one command at a table. A command without a question has this form as it is.

    `step` is the id of the form element in the page: fields may be anywhere on the page and still belong to it.
    """

    default_renderer = KeptWidgets()
    #: Id of the form element that the fields name, where they are outside it.
    step: str | None = None

    def __init__(self, state: TableState, *args: Any, **kwargs: Any) -> None:
        self.state = state
        kwargs.setdefault("auto_id", f"{type(self).__name__.lower()}-%s")
        super().__init__(*args, **kwargs)
        self.build()
        if self.step is not None:
            for field in self.fields.values():
                field.widget.attrs["form"] = self.step

    @classmethod
    def fits(cls, state: TableState) -> bool:
        """Whether the table's state allows the form to be drawn at all."""
        return True

    def build(self) -> None:
        """Add the fields that depend on the state of the table."""

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of the service, from valid input."""
        return dict(self.cleaned_data)

    def field_at(self, path: str) -> str | None:
        """The field that a refusal's `path` names, where there is one."""
        return path if path in self.fields else None
