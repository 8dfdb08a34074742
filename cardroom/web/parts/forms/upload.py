"""The form of a file that was written elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms


def file_field(label: str, accept: str = "", *, capture: str = "", required: bool = True) -> forms.FileField:
    """The file, of the kinds that `accept` names to the browser; `capture`: by which of a tablet's cameras."""
    attributes = {name: said for name, said in (("accept", accept), ("capture", capture)) if said}
    widget = forms.FileInput(attrs=attributes)
    return forms.FileField(label=label, max_length=200, required=required, widget=widget)


class UploadForm(forms.Form):
    """A file of at most `most_bytes`; a form of it says in `file` what it is."""

    #: No schedule, and no approval, is a tenth as long.
    most_bytes = 200_000

    def clean_file(self) -> Any:
        return self.small_enough("file")

    def small_enough(self, name: str) -> Any:
        """The file of a field; None where none was chosen in one that may be empty."""
        given = self.cleaned_data[name]
        if given is not None and given.size > self.most_bytes:
            raise forms.ValidationError(
                f"At most {self.most_bytes:,} bytes; this has {given.size:,}.", code="too_large"
            )
        return given
