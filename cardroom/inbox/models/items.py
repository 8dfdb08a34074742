"""Models `Item`, `ItemPerson`, `ItemStep` and `Search`: what went otherwise, whom it is about, and what was done about it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.dates import day_text
from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import Guard, append_only, changed

#: What was found, which never changes.
_FOUND = (
    *("id", "room_id", "kind", "key", "table_id", "shift_id", "gaming_day", "happened_at", "found_at"),
    *("figures", "evidence"),
)

#: An item that is not closed. By what needs no value: SQLite takes a partial index for no condition on a bound parameter.
NOT_CLOSED = Q(closed_at__isnull=True)


class Item(models.Model):
    """Something that went otherwise, found once (`key` in its kind), with who is to explain it and how far that is.

    `figures` are the numbers and names of its one sentence, and `evidence` the ids of what is on record about it, both by
    its kind (`cardroom.inbox.kinds`). What was found never changes; one that no longer holds (`gone_at`) stays on the list
    until it is closed like the others. `explained_by` does not sign for its closing.
    """

    guards = (
        Guard(
            "UPDATE",
            "what an item is about never changes",
            when=lambda vendor: changed(*_FOUND, vendor=vendor),
        ),
        Guard("DELETE", "an item is never deleted; it is closed"),
    )

    class State(models.TextChoices):
        OPEN = "open", "open"
        EXPLAINED = "explained", "explained"
        REFERRED = "referred", "referred"
        CLOSED = "closed", "closed"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="items")
    kind = models.CharField(max_length=20, help_text="The code of its kind, as its app registers it.")
    key = models.CharField(max_length=120, help_text="What it is about, once in the room and kind.")
    table = models.ForeignKey(
        "floor.Table", on_delete=models.PROTECT, null=True, blank=True, related_name="items"
    )
    shift = models.ForeignKey(
        "floor.Shift", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )
    gaming_day = models.DateField()
    happened_at = models.DateTimeField()
    found_at = models.DateTimeField()
    figures = models.JSONField(default=dict, help_text="The numbers and names of its sentence.")
    evidence = models.JSONField(default=dict, help_text="Ids of what is on record about it.")

    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    owner = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    explained_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    gone_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was found to hold no longer: a later correction undid it."
    )
    due_on = models.DateField(null=True, blank=True, help_text="The day by which it is to be answered.")
    camera = models.CharField(max_length=60, blank=True)
    camera_at = models.DateTimeField(null=True, blank=True)
    kept_until = models.DateField(null=True, blank=True, help_text="Until when the recording is kept.")

    class Meta:
        ordering = ["happened_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["room", "kind", "key"], name="an_item_is_found_once"),
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at__isnull=True)),
                name="a_closed_item_says_when",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["explained", "closed"]) | Q(explained_by__isnull=False),
                name="an_item_is_explained_by_someone",
            ),
        ]
        indexes = [
            models.Index(fields=["room"], condition=NOT_CLOSED, name="items_not_closed_of_a_room"),
            models.Index(fields=["room", "happened_at"], name="items_of_a_time"),
            models.Index(fields=["room", "gaming_day"], name="items_of_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {day_text(self.gaming_day)}"

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED


class ItemPerson(models.Model):
    """Whom an item is about: a member of staff, who does not sign for its closing, or a player. Append-only."""

    guards = append_only("whom an item is about never changes")

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="people")
    staff = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "item people"
        constraints = [
            models.CheckConstraint(
                condition=Q(staff__isnull=False, player__isnull=True)
                | Q(staff__isnull=True, player__isnull=False),
                name="an_item_is_about_one_person_each",
            ),
            models.UniqueConstraint(fields=["item", "staff"], name="an_item_names_staff_once"),
            models.UniqueConstraint(fields=["item", "player"], name="an_item_names_a_player_once"),
        ]

    def __str__(self) -> str:
        return str(self.staff or self.player)


class ItemStep(models.Model):
    """One thing that was done about an item: who, when, what, from which state to which. Append-only."""

    guards = append_only("what was done about an item stays; a further step says what is new")

    class What(models.TextChoices):
        OWNER = "owner", "given to"
        NOTE = "note", "noted"
        CAMERA = "camera", "camera noted"
        EXPLAIN = "explain", "explained"
        REFER = "refer", "referred"
        CLOSE = "close", "closed"
        REOPEN = "reopen", "reopened"
        GONE = "gone", "no longer holds"
        AGAIN = "again", "holds again"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="steps")
    what = models.CharField(max_length=10, choices=What.choices)
    before = models.CharField(max_length=10, choices=Item.State.choices)
    after = models.CharField(max_length=10, choices=Item.State.choices)
    note = models.CharField(max_length=500, blank=True)
    to = models.CharField(max_length=80, blank=True, help_text="To whom it was referred.")
    owner = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="The second person, who signed for its closing.",
    )  # fmt: skip

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what="close", approved_by__isnull=False, after="closed")
                | (~Q(what="close") & Q(approved_by__isnull=True)),
                name="an_item_is_closed_by_two",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("made_by")),
                name="nobody_signs_for_their_own_closing",
            ),
            models.CheckConstraint(
                condition=~Q(what__in=["note", "explain", "refer", "reopen"]) | ~Q(note=""),
                name="a_step_says_something",
            ),
            models.CheckConstraint(
                condition=(Q(what="refer") & ~Q(to="")) | (~Q(what="refer") & Q(to="")),
                name="a_referral_says_to_whom",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.get_what_display()}"


class Search(models.Model):
    """Up to when a room's records were searched for items: one row a room, written over."""

    digest_policy = DigestPolicy(
        not_digested="how far the search for items has got; written over every minute"
    )

    room = models.OneToOneField("rooms.Room", on_delete=models.CASCADE, primary_key=True, related_name="+")
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "searches"

    def __str__(self) -> str:
        return f"items of {self.room}"
