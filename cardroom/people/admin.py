"""Admin pages of staff, roles, password resets across rooms, players and providers."""

from __future__ import annotations

from typing import Any, cast

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from cardroom.rooms.models import Room

from .accounts import (
    AccountRefused,
    accounts_seen,
    may_change_account,
    may_change_person,
    person_to_employ,
    reset_ask,
    reset_confirm,
    reset_refuse,
    reset_waits,
    reset_waits_words,
    why_not_reset,
)
from .admin_access import FactAdmin, RecordAdmin, RoomKeptAdmin, keeps_rooms, rooms_kept_by
from .admin_signing import (
    SIGNATURE,
    SignatureFields,
    Signed,
    SignedForm,
    signature,
    signed_in,
    signed_page,
)
from .duties import Duty, why_not_give
from .journal import journalled, person_data, rooms_of_person, sign_in_noted
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

admin.site.unregister(Group)  # permissions are roles in a room (rights.py), not groups
admin.site.unregister(Authenticator)  # secrets of the second factor, which nobody reads
admin.site.unregister(UserSession)  # people end their own


def _kept(request: HttpRequest) -> set[int]:
    return set(rooms_kept_by(request).values_list("pk", flat=True))


class _BadgeChecked:
    """Refuses a badge that another person of the home room has, which the form may not show."""

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data  # type: ignore[misc,attr-defined]
        badge, home = given.get("badge"), given.get("home") or self.instance.home  # type: ignore[attr-defined]
        same = Staff.objects.filter(badge=badge, home=home).exclude(pk=self.instance.pk)  # type: ignore[attr-defined]
        if badge and home is not None and same.exists():
            self.add_error("badge", "Somebody of this room has this badge already.")  # type: ignore[attr-defined]
        return given


#: What one person changes of an account alone (`Duty.KEEP_LICENCE`).
_LICENCE = frozenset({"licence_number", "licence_expires"})


class StaffForm(SignatureFields, _BadgeChecked, UserChangeForm):  # type: ignore[misc]  # unfold ships no types
    """Form of an account; a second person signs for all but its closing and the licence."""

    signed = Signed(None)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and self.changed() - _LICENCE and not self.only_closes():
            self.signed = signature(self, Duty.CHANGE_ACCOUNT, self.instance.home, self.instance)
        return given

    def changed(self) -> set[str]:
        """The columns that the form changes."""
        return set(self.changed_data) - {*SIGNATURE, "password"}

    def only_closes(self) -> bool:
        """Whether it closes the account, and changes nothing else that takes two."""
        return self.changed() - _LICENCE == {"is_active"} and not self.cleaned_data["is_active"]


class StaffCreationForm(_BadgeChecked, UserCreationForm):  # type: ignore[misc]
    """Form of a new account."""


class PasswordForm(SignatureFields, AdminPasswordChangeForm):  # type: ignore[misc]
    """Form of somebody's password; a second person signs for another's."""

    signed = Signed(None)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and self.user != signed_in():
            self.signed = signature(self, Duty.SET_PASSWORD, self.user.home, self.user)
        return given

    def save(self, commit: bool = True) -> Staff:
        """Save the password, and write in the journals of the person's rooms who set it."""
        if self.user == signed_in():
            own = cast(Staff, super().save(commit))
            sign_in_noted(own, "password_change")
            return own
        data = {"person": person_data(self.user), **self.signed.data}
        with journalled(rooms_of_person(self.user), signed_in(), "password_set", data):
            return cast(Staff, super().save(commit))


@admin.register(Staff)
class StaffAdmin(UserAdmin, RoomKeptAdmin):  # type: ignore[type-arg,misc]
    """Accounts at home in the rooms that the user manages; what they may change: `cardroom.people.accounts`."""

    form = StaffForm
    add_form = StaffCreationForm
    change_password_form = PasswordForm
    change_user_password_template = "admin/people/staff/change_password.html"  # noqa: S105  # a file's name
    list_display = ("username", "display_name", "badge", "licence_number", "licence_expires", "is_active")
    list_filter = ("is_active",)
    search_fields = ("username", "display_name", "badge")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("display_name", "email", "badge", "licence_number", "licence_expires")}),
        ("Account", {"fields": ("home", "is_active", "is_staff", "is_superuser")}),
        ("Signed for, unless the account is closed or its licence changed", {"fields": SIGNATURE}),
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
    actions = ("hand_over", "second_factor_off")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Staff]:
        found = Staff.objects.all() if request.user.is_superuser else accounts_seen(rooms_kept_by(request))
        return found.order_by(*self.ordering)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        home = form.base_fields.get("home")
        if home is not None and obj is None and not request.user.is_superuser:
            home.required = True
            home.initial = rooms_kept_by(request).first()
        return form

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if request.user.is_superuser:
            return ()
        if obj is None:
            return ("is_staff", "is_superuser")
        locked = ("home", "is_staff", "is_superuser")
        if may_change_account(obj, _kept(request)):
            return locked
        # The person works in other rooms too: no single room may change their user name, password or e-mail.
        return ("username", "email", "is_active", *locked)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if not super().has_change_permission(request, obj):
            return False
        return obj is None or bool(request.user.is_superuser) or may_change_person(obj, _kept(request))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:  # noqa: A002
        """Set a password, if the user manages all rooms of the account."""
        person = self.get_object(request, id)
        if person is not None and not (
            request.user.is_superuser or may_change_account(person, _kept(request))
        ):
            raise PermissionDenied("Other rooms have a say in this account: ask for a new password instead.")
        response = super().user_change_password(request, id, form_url)
        if person is not None and person.pk != request.user.pk:
            changed = Staff.objects.filter(pk=person.pk).exclude(password=person.password)
            changed.update(must_change_password=True)
        return response

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        if not change:
            obj.added_by = request.user
            obj.must_change_password = True
        before: dict[str, Any] = dict(Staff.objects.filter(pk=obj.pk).values().first() or {})
        changed = [name for name in form.changed_data if name in before and name != "password"]
        if change and not changed:
            return
        rooms = rooms_of_person(obj)
        with journalled(rooms, cast(Staff, request.user), _account_command(form, change), data := {}):
            super().save_model(request, obj, form, change)
            data["person"] = person_data(obj)
            if change:
                data["changed"] = {name: [str(before[name]), str(getattr(obj, name))] for name in changed}
            if isinstance(form, StaffForm) and form.changed() - _LICENCE and not form.only_closes():
                data.update(form.signed.data)

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of Django's pages, and the one where a lost factor is taken off."""
        off = self.admin_site.admin_view(self.second_factor_page)
        mine = path("<int:staff_id>/second-factor-off/", off, name="people_staff_second_factor_off")
        return [mine, *super().get_urls()]

    @admin.action(description="Take the second factor off, for somebody who has lost it")
    def second_factor_off(self, request: HttpRequest, queryset: QuerySet[Staff]) -> HttpResponse | None:
        """Lead to the page that takes a person's factor off, which two sign for."""
        if queryset.count() != 1:
            self.message_user(request, "Choose one person: two sign for each.", messages.ERROR)
            return None
        return redirect("admin:people_staff_second_factor_off", queryset.get().pk)

    def second_factor_page(self, request: HttpRequest, staff_id: int) -> HttpResponse:
        """Delete factors and recovery codes of somebody whose whole account the user may change, never their own."""
        person = self.get_queryset(request).filter(pk=staff_id).first()
        if person is None:
            raise Http404
        if person == request.user or not (
            request.user.is_superuser or may_change_account(person, _kept(request))
        ):
            raise PermissionDenied(
                f"{person}: this takes a manager of all rooms of the account, who is not the person."
            )

        def command(signed: Signed) -> None:
            data = {"person": person_data(person), **signed.data}
            with journalled(rooms_of_person(person), cast(Staff, request.user), "second_factor_off", data):
                Authenticator.objects.filter(user=person).delete()
            self.message_user(request, f"{person} sets a second factor up at the next sign-in.")

        form = SignedForm(Duty.TAKE_FACTOR_OFF, person.home, person, request.POST or None)
        back = reverse("admin:people_staff_changelist")
        return signed_page(request, form, f"Take the second factor of {person} off", back, command)

    @admin.action(description="Hand over to the room that employs the person")
    def hand_over(self, request: HttpRequest, queryset: QuerySet[Staff]) -> None:
        """Move accounts of people who work only in one other room to that room."""
        for person in queryset:
            rooms = set(Employment.objects.filter(staff=person).values_list("room", flat=True))
            if len(rooms) != 1 or person.home_id in rooms:
                self.message_user(
                    request,
                    f"{person}: an account is handed over when this room employs the person no more and one other does.",
                    messages.ERROR,
                )
                continue
            [room] = rooms
            if person.badge and Staff.objects.filter(home=room, badge=person.badge).exists():
                self.message_user(
                    request,
                    f"{person}: somebody of that room has the badge {person.badge} already. Change it first.",
                    messages.ERROR,
                )
                continue
            before, data = person.home, {"person": person_data(person)}
            to = Room.objects.get(pk=room)
            both = [to] if before is None else [before, to]
            with journalled(both, cast(Staff, request.user), "account_hand_over", {**data, "to": str(to)}):
                person.home = to
                person.save(update_fields=["home"])
            self.message_user(request, f"{person} belongs to {person.home} now.")


class RoleForm(SignatureFields, forms.ModelForm[Employment]):
    """Form of a role: who gives it is not who gets it, roles apart do not meet, and a second person signs."""

    signed = Signed(None)

    class Meta:
        model = Employment
        fields = ("staff", "room", "role", "provider")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        # What the page does not ask for, the role that is changed has.
        room, role = given.get("room", self.instance.room_id and self.instance.room), given.get("role")
        person = given.get("staff", self.instance.staff_id and self.instance.staff)
        if room and role and person and not self.errors:
            self._check_given(person, room, role, given)
        if room and role and person and not self.errors:
            self._sign(person, room)
        return given

    def _check_given(self, person: Staff, room: Room, role: str, given: dict[str, Any]) -> None:
        held = Employment.objects.filter(staff=person, room=room).exclude(pk=self.instance.pk)
        roles = {Role(each) for each in held.values_list("role", flat=True)}
        if why := why_not_give(signed_in(), person, Role(role), roles):
            self.add_error("role", why)

    def _sign(self, person: Staff, room: Room) -> None:
        try:
            self.signed = signature(self, Duty.GIVE_ROLE, room, person)
        except ValidationError as refused:
            self.add_error("approver", refused)


class EmploymentForm(RoleForm):
    """Form of a new role, for a person named exactly: a select list would show the people of other rooms."""

    person = forms.CharField(
        max_length=150,
        help_text="The whole user name or badge, exactly as it is written. Somebody who works elsewhere as well keeps "
        "their account as it is.",
    )

    class Meta:
        model = Employment
        fields = ("room", "role", "provider")

    def clean_person(self) -> str:
        named = cast(str, self.cleaned_data["person"])
        person = person_to_employ(named)
        if person is None:
            raise ValidationError(
                "Nobody can be employed under this user name or badge, or several have this badge. "
                "Give the whole user name exactly; a new person gets an account first.",
                code="unknown_person",
            )
        self.instance.staff = person
        return named

    def _check_given(self, person: Staff, room: Room, role: str, given: dict[str, Any]) -> None:
        provider = given.get("provider")
        if provider is not None and provider.room_id != room.pk:
            self.add_error("provider", f"{provider} is no provider of {room}.")
        if Employment.objects.filter(staff=person, room=room, role=role).exists():
            self.add_error("role", f"{person} holds this role in {room} already.")
        super()._check_given(person, room, role, given)


@admin.register(Employment)
class EmploymentAdmin(RoomKeptAdmin):
    """Roles: the one model whose rows the admin may delete; the history keeps them."""

    form = RoleForm
    list_display = ("staff", "role", "room", "provider")
    list_filter = ("role",)
    search_fields = ("staff__username", "staff__display_name")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None and not request.user.is_superuser:
            kwargs["form"] = EmploymentForm
            kwargs["fields"] = ["person", "room", "role", "provider", *SIGNATURE]
        return super().get_form(request, obj, change=change, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        before = Employment.objects.filter(pk=obj.pk).values_list("role", flat=True).first()
        data = {**_role_data(obj), "before": before, **cast(RoleForm, form).signed.data}
        with journalled([obj.room], cast(Staff, request.user), "role_give", data):
            super().save_model(request, obj, form, change)

    def get_actions(self, request: HttpRequest) -> Any:
        """Return the actions of the list without Django's own, which deletes many at once: two sign for each."""
        return {
            name: each for name, each in super().get_actions(request).items() if name != "delete_selected"
        }

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Take a role away, which a second person signs for."""
        role = self.get_object(request, object_id)
        if role is None:
            raise Http404
        if not self.has_delete_permission(request, role):
            raise PermissionDenied

        def command(signed: Signed) -> None:
            self.log_deletions(request, [role])
            data = {**_role_data(role), **signed.data}
            with journalled([role.room], cast(Staff, request.user), "role_take", data):
                role.delete()
            self.message_user(request, f"{role.staff} is {role.get_role_display()} in {role.room} no more.")

        form = SignedForm(Duty.TAKE_ROLE, role.room, role.staff, request.POST or None)
        question = f"Take the role away: {role}"
        return signed_page(request, form, question, reverse("admin:people_employment_changelist"), command)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None and not request.user.is_superuser:
            return ["person", "room", "role", "provider", *SIGNATURE]
        return ["staff", "room", "role", "provider", *SIGNATURE]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None or request.user.is_superuser else ("staff", "room")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return keeps_rooms(request)


def _account_command(form: forms.ModelForm[Any], change: bool) -> str:
    if not change:
        return "account_make"
    return "account_close" if isinstance(form, StaffForm) and form.only_closes() else "account_set"


def _role_data(role: Employment) -> dict[str, Any]:
    """Return a role as the room's journal has it."""
    provider = None if role.provider is None else str(role.provider)
    return {"person": person_data(role.staff), "role": role.role, "provider": provider}


class PasswordResetForm(SetPasswordMixin, forms.ModelForm[PasswordReset]):  # type: ignore[type-arg]
    """Form of a password reset: the person, the reason, and the new password."""

    person = forms.CharField(max_length=150, help_text="The whole user name, exactly as it is written.")
    password1, password2 = SetPasswordMixin.create_password_fields(label1="New password", label2="Once more")

    class Meta:
        model = PasswordReset
        fields = ("room", "reason")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        self.validate_passwords()
        room = given.get("room")
        found = (
            Staff.objects.filter(username=given.get("person", "").strip(), employments__room=room).first()
            if room
            else None
        )
        if room is not None and found is None:
            self.add_error("person", f"Nobody of this user name holds a role in {room}.")
        elif room is not None and found is not None:
            why = why_not_reset(found, room) or (reset_waits_words(found) if reset_waits(found) else None)
            if why:
                self.add_error("person", why)
            self.validate_password_for_user(found, "password2")
            self.instance.staff = found
        return given


@admin.register(PasswordReset)
class PasswordResetAdmin(RoomKeptAdmin):
    """Password resets of people who work in several rooms: one room asks, the others confirm in the list."""

    form = PasswordResetForm
    fields = ("person", "room", "reason", "password1", "password2")
    list_display = ("staff", "room", "reason", "state", "asked_by", "asked_at", "ended_by", "ended_at")
    list_filter = ("state",)
    list_select_related = ("staff", "room", "asked_by", "ended_by")
    actions = ("confirm", "refuse")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PasswordReset]:
        """Requests that the user's rooms made or have to confirm."""
        every: QuerySet[PasswordReset] = PasswordReset.objects.all()
        if request.user.is_superuser:
            return every
        kept = rooms_kept_by(request)
        employed = Employment.objects.filter(room__in=kept).values("staff")
        at_home = Staff.objects.filter(home__in=kept).values("pk")
        return every.filter(Q(room__in=kept) | Q(staff__in=employed) | Q(staff__in=at_home))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj is None else self.list_display

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # The list's actions need this permission; a request is confirmed or refused, never edited.
        return obj is None and super().has_change_permission(request)

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        try:
            made = reset_ask(
                staff=obj.staff,
                room=obj.room,
                by=cast(Staff, request.user),
                password=form.cleaned_data["password1"],
                reason=obj.reason,
            )
        except AccountRefused as refused:
            raise PermissionDenied(refused.message) from refused
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.action(description="Confirm for my room: the last room's consent sets the password")
    def confirm(self, request: HttpRequest, queryset: QuerySet[PasswordReset]) -> None:
        for reset in queryset:
            try:
                answered = reset_confirm(reset_id=reset.pk, by=cast(Staff, request.user))
            except AccountRefused as refused:
                self.message_user(request, f"{reset.staff}: {refused.message}", messages.ERROR)
            else:
                self.message_user(request, f"{reset.staff}: {answered.get_state_display()}.")

    @admin.action(description="Refuse")
    def refuse(self, request: HttpRequest, queryset: QuerySet[PasswordReset]) -> None:
        for reset in queryset:
            try:
                reset_refuse(reset_id=reset.pk, by=cast(Staff, request.user))
            except AccountRefused as refused:
                self.message_user(request, f"{reset.staff}: {refused.message}", messages.ERROR)
            else:
                self.message_user(request, f"{reset.staff}: refused.")


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


@admin.register(WorkPermit)
class WorkPermitAdmin(RecordAdmin):
    """Work permits as the room keeps them; each room records its own of a person who works in two."""

    list_display = ("staff", "room", "number", "expires")
    search_fields = ("staff__username", "staff__display_name", "number")
    ordering = ("expires", "staff__display_name")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else ("staff", "room")


@admin.register(ProviderContract)
class ProviderContractAdmin(FactAdmin):
    """Contracts of providers, which commands enter and end."""

    list_display = ("provider", "number", "begins_on", "ends_on", "ended_on", "games", "tables")


@admin.register(Provider)
class ProviderAdmin(FactAdmin):
    """Providers, whom commands keep."""

    list_display = ("name", "contract_number", "room", "is_active")
    search_fields = ("name", "contract_number")
