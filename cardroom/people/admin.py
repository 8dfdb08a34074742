"""Admin pages of people: they show and search what commands keep, and make a room's first two people.

What an administrator of the site adds here is what no command can: a command takes somebody who holds a role in the room. That
ends once two people of the room may sign for one another (`rooms_without_holders`).
"""

from __future__ import annotations

from typing import Any, Final, cast

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.forms import UserCreationForm

from cardroom.rooms.models import Room

from .accounts import accounts_seen
from .admin_access import FactAdmin, RoomKeptAdmin, rooms_kept_by
from .admin_signing import SIGNATURE, SignatureFields, Signed, signature, signed_in
from .duties import DUTIES, Duty, rooms_without_holders, why_not_give
from .journal import journalled, person_data, rooms_of_person
from .models import (
    Employment,
    PasswordReset,
    Player,
    PlayerMerge,
    Provider,
    ProviderContract,
    Role,
    Staff,
    WorkPermit,
)
from .rights import RIGHTS

admin.site.unregister(Group)  # permissions are roles in a room (rights.py), not groups
admin.site.unregister(Authenticator)  # secrets of the second factor, which nobody reads
admin.site.unregister(UserSession)  # people end their own


#: What is done next, once a room has one who may sign, and two of them.
_ONE_THERE: Final = (
    "{person} signs in now, sets a password and, under their own name in the bar, a PIN. Then make the second person's account; "
    "{person} signs for that one's role here."
)
_TWO_THERE: Final = (
    "The room has its two. Everything else is theirs: they sign in, and begin under Settings in the bar."
)


def may_set_up(request: HttpRequest) -> bool:
    """Tell whether an administrator of the site adds people: while some room has fewer than two who may sign."""
    return bool(request.user.is_superuser) and rooms_without_holders().exists()


class FirstAccountForm(UserCreationForm):  # type: ignore[misc]  # unfold ships no types
    """Form of an account of a room that is set up."""

    home = forms.ModelChoiceField(Room.objects.none(), help_text="Room that the account belongs to.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["home"].queryset = rooms_without_holders()

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        badge, home = given.get("badge"), given.get("home")
        if badge and home is not None and Staff.objects.filter(badge=badge, home=home).exists():
            self.add_error("badge", "Somebody of this room has this badge already.")
        return given


@admin.register(Staff)
class StaffAdmin(UserAdmin, RoomKeptAdmin):  # type: ignore[type-arg]
    """Accounts at home in the rooms that the user manages, shown; the first of a room are added."""

    add_form = FirstAccountForm
    add_form_template = None  # Django's own promises more options later, which are on the room's pages
    list_display = ("username", "display_name", "badge", "licence_number", "licence_expires", "is_active")
    list_filter = ("is_active",)
    search_fields = ("username", "display_name", "badge")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username",)}),
        ("Person", {"fields": ("display_name", "email", "badge", "licence_number", "licence_expires")}),
        ("Account", {"fields": ("home", "is_active", "is_staff", "is_superuser")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "fields": ("username", "display_name", "badge", "home", "password1", "password2"),
                "classes": ("wide",),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Staff]:
        found = Staff.objects.all() if request.user.is_superuser else accounts_seen(rooms_kept_by(request))
        return found.order_by(*self.ordering)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_set_up(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is None and may_set_up(request)  # Django's page that adds an account asks for this one too

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        obj.added_by, obj.must_change_password = request.user, True
        data: dict[str, Any] = {}
        with journalled(rooms_of_person(obj), cast(Staff, request.user), "account_make", data):
            super().save_model(request, obj, form, change)
            data["person"] = person_data(obj)
        self.message_user(request, f"Give {obj} a role next, under Roles.")


class FirstRoleForm(SignatureFields, forms.ModelForm[Employment]):
    """Form of a role of somebody who may sign, in a room that is set up; whoever may sign there already signs for it."""

    signed = Signed(None)

    class Meta:
        model = Employment
        fields = ("staff", "room", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        right = DUTIES[Duty.GIVE_ROLE].second
        assert right is not None
        signs = [(role.value, role.label) for role in Role if role in RIGHTS[right]]
        self.fields["role"].choices = signs  # type: ignore[attr-defined]
        self.fields["room"].queryset = rooms_without_holders()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return given
        person, room, role = given["staff"], given["room"], Role(given["role"])
        held = Employment.objects.filter(staff=person, room=room).values_list("role", flat=True)
        if why := why_not_give(signed_in(), person, role, {Role(each) for each in held}):
            self.add_error("role", why)
            return given
        try:
            self.signed = signature(self, Duty.GIVE_ROLE, room, person)
        except ValidationError as refused:
            self.add_error("approver", refused)
        return given


@admin.register(Employment)
class EmploymentAdmin(RoomKeptAdmin):
    """Roles, shown; those of a room's first two people who may sign are added."""

    list_display = ("staff", "role", "room", "provider")
    list_filter = ("role",)
    search_fields = ("staff__username", "staff__display_name")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = FirstRoleForm
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["staff", "room", "role", *SIGNATURE] if obj is None else list(self.list_display)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_set_up(request)

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        data = {
            "person": person_data(obj.staff),
            "role": obj.role,
            "provider": None,
            "before": None,
            **cast(FirstRoleForm, form).signed.data,
        }
        with journalled([obj.room], cast(Staff, request.user), "role_give", data):
            super().save_model(request, obj, form, change)
        is_set_up = not rooms_without_holders().filter(pk=obj.room_id).exists()
        self.message_user(request, _TWO_THERE if is_set_up else _ONE_THERE.format(person=obj.staff))


@admin.register(PasswordReset)
class PasswordResetAdmin(FactAdmin):
    """Requests for new passwords of people who work in several rooms."""

    fields = ("staff", "room", "reason", "state", "asked_by", "asked_at", "ended_by", "ended_at")
    list_display = fields
    list_filter = ("state",)
    list_select_related = ("staff", "room", "asked_by", "ended_by")
    search_fields = ("staff__username", "staff__display_name", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PasswordReset]:
        """Requests that the user's rooms made or have to confirm."""
        every: QuerySet[PasswordReset] = PasswordReset.objects.all()
        if request.user.is_superuser:
            return every
        kept = rooms_kept_by(request)
        employed = Employment.objects.filter(room__in=kept).values("staff")
        at_home = Staff.objects.filter(home__in=kept).values("pk")
        return every.filter(Q(room__in=kept) | Q(staff__in=employed) | Q(staff__in=at_home))


@admin.register(Player)
class PlayerAdmin(FactAdmin):
    """Players, whom commands keep."""

    list_display = ("number", "name", "room", "provider", "badge_number", "badge_expires", "is_active")
    list_display_links = ("number", "name")
    list_filter = ("is_active", "is_guest", "provider")
    search_fields = ("=number", "name", "name_key", "other_name")


@admin.register(PlayerMerge)
class PlayerMergeAdmin(FactAdmin):
    """Which entries of players turned out to be one person."""

    list_display = ("player", "into", "reason", "made_at", "made_by", "approved_by", "undone_at")
    search_fields = ("=player__number", "player__name", "=into__number", "into__name")


@admin.register(WorkPermit)
class WorkPermitAdmin(FactAdmin):
    """Work permits as the room keeps them; each room records its own of a person who works in two."""

    list_display = ("staff", "room", "number", "expires")
    search_fields = ("staff__username", "staff__display_name", "number")
    ordering = ("expires", "staff__display_name")


@admin.register(ProviderContract)
class ProviderContractAdmin(FactAdmin):
    """Contracts of providers, which commands enter and end."""

    list_display = ("provider", "number", "begins_on", "ends_on", "ended_on", "games", "tables")
    search_fields = ("provider__name", "number")


@admin.register(Provider)
class ProviderAdmin(FactAdmin):
    """Providers, whom commands keep."""

    list_display = ("name", "contract_number", "room", "is_active")
    search_fields = ("name", "contract_number")
