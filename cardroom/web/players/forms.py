"""Forms of a room's players."""

from __future__ import annotations

import base64
from typing import Any

from django import forms

from cardroom.floor.commands.exclusions import exclusion_lift
from cardroom.floor.commands.player_erase import player_erase
from cardroom.floor.commands.players import MOST_NUMBER, NAME_LENGTH, player_merge, player_unmerge
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.people.models import Exclusion, Player, Provider, Staff
from cardroom.people.photographs import MOST_BYTES
from cardroom.people.players import players_meant

from ..parts.forms.fields import day_field, words_field
from ..parts.forms.signed import WitnessedForm, right_to_sign
from ..parts.forms.upload import UploadForm, file_field


class PlayerForm(forms.Form):
    """A form of one command on a player: what the command takes is what it cleans."""

    #: What the button says, and what is said once it is done.
    button = ""
    done = ""

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of the command, from valid input."""
        return dict(self.cleaned_data)


class NewPlayerForm(PlayerForm):
    """A new player."""

    name = words_field(NAME_LENGTH, "Name")
    other_name = words_field(NAME_LENGTH, "Name in another script", required=False)
    number = forms.IntegerField(
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        label="Number (empty: the next one)",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )


class NameForm(NewPlayerForm):
    """What a player is called, and whether they may play."""

    button, done = "Save", "Saved."

    active = forms.BooleanField(label="May play here", required=False)
    field_order = ("name", "other_name", "number", "active")

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> NameForm:
        """Return the form as the player is now."""
        said = {"name": player.name, "other_name": player.other_name, "number": player.number}
        return cls(data, initial={**said, "active": player.is_active}, auto_id=auto_id)


class PhotoForm(PlayerForm, UploadForm):
    """A photograph: taken with the tablet's camera, or a file."""

    button, done = "Keep this photograph", "The photograph is kept."
    most_bytes = MOST_BYTES

    camera = file_field("Take one with the camera", "image/*", capture="environment", required=False)
    file = file_field("Or choose a file (JPEG, PNG, WebP)", "image/jpeg,image/png,image/webp", required=False)
    field_order = ("camera", "file")

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> PhotoForm:
        """Return the form."""
        return cls(data, auto_id=auto_id)

    def clean_camera(self) -> Any:
        return self.small_enough("camera")

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data.get("camera") or self.cleaned_data.get("file")
        if given is None:
            if not self.errors:
                self.add_error("file", "Take a photograph, or choose its file.")
            return {}
        return {"content": base64.b64encode(given.read()).decode()}


class RemovePhotoForm(PlayerForm):
    """That no photograph is kept."""

    button, done = "Take it away", "No photograph is kept."

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> RemovePhotoForm:
        """Return the form."""
        return cls(data, auto_id=auto_id)


class ProviderForm(PlayerForm):
    """Whose proposition player somebody is, with the badge."""

    button, done = "Save", "Saved."

    provider_id = forms.TypedChoiceField(label="Plays for", coerce=int, empty_value=None, required=False)
    badge_number = words_field(40, "Badge number", required=False)
    badge_expires = day_field("Badge valid through")

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> ProviderForm:
        """Return the form as the player is now, with the providers of the room."""
        said = {
            "provider_id": player.provider_id,
            "badge_number": player.badge_number,
            "badge_expires": player.badge_expires,
        }
        form = cls(data, initial=said, auto_id=auto_id)
        providers = Provider.objects.filter(room=player.room_id)
        form.fields["provider_id"].choices = [  # type: ignore[attr-defined]
            ("", "themselves"),
            *((each.pk, each.name) for each in providers),
        ]
        return form


class StaffForm(PlayerForm):
    """Which member of the room's own staff a player is."""

    button, done = "Save", "Saved."

    staff_id = forms.TypedChoiceField(label="Works here as", coerce=int, empty_value=None, required=False)

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> StaffForm:
        """Return the form as the player is now, with the staff of the room."""
        form = cls(data, initial={"staff_id": player.staff_id}, auto_id=auto_id)
        here = Staff.objects.filter(employments__room=player.room_id, is_active=True, program__isnull=True)
        form.fields["staff_id"].choices = [  # type: ignore[attr-defined]
            ("", "does not work here"),
            *((each.pk, str(each)) for each in here.distinct().order_by("display_name", "username")),
        ]
        return form


class MergeForm(PlayerForm, WitnessedForm):
    """Into whom a player is merged, and why; a second person signs."""

    button, done = "Merge", "Merged: both are one person from now on."

    into = words_field(100, "Is in fact (name or number)", list="others-alike")
    reason = words_field(REASON_LENGTH, "Why")
    field_order = ("into", "reason", "approver", "approver_pin")
    right = right_to_sign(player_merge)

    def __init__(self, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> None:
        self.player = player
        super().__init__(data, auto_id=auto_id)

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> MergeForm:
        """Return the form."""
        return cls(player, data, auto_id=auto_id)

    def clean_into(self) -> Player:
        given = self.cleaned_data["into"]
        meant = players_meant(self.player.room_id, given)
        if not meant:
            raise forms.ValidationError(f"This room knows no player called “{given}”: type the number.")
        if len(meant) > 1:
            several = ", ".join(each.label for each in meant)
            raise forms.ValidationError(f"“{given}” may mean {several}: type the number.")
        return meant[0]

    def arguments(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"into_id": given["into"].pk, "reason": given["reason"], "approver": self.signature()}


class UnmergeForm(PlayerForm, WitnessedForm):
    """Why a merge is undone; a second person signs."""

    button, done = "Undo the merge", "They are two people again."

    reason = words_field(REASON_LENGTH, "Why")
    field_order = ("reason", "approver", "approver_pin")
    right = right_to_sign(player_unmerge)

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> UnmergeForm:
        """Return the form."""
        return cls(data, auto_id=auto_id)

    def arguments(self) -> dict[str, Any]:
        return {"reason": self.cleaned_data["reason"], "approver": self.signature()}


class EraseForm(PlayerForm, WitnessedForm):
    """Why the names of a player are erased; a second person signs."""

    button, done = "Erase for good", "Erased: no name of this player is kept."

    reason = words_field(REASON_LENGTH, "Why (without the name)")
    field_order = ("reason", "approver", "approver_pin")
    right = right_to_sign(player_erase)

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> EraseForm:
        """Return the form."""
        return cls(data, auto_id=auto_id)

    def arguments(self) -> dict[str, Any]:
        return {"reason": self.cleaned_data["reason"], "approver": self.signature()}


class ExcludeForm(PlayerForm):
    """Who may not play from now on, why, and until when."""

    button, done = "Exclude at once", "Entered. They may not play from now on."

    kind = forms.ChoiceField(label="Kind", choices=Exclusion.Kind.choices)
    reason = words_field(REASON_LENGTH, "Why")
    ends_on = day_field("Last day (empty: until it is lifted)")

    @classmethod
    def of(cls, player: Player, data: Any = None, *, auto_id: str = "id_%s") -> ExcludeForm:
        """Return the form."""
        return cls(data, auto_id=auto_id)


class LiftForm(WitnessedForm):
    """Why an exclusion is lifted; a second person signs."""

    reason = words_field(REASON_LENGTH, "Why")
    field_order = ("reason", "approver", "approver_pin")
    right = right_to_sign(exclusion_lift)

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of the command, from valid input."""
        return {"reason": self.cleaned_data["reason"], "approver": self.signature()}
