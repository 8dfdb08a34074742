"""The form of a file that was written elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms


def file_field(label: str, accept: str = "") -> forms.FileField:
    """The file, of the kinds that `accept` names to the browser."""
    return forms.FileField(
        label=label, max_length=200, widget=forms.FileInput(attrs={"accept": accept} if accept else {})
    )


class UploadForm(forms.Form):
    """A file of at most `most_bytes`; a form of it says in `file` what it is."""

    #: No schedule, and no approval, is a tenth as long.
    most_bytes = 200_000

    def clean_file(self) -> Any:
        given = self.cleaned_data["file"]
        if given.size > self.most_bytes:
            raise forms.ValidationError(
                f"At most {self.most_bytes:,} bytes; this has {given.size:,}.", code="too_large"
            )
        return given
