import django.core.validators
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("filings", "0001_initial"),
        ("people", "0001_initial"),
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="SlipCounter",
            fields=[
                (
                    "room",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="slip_counter",
                        serialize=False,
                        to="rooms.room",
                    ),
                ),
                ("last", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Deck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                ("colour", models.CharField(max_length=20)),
                ("placed_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                ("retired_why", models.CharField(blank=True, max_length=200)),
                (
                    "placed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "retired_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("retired_at__isnull", True),
                                ("retired_by__isnull", True),
                                ("retired_why", ""),
                            ),
                            models.Q(
                                ("retired_at__gte", models.F("placed_at")),
                                ("retired_by__isnull", False),
                                models.Q(("retired_why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_deck_is_retired_for_a_reason",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Down",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "dealer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="downs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("dealer",),
                        name="one_table_of_a_dealer",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True),
                            ("ended_at__gte", models.F("started_at")),
                            _connector="OR",
                        ),
                        name="down_ends_after_it_begins",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProgressiveMeter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(help_text="What it is called on pages and displays.", max_length=60),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="meters", to="rooms.room"
                    ),
                ),
            ],
            options={
                "verbose_name": "meter",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Push",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("reversed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "reversed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pushes", to="rooms.room"
                    ),
                ),
                (
                    "started_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "pushes",
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reversed_at__isnull", True), ("reversed_by__isnull", True)),
                            models.Q(
                                ("reversed_at__gte", models.F("started_at")), ("reversed_by__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="a_push_is_reversed_by_someone_later",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "behind",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="0 at the seat itself; from 1, the place on the back line of its spot.",
                    ),
                ),
                ("seated_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(blank=True, null=True)),
                (
                    "time_paid_to",
                    models.DateTimeField(
                        blank=True,
                        help_text="Where time is collected: no period that began by then is owed; empty: since sitting down.",
                        null=True,
                    ),
                ),
                (
                    "held_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="While the seat is held for its player: until when; empty: they are there.",
                        null=True,
                    ),
                ),
                (
                    "beside",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The player's first stay at the table, where this is a further position of theirs.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.seating",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seatings",
                        to="people.player",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["table", "seat", "behind", "seated_at"],
                "indexes": [models.Index(fields=["player", "-id"], name="stays_of_a_player")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("beside__isnull", True), ("left_at__isnull", True)),
                        fields=("player",),
                        name="one_seat_of_a_player",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("left_at__isnull", True),
                            ("left_at__gte", models.F("seated_at")),
                            _connector="OR",
                        ),
                        name="seating_ends_after_it_begins",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Shift",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="Day, Swing, Graveyard, or what the room calls it.", max_length=20
                    ),
                ),
                ("gaming_day", models.DateField()),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="shifts", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["-opened_at"],
                "indexes": [
                    models.Index(fields=["room", "closed_at"], name="shifts_by_closing"),
                    models.Index(fields=["room", "opened_at"], name="shifts_by_opening"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=("room",),
                        name="one_open_shift",
                    ),
                    models.UniqueConstraint(
                        fields=("room", "gaming_day", "name"), name="one_shift_of_a_name_a_day"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                            models.Q(("closed_at__gte", models.F("opened_at")), ("closed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="shift_is_closed_by_someone_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RackCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opening", "opening count"),
                            ("hand_over", "hand-over"),
                            ("closing", "closing count"),
                        ],
                        max_length=10,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "chips",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='Number of chips by their worth in cents: {"2500": 40}.',
                    ),
                ),
                ("cents", models.BigIntegerField()),
                ("counted_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rack_counts",
                        to="people.provider",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "relieved",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "witnessed_by",
                    models.ForeignKey(
                        help_text="Of the floor.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "left",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hand_over",
                        to="floor.seating",
                    ),
                ),
                (
                    "stay",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rack_counts",
                        to="floor.seating",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        help_text="Open as it was made.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rack_counts",
                        to="floor.shift",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("cents__gte", 0)), name="a_rack_is_not_below_nothing"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=80)),
                (
                    "fingerprint",
                    models.CharField(help_text="SHA-256 of the command and its body.", max_length=64),
                ),
                ("answer", models.JSONField()),
                ("made_at", models.DateTimeField(db_index=True)),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("actor", "key"), name="one_answer_a_key")],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="The number painted on the table.")),
                (
                    "state",
                    models.CharField(
                        choices=[("closed", "closed"), ("open", "open")],
                        default="closed",
                        editable=False,
                        max_length=10,
                    ),
                ),
                (
                    "rulebook",
                    models.CharField(
                        default="california", help_text="Id of the rulebook played here.", max_length=40
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
                    ),
                ),
                (
                    "rake_mode",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Who pays the house rake, where the rules know one and no schedule is in force; empty: nobody.",
                        max_length=20,
                    ),
                ),
                (
                    "rake_cents",
                    models.BigIntegerField(
                        blank=True, help_text="What each of them pays a round, in cents.", null=True
                    ),
                ),
                (
                    "wager_limits",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='Limits by wager in cents, tips too: {"pair_plus": [100, 10000]}; the ante\'s come from the schedule.',
                    ),
                ),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the profile by which the bank rotates here, as filed with the game; house_banks: the house does; empty: the rulebook's.",
                        max_length=40,
                    ),
                ),
                (
                    "shuffler",
                    models.CharField(
                        choices=[
                            ("none", "no machine: by hand"),
                            ("shuffles", "a machine that shuffles"),
                            ("counts", "a machine that shuffles and counts"),
                        ],
                        default="shuffles",
                        help_text="What shuffles here.",
                        max_length=10,
                    ),
                ),
                (
                    "dealing",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the way of dealing, where the rules name some; empty: the first one.",
                        max_length=20,
                    ),
                ),
                (
                    "recording",
                    models.CharField(
                        choices=[
                            ("cards", "everything: wagers, cards and decisions"),
                            ("fees", "wagers and fees alone: not carded"),
                        ],
                        default="cards",
                        help_text="How much of a round is recorded here.",
                        max_length=10,
                    ),
                ),
                (
                    "opened_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When it opened last: the game began then.",
                        null=True,
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=0, editable=False)),
                ("chain_seq", models.PositiveBigIntegerField(default=0, editable=False)),
                ("chain_hash", models.CharField(blank=True, default="", editable=False, max_length=64)),
                ("offer_cycle", models.PositiveBigIntegerField(default=0, editable=False)),
                (
                    "offers_start_after",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        editable=False,
                        help_text="Seat of the last bank, after which offers go round; none: seat 1 is first.",
                        null=True,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        help_text="The filed game that is played here, which says rulebook, options, rotation and rake; empty: none yet.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="filings.gamefiling",
                    ),
                ),
                (
                    "meter",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The progressive meter that is played for here; empty: none was opened yet.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="floor.progressivemeter",
                    ),
                ),
                (
                    "must_move_to",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The table of the same game whose free seats are filled from here, who sat longest first; empty: none.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="must_moves",
                        to="floor.table",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tables", to="rooms.room"
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        blank=True,
                        help_text="The filed fee schedule in force; empty where the game has a house rake, or none is set yet.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="filings.feeschedule",
                    ),
                ),
            ],
            options={
                "ordering": ["room", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="one_table_of_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("schedule__isnull", True), ("rake_mode", ""), _connector="OR"),
                        name="fees_or_rake_never_both",
                        violation_error_message="A table collects fees by a schedule or takes a house rake, never both.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rake_cents__isnull", True), ("rake_mode", "")),
                            models.Q(
                                models.Q(("rake_mode", ""), _negated=True),
                                ("rake_cents__gt", 0),
                                ("rake_cents__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_rake_has_its_form_and_amount",
                        violation_error_message="A house rake has a form and an amount above 0.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rotation", "house_banks"), _negated=True),
                            models.Q(("rake_mode", ""), ("schedule__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_house_that_banks_collects_nothing",
                        violation_error_message="Where the house banks, it collects neither fees nor a rake.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rake_mode", ""), ("recording", "cards"), _connector="OR"),
                        name="a_rake_is_taken_by_the_cards",
                        violation_error_message="Dead hands pay no rake: a table that takes one records cards.",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="seating",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="seatings", to="floor.table"
            ),
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                (
                    "number",
                    models.PositiveIntegerField(
                        help_text="Counts a table's rounds in a gaming day, without gaps."
                    ),
                ),
                (
                    "revision",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0 as it was recorded first; one more with every correction."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("betting", "betting"),
                            ("bets_closed", "bets closed"),
                            ("settled", "settled"),
                            ("void", "void"),
                        ],
                        default="betting",
                        max_length=12,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("steps", "step by step"), ("record", "whole sheet")], max_length=10
                    ),
                ),
                (
                    "recording",
                    models.CharField(
                        choices=[
                            ("cards", "everything: wagers, cards and decisions"),
                            ("fees", "wagers and fees alone: not carded"),
                        ],
                        default="cards",
                        help_text="How much the table recorded as the round opened.",
                        max_length=10,
                    ),
                ),
                (
                    "turn_round",
                    models.PositiveIntegerField(
                        blank=True, help_text="Its place in the turn, from 1, once settled.", null=True
                    ),
                ),
                ("bank_seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("bank_wager_cents", models.BigIntegerField(blank=True, null=True)),
                ("rulebook", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Profile by which the bank rotated as it opened; house_banks: the house banked; empty: not recorded, the rulebook's.",
                        max_length=40,
                    ),
                ),
                ("schedule_version", models.PositiveIntegerField(blank=True, null=True)),
                ("action_seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "shown_card",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="The bank's card that lay face up before the players decided, as in Kh; empty: not recorded.",
                        max_length=2,
                    ),
                ),
                (
                    "board",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="The cards of the board that were recorded as they were shown, as in 9h 9c 4d.",
                        max_length=40,
                    ),
                ),
                (
                    "decided",
                    models.JSONField(
                        default=dict,
                        help_text="Decisions that were recorded as they were made: by seat, what was decided at each point.",
                    ),
                ),
                ("bets", models.JSONField(default=list)),
                (
                    "later_bets",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Wagers placed after the deal where no cards are recorded, as in bets; no part of fees or table action.",
                    ),
                ),
                (
                    "fees",
                    models.JSONField(
                        default=list,
                        help_text="The quote fixed when bets closed, as in the round sheet, or the house rake as it was taken.",
                    ),
                ),
                ("opened_at", models.DateTimeField()),
                ("bets_closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "dealt_at",
                    models.DateTimeField(blank=True, help_text="When the first card was dealt.", null=True),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("sheet", models.JSONField(blank=True, null=True)),
                ("settlement", models.JSONField(blank=True, null=True)),
                ("positions", models.PositiveSmallIntegerField(default=0)),
                ("total_table_action_cents", models.BigIntegerField(default=0)),
                ("player_fees_cents", models.BigIntegerField(default=0)),
                ("bank_fee_cents", models.BigIntegerField(default=0)),
                (
                    "bank_fee_band",
                    models.CharField(
                        blank=True,
                        help_text="The band of the schedule that set the bank's fee.",
                        max_length=40,
                    ),
                ),
                (
                    "refunded_cents",
                    models.BigIntegerField(
                        default=0, help_text="Fees given back because the round was voided."
                    ),
                ),
                (
                    "waived_cents",
                    models.BigIntegerField(
                        default=0, help_text="Fees that would have been due, but for a published waiver."
                    ),
                ),
                (
                    "jackpot_cents",
                    models.BigIntegerField(default=0, help_text="Collected into the jackpot's own box."),
                ),
                (
                    "jackpot_refunded_cents",
                    models.BigIntegerField(
                        default=0, help_text="Of that, given back because the round was voided."
                    ),
                ),
                (
                    "rake_cents",
                    models.BigIntegerField(
                        default=0,
                        help_text="House rake taken as the round was settled; dead hands paid none.",
                    ),
                ),
                ("taken_cents", models.BigIntegerField(default=0)),
                ("paid_cents", models.BigIntegerField(default=0)),
                (
                    "meter_cents",
                    models.BigIntegerField(
                        default=0,
                        help_text="Of what was paid, the wins that the progressive meter paid and not the bank.",
                    ),
                ),
                ("uncovered_cents", models.BigIntegerField(default=0)),
                ("tips_cents", models.BigIntegerField(default=0)),
                ("exhausted", models.BooleanField(default=False)),
                (
                    "ran_out",
                    models.JSONField(
                        blank=True,
                        help_text="Where no cards are recorded: the place at which the bank ran out, and in cents what was paid, taken and returned there; empty: it covered all.",
                        null=True,
                    ),
                ),
                ("void_reason", models.CharField(blank=True, max_length=200)),
                ("corrected_at", models.DateTimeField(blank=True, null=True)),
                ("correction_reason", models.CharField(blank=True, max_length=200)),
                (
                    "bank_player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="banked",
                        to="people.player",
                    ),
                ),
                (
                    "corrected_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "correction_approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corrects",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="correction",
                        to="floor.round",
                    ),
                ),
                (
                    "dealer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The filed game that it opened on; empty: a round from before filings were asked for, or elsewhere.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="filings.gamefiling",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="rooms.room",
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="filings.feeschedule",
                    ),
                ),
                (
                    "void_approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        fields=["shift", "table", "state", "corrects", "ended_at"], name="rounds_of_a_shift"
                    ),
                    models.Index(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=["table", "ended_at"],
                        name="rounds_in_play",
                    ),
                    models.Index(fields=["table", "-id"], name="last_rounds_of_a_table"),
                    models.Index(fields=["table", "opened_at"], name="rounds_of_a_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "gaming_day", "number", "revision"),
                        name="one_round_of_a_number_a_day",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["betting", "bets_closed"])),
                        fields=("table",),
                        name="one_live_round_at_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("bets_closed_at__isnull", True),
                                ("dealt_at__isnull", True),
                                ("state", "betting"),
                            ),
                            ("state", "void"),
                            models.Q(
                                ("bets_closed_at__isnull", False),
                                ("shift__isnull", False),
                                ("state__in", ["bets_closed", "settled"]),
                            ),
                            _connector="OR",
                        ),
                        name="bets_are_closed_before_the_deal",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("state__in", ["betting", "bets_closed"])),
                            models.Q(
                                ("ended_at__isnull", False),
                                ("shift__isnull", False),
                                ("state__in", ["settled", "void"]),
                            ),
                            _connector="OR",
                        ),
                        name="an_ended_round_has_its_end_and_shift",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ran_out__isnull", True),
                                ("recording", "cards"),
                                ("settlement__isnull", False),
                                ("sheet__isnull", False),
                                ("state", "settled"),
                            ),
                            models.Q(
                                ("meter_cents", 0),
                                ("paid_cents", 0),
                                ("recording", "fees"),
                                ("settlement__isnull", True),
                                ("sheet__isnull", True),
                                ("state", "settled"),
                                ("taken_cents", 0),
                                ("tips_cents", 0),
                            ),
                            models.Q(
                                models.Q(("state", "settled"), _negated=True),
                                ("settlement__isnull", True),
                                ("sheet__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="a_settled_round_has_its_sheet",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("recording", "cards"),
                            models.Q(("exhausted", False), ("ran_out__isnull", True), ("uncovered_cents", 0)),
                            models.Q(("exhausted", True), ("ran_out__isnull", False), ("state", "settled")),
                            _connector="OR",
                        ),
                        name="a_bank_ran_out_where_it_says",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                models.Q(("state", "void"), _negated=True),
                                ("void_approved_by__isnull", True),
                                ("void_reason", ""),
                                ("voided_by__isnull", True),
                            ),
                            models.Q(
                                ("state", "void"),
                                ("void_approved_by__isnull", False),
                                ("voided_by__isnull", False),
                                models.Q(("void_reason", ""), _negated=True),
                                models.Q(("voided_by", models.F("void_approved_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_void_has_a_reason_and_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("corrected_at__isnull", True),
                                ("corrected_by__isnull", True),
                                ("correction_approved_by__isnull", True),
                                ("correction_reason", ""),
                                ("corrects__isnull", True),
                                ("revision", 0),
                            ),
                            models.Q(
                                ("corrected_at__isnull", False),
                                ("corrected_by__isnull", False),
                                ("correction_approved_by__isnull", False),
                                ("corrects__isnull", False),
                                ("revision__gt", 0),
                                ("state", "settled"),
                                models.Q(("correction_reason", ""), _negated=True),
                                models.Q(("corrected_by", models.F("correction_approved_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_correction_has_a_reason_and_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shown_card", ""),
                            (
                                "shown_card__in",
                                [
                                    "2c",
                                    "2d",
                                    "2h",
                                    "2s",
                                    "3c",
                                    "3d",
                                    "3h",
                                    "3s",
                                    "4c",
                                    "4d",
                                    "4h",
                                    "4s",
                                    "5c",
                                    "5d",
                                    "5h",
                                    "5s",
                                    "6c",
                                    "6d",
                                    "6h",
                                    "6s",
                                    "7c",
                                    "7d",
                                    "7h",
                                    "7s",
                                    "8c",
                                    "8d",
                                    "8h",
                                    "8s",
                                    "9c",
                                    "9d",
                                    "9h",
                                    "9s",
                                    "Ac",
                                    "Ad",
                                    "Ah",
                                    "As",
                                    "Jc",
                                    "Jd",
                                    "Jh",
                                    "Js",
                                    "Kc",
                                    "Kd",
                                    "Kh",
                                    "Ks",
                                    "Qc",
                                    "Qd",
                                    "Qh",
                                    "Qs",
                                    "Tc",
                                    "Td",
                                    "Th",
                                    "Ts",
                                ],
                            ),
                            _connector="OR",
                        ),
                        name="the_shown_card_is_a_card",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("bank_wager_cents__isnull", True), ("bank_wager_cents__gt", 0), _connector="OR"
                        ),
                        name="bank_wager_is_positive",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("rake_cents", 0),
                            models.Q(("rake_cents__gt", 0), ("schedule__isnull", True), ("state", "settled")),
                            _connector="OR",
                        ),
                        name="rake_of_a_settled_round_without_fees",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Relief",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(help_text="Its place in the push, from 0.")),
                (
                    "meal",
                    models.BooleanField(default=False, help_text="Whether who is relieved goes to a meal."),
                ),
                ("ended_at", models.DateTimeField(blank=True, help_text="When it was canceled.", null=True)),
                (
                    "down",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="relief",
                        to="floor.down",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "incoming",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "outgoing",
                    models.ForeignKey(
                        blank=True,
                        help_text="Who dealt there when the push began.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "push",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reliefs", to="floor.push"
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reliefs", to="floor.table"
                    ),
                ),
            ],
            options={
                "ordering": ["push", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("down__isnull", True), ("ended_at__isnull", True)),
                        fields=("table",),
                        name="one_relief_waits_at_a_table",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("down__isnull", True), ("ended_at__isnull", True)),
                        fields=("incoming",),
                        name="one_table_waits_for_a_relief",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("outgoing__isnull", True),
                            models.Q(("outgoing", models.F("incoming")), _negated=True),
                            _connector="OR",
                        ),
                        name="nobody_relieves_themself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            models.Q(
                                ("down__isnull", True),
                                ("ended_at__isnull", False),
                                ("ended_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_relief_comes_or_is_canceled_by_someone",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RackWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("withdrawn_at", models.DateTimeField()),
                (
                    "count",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="floor.rackcount",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="rackcount",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rack_counts",
                to="floor.table",
            ),
        ),
        migrations.CreateModel(
            name="ProgressiveWin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "waits for a supervisor"),
                            ("confirmed", "confirmed"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("keyed_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "reason",
                    models.CharField(blank=True, help_text="Why the entry was withdrawn.", max_length=200),
                ),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "keyed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="progressive_wins",
                        to="floor.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="progressive_wins",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")),
                        fields=["table"],
                        name="pending_wins_of_a_table",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "withdrawn"), _negated=True),
                        fields=("round", "seat"),
                        name="one_standing_win_a_seat_a_round",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("answered_at__isnull", True),
                                ("answered_by__isnull", True),
                                ("state", "pending"),
                            ),
                            models.Q(
                                ("answered_at__isnull", False),
                                ("answered_by__isnull", False),
                                ("state", "withdrawn"),
                            ),
                            models.Q(
                                ("answered_at__isnull", False),
                                ("answered_by__isnull", False),
                                ("state", "confirmed"),
                                models.Q(("answered_by", models.F("keyed_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_second_person_confirms_a_win",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Procedure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("inspected", "deck inspected"),
                            ("idle_ended", "first player came to an idle table"),
                            ("deck_chosen", "deck dealt out of turn"),
                            ("dealt", "round dealt"),
                            ("fees_dropped", "fees dropped"),
                            ("bank_card", "dealer card exposed"),
                            ("recut", "recut"),
                            ("stub_count", "stub counted"),
                            ("device_count", "wrong deck reported by the shuffler"),
                            ("count_waived", "round let go without a count"),
                            ("irregularity", "irregularity"),
                            ("withdrawn", "irregularity withdrawn"),
                            ("box_waived", "table let collect without a drop box"),
                            ("no_shuffler", "table let play without the automatic shuffler"),
                            ("shuffler_back", "automatic shuffler no longer missing"),
                        ],
                        max_length=16,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=40)),
                ("number", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "round_fate",
                    models.CharField(
                        blank=True, choices=[("stands", "stands"), ("void", "void")], max_length=8
                    ),
                ),
                (
                    "card_fate",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("in_play", "in_play"),
                            ("set_aside", "set_aside"),
                            ("reshuffle", "reshuffle"),
                            ("retire_deck", "retire_deck"),
                        ],
                        max_length=12,
                    ),
                ),
                ("void_reason", models.CharField(blank=True, max_length=40)),
                ("text", models.CharField(blank=True, max_length=300)),
                ("clause", models.CharField(blank=True, max_length=80)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField()),
                (
                    "deck",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="procedures",
                        to="floor.deck",
                    ),
                ),
                (
                    "ordered_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The supervisor who ordered it, where it takes one.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "withdraws",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The irregularity that was entered by mistake.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="floor.procedure",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        help_text="The round that was in play; empty between rounds.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="procedures",
                        to="floor.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="procedures",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["table", "kind", "-id"], name="procedures_of_a_kind"),
                    models.Index(fields=["table", "kind", "made_at"], name="procedures_of_a_time"),
                    models.Index(fields=["table", "-id"], name="procedures_of_a_table"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "dealt")), fields=("round",), name="a_round_is_dealt_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "fees_dropped")),
                        fields=("round",),
                        name="fees_are_dropped_once_a_round",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind__in", ["deck_chosen", "dealt", "fees_dropped", "bank_card", "recut"]),
                                _negated=True,
                            ),
                            ("round__isnull", False),
                            _connector="OR",
                        ),
                        name="a_procedure_of_a_round_names_it",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                (
                                    "kind__in",
                                    ["recut", "count_waived", "withdrawn", "box_waived", "no_shuffler"],
                                ),
                                _negated=True,
                            ),
                            models.Q(("ordered_by__isnull", False), models.Q(("reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="a_supervisor_orders_for_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "withdrawn"), ("round__isnull", False), ("withdraws__isnull", False)
                            ),
                            models.Q(
                                models.Q(("kind", "withdrawn"), _negated=True), ("withdraws__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="a_withdrawal_names_its_irregularity",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("withdraws__isnull", False)),
                        fields=("withdraws",),
                        name="an_irregularity_is_withdrawn_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("round_fate", "void"), ("void_reason", ""), _connector="OR"),
                        name="only_a_void_has_a_void_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OfflineEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "screen",
                    models.CharField(
                        blank=True, help_text="The name that the tablet gave itself.", max_length=20
                    ),
                ),
                ("command", models.CharField(max_length=40)),
                (
                    "given_at",
                    models.DateTimeField(help_text="By the tablet's clock, corrected by the offset."),
                ),
                (
                    "offset_ms",
                    models.BigIntegerField(
                        help_text="The server's clock less the tablet's, measured while it was in touch; empty: never measured.",
                        null=True,
                    ),
                ),
                ("taken_at", models.DateTimeField()),
                (
                    "given_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "given_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.shift",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "offline entries",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("taken_at__gte", models.F("given_at"))),
                        name="an_entry_is_taken_after_it_was_given",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("given_in__isnull", True),
                            ("shift__isnull", True),
                            models.Q(("given_in", models.F("shift")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_shift_of_an_offline_entry_is_told_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MeterMovement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opened", "opened"),
                            ("wagered", "wagers"),
                            ("win", "win"),
                            ("reseeded", "seeded anew"),
                            ("set", "set by a supervisor"),
                            ("handed", "handed to another meter"),
                            ("taken", "taken over from a table that was linked"),
                            ("closed", "closed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("cents", models.BigIntegerField()),
                ("shown_cents", models.BigIntegerField()),
                ("reserve_cents", models.BigIntegerField()),
                ("reason", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "meter",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="movements",
                        to="floor.progressivemeter",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="meter_movements",
                        to="floor.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="meter_movements",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["meter", "-id"], name="last_movement_of_a_meter")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reserve_cents__gte", 0), ("shown_cents__gte", 0)),
                        name="a_meter_never_shows_a_debt",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JournalEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("chain", models.CharField(help_text="room:N or table:N.", max_length=40)),
                ("seq", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("actor_name", models.CharField(max_length=80)),
                (
                    "roles",
                    models.CharField(
                        help_text="Roles the actor held in the room at that moment.", max_length=120
                    ),
                ),
                ("command", models.CharField(max_length=40)),
                (
                    "data",
                    models.JSONField(
                        default=dict,
                        help_text="What was done, with before and after where something changed.",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "rows",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Digests of the rows that the command wrote, by table and id; docs/verify.md says how they are computed.",
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
                (
                    "actor",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="journal",
                        to="rooms.room",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="Empty in the chain of the room itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="journal",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "journal entries",
                "ordering": ["chain", "seq"],
                "indexes": [
                    models.Index(fields=["chain", "command", "seq"], name="entries_of_a_command"),
                    models.Index(fields=["chain", "at"], name="entries_of_a_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("chain", "seq"), name="one_entry_at_a_place_of_a_chain")
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalTable",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="The number painted on the table.")),
                (
                    "rulebook",
                    models.CharField(
                        default="california", help_text="Id of the rulebook played here.", max_length=40
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
                    ),
                ),
                (
                    "rake_mode",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Who pays the house rake, where the rules know one and no schedule is in force; empty: nobody.",
                        max_length=20,
                    ),
                ),
                (
                    "rake_cents",
                    models.BigIntegerField(
                        blank=True, help_text="What each of them pays a round, in cents.", null=True
                    ),
                ),
                (
                    "wager_limits",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='Limits by wager in cents, tips too: {"pair_plus": [100, 10000]}; the ante\'s come from the schedule.',
                    ),
                ),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the profile by which the bank rotates here, as filed with the game; house_banks: the house does; empty: the rulebook's.",
                        max_length=40,
                    ),
                ),
                (
                    "shuffler",
                    models.CharField(
                        choices=[
                            ("none", "no machine: by hand"),
                            ("shuffles", "a machine that shuffles"),
                            ("counts", "a machine that shuffles and counts"),
                        ],
                        default="shuffles",
                        help_text="What shuffles here.",
                        max_length=10,
                    ),
                ),
                (
                    "dealing",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the way of dealing, where the rules name some; empty: the first one.",
                        max_length=20,
                    ),
                ),
                (
                    "recording",
                    models.CharField(
                        choices=[
                            ("cards", "everything: wagers, cards and decisions"),
                            ("fees", "wagers and fees alone: not carded"),
                        ],
                        default="cards",
                        help_text="How much of a round is recorded here.",
                        max_length=10,
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="The filed game that is played here, which says rulebook, options, rotation and rake; empty: none yet.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="filings.gamefiling",
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="The filed fee schedule in force; empty where the game has a house rake, or none is set yet.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="filings.feeschedule",
                    ),
                ),
                (
                    "meter",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        help_text="The progressive meter that is played for here; empty: none was opened yet.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="floor.progressivemeter",
                    ),
                ),
                (
                    "must_move_to",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        help_text="The table of the same game whose free seats are filled from here, who sat longest first; empty: none.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical table",
                "verbose_name_plural": "historical tables",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="ExpiryOverride",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("number", models.CharField(blank=True, max_length=40)),
                ("expired_on", models.DateField(help_text="Last day on which it was valid.")),
                ("gaming_day", models.DateField(help_text="The day for which the override holds.")),
                ("reason", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                (
                    "ordered_by",
                    models.ForeignKey(
                        help_text="The supervisor.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="expiry_overrides",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("player__isnull", False)),
                        fields=("room", "gaming_day", "player"),
                        name="one_expiry_override_of_a_player_a_day",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("staff__isnull", False)),
                        fields=("room", "gaming_day", "staff"),
                        name="one_expiry_override_of_a_dealer_a_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player__isnull", False), ("staff__isnull", True)),
                            models.Q(("player__isnull", True), ("staff__isnull", False)),
                            _connector="OR",
                        ),
                        name="an_expiry_override_is_of_one_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="an_expiry_override_has_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("staff__isnull", True),
                            models.Q(("ordered_by", models.F("staff")), _negated=True),
                            _connector="OR",
                        ),
                        name="nobody_overrides_their_own_permit",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DropBox",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="The number painted on the box.")),
                (
                    "kind",
                    models.CharField(
                        choices=[("drop", "drop box"), ("jackpot", "jackpot box")],
                        default="drop",
                        max_length=8,
                    ),
                ),
                ("placed_at", models.DateTimeField()),
                ("dropped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "counted_at",
                    models.DateTimeField(blank=True, help_text="When its count came to stand.", null=True),
                ),
                (
                    "dropped_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "placed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drop_boxes",
                        to="rooms.room",
                    ),
                ),
                (
                    "witness",
                    models.ForeignKey(
                        blank=True,
                        help_text="The second person at the drop, who signed.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drop_boxes",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drop_boxes",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "drop boxes",
                "ordering": ["shift", "table", "placed_at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("dropped_at__isnull", True)),
                        fields=("table", "kind"),
                        name="one_box_at_a_table",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("counted_at__isnull", True)),
                        fields=("room", "number"),
                        name="one_use_of_a_box",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="a_box_has_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["drop", "jackpot"])),
                        name="a_box_is_for_fees_or_for_the_jackpot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("dropped_at__isnull", True),
                                ("dropped_by__isnull", True),
                                ("witness__isnull", True),
                            ),
                            models.Q(
                                ("dropped_at__isnull", False),
                                ("dropped_by__isnull", False),
                                ("witness__isnull", False),
                                ("dropped_at__gte", models.F("placed_at")),
                                models.Q(("dropped_by", models.F("witness")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_box_is_dropped_by_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("counted_at__isnull", True),
                            models.Q(
                                ("counted_at__gte", models.F("dropped_at")), ("dropped_at__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="a_box_is_counted_after_its_drop",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="down",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="downs", to="floor.table"
            ),
        ),
        migrations.AddField(
            model_name="deck",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="decks", to="floor.table"
            ),
        ),
        migrations.CreateModel(
            name="ChipCall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("cents", models.BigIntegerField()),
                ("note", models.CharField(blank=True, max_length=200)),
                ("called_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "called_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chip_calls",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("cents__gt", 0)), name="a_chip_call_is_for_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered_at__isnull", True), ("answered_by__isnull", True)),
                            models.Q(
                                ("answered_at__gte", models.F("called_at")), ("answered_by__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="a_chip_call_is_answered_by_someone_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BuyIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("cents", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="buy_ins",
                        to="people.player",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversal",
                        to="floor.buyin",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="buy_ins", to="floor.shift"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="buy_ins",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["table", "-id"], name="buy_ins_of_a_table")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", True),
                                ("cents__gt", 0),
                                ("reason", ""),
                                ("reverses__isnull", True),
                            ),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("cents__lt", 0),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("approved_by", models.F("recorded_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_buy_in_is_taken_back_for_a_reason_by_two",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Alert",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("rotation_due", "bank to be offered"),
                            ("rotation_broken", "rotation broken"),
                            ("bank_exhausted", "bank exhausted"),
                            ("stub_count_due", "stub count due"),
                            ("meter_win_pending", "progressive win to confirm"),
                            ("table_idle", "players without a round"),
                            ("time_due", "time to be collected"),
                            ("sync_lost", "tablet offline"),
                            ("variance_overdue", "variance not explained"),
                            ("clock_back", "server clock set back"),
                            ("no_drop_box", "no drop box"),
                            ("permit_expired", "badge or permit expired"),
                            ("player_inactive", "player no longer active"),
                            ("shift_past_day", "shift open past its gaming day"),
                            ("items_old", "exceptions not closed"),
                        ],
                        max_length=20,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=60)),
                ("text", models.CharField(max_length=300)),
                (
                    "times",
                    models.PositiveIntegerField(default=1, help_text="How often it has come while it stood."),
                ),
                ("raised_at", models.DateTimeField(help_text="When it came first.")),
                (
                    "cleared_at",
                    models.DateTimeField(
                        blank=True, help_text="When its condition went; empty while it holds.", null=True
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(blank=True, null=True)),
                ("note", models.CharField(blank=True, help_text="What was done about it.", max_length=200)),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="alerts", to="floor.table"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(
                            ("cleared_at__isnull", True), ("acknowledged_at__isnull", True), _connector="OR"
                        ),
                        fields=["room"],
                        name="open_alerts_of_a_room",
                    ),
                    models.Index(fields=["room", "raised_at"], name="alerts_of_a_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("cleared_at__isnull", True), ("acknowledged_at__isnull", True), _connector="OR"
                        ),
                        fields=("table", "kind", "subject"),
                        name="one_open_alert_of_a_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("acknowledged_at__isnull", True),
                                ("acknowledged_by__isnull", True),
                                ("note", ""),
                            ),
                            models.Q(
                                ("acknowledged_at__gte", models.F("raised_at")),
                                ("acknowledged_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="an_alert_is_answered_by_someone_later",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cleared_at__isnull", True),
                            ("cleared_at__gte", models.F("raised_at")),
                            _connector="OR",
                        ),
                        name="an_alert_is_over_after_it_came",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TabletGap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "screen",
                    models.CharField(help_text="The name that the tablet gave itself.", max_length=20),
                ),
                ("since", models.DateTimeField(help_text="When it was last heard.")),
                ("until", models.DateTimeField(help_text="When it was heard again.")),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gt", models.F("since"))),
                        name="a_tablet_is_heard_again_later",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TimeCollection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("schedule_version", models.PositiveIntegerField()),
                (
                    "period",
                    models.CharField(choices=[("half_hour", "half hour"), ("hour", "hour")], max_length=10),
                ),
                ("fee_cents", models.BigIntegerField(help_text="Of one seat for one period.")),
                ("fees", models.JSONField()),
                ("periods", models.IntegerField()),
                ("cents", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversal",
                        to="floor.timecollection",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.feeschedule",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_collections",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_collections",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["table", "-id"], name="time_of_a_table")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", True),
                                ("cents__gt", 0),
                                ("periods__gt", 0),
                                ("reason", ""),
                                ("reverses__isnull", True),
                            ),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("cents__lt", 0),
                                ("periods__lt", 0),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("approved_by", models.F("recorded_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="time_is_taken_back_for_a_reason_by_two",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("fee", "collection fee"),
                            ("fee_refund", "fee refund"),
                            ("take", "wager taken"),
                            ("pay", "wager paid"),
                            ("tip", "tip won"),
                            ("time", "time collection"),
                            ("jackpot", "jackpot collection"),
                            ("jackpot_refund", "jackpot collection refund"),
                            ("rake", "house rake"),
                            ("buy_in", "cash for chips"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("seat", "player at a seat"),
                            ("bank", "player-dealer"),
                            ("drop", "drop box"),
                            ("tips", "tip box"),
                            ("jackpot", "jackpot box"),
                            ("tray", "house tray"),
                            ("meter", "progressive meter"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "target",
                    models.CharField(
                        choices=[
                            ("seat", "player at a seat"),
                            ("bank", "player-dealer"),
                            ("drop", "drop box"),
                            ("tips", "tip box"),
                            ("jackpot", "jackpot box"),
                            ("tray", "house tray"),
                            ("meter", "progressive meter"),
                        ],
                        max_length=8,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("wager", models.CharField(blank=True, max_length=20)),
                (
                    "line",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Line of the settlement it comes from.", null=True
                    ),
                ),
                ("cents", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                (
                    "box",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The box that it went into or came out of; none where none hung.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="floor.dropbox",
                    ),
                ),
                (
                    "buy_in",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="floor.buyin",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "reverses",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversals",
                        to="floor.transfer",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="floor.round",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.table",
                    ),
                ),
                (
                    "time_collection",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transfers",
                        to="floor.timecollection",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        fields=["shift", "table", "kind", "target", "box", "cents"],
                        name="transfers_of_a_shift",
                    ),
                    models.Index(
                        condition=models.Q(("box__isnull", False)),
                        fields=["box", "shift", "target", "cents"],
                        name="transfers_of_a_box",
                    ),
                    models.Index(
                        condition=models.Q(("time_collection__isnull", False)),
                        fields=["time_collection"],
                        name="transfers_of_a_time_collection",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("cents__gt", 0)), name="a_transfer_moves_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("source", models.F("target")), _negated=True),
                        name="a_transfer_moves_somewhere",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("box__isnull", True),
                            ("source__in", ["drop", "jackpot"]),
                            ("target__in", ["drop", "jackpot"]),
                            _connector="OR",
                        ),
                        name="only_what_is_dropped_names_a_box",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("buy_in__isnull", True),
                                ("round__isnull", False),
                                ("time_collection__isnull", True),
                            ),
                            models.Q(
                                ("buy_in__isnull", True),
                                ("kind", "time"),
                                ("round__isnull", True),
                                ("time_collection__isnull", False),
                            ),
                            models.Q(
                                ("buy_in__isnull", False),
                                ("kind", "buy_in"),
                                ("round__isnull", True),
                                ("time_collection__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="a_transfer_is_of_a_round_of_time_or_of_a_buy_in",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("reverses__isnull", False)),
                        fields=("reverses",),
                        name="a_transfer_is_taken_back_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TraySlip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="Counts the room's slips, without gaps.")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opener", "opener"),
                            ("fill", "fill"),
                            ("credit", "credit"),
                            ("closer", "closer"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "chips",
                    models.JSONField(help_text='Number of chips by their worth in cents: {"2500": 40}.'),
                ),
                ("cents", models.BigIntegerField()),
                (
                    "expected_cents",
                    models.BigIntegerField(
                        blank=True,
                        help_text="What should lie in the tray, of a slip that counts it.",
                        null=True,
                    ),
                ),
                (
                    "note",
                    models.CharField(blank=True, help_text="What explains a difference.", max_length=200),
                ),
                ("made_at", models.DateTimeField()),
                (
                    "reason",
                    models.CharField(
                        blank=True, help_text="Why the other slip is taken back.", max_length=200
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversal",
                        to="floor.trayslip",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tray_slips",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tray_slips",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["table", "-id"], name="tray_slips_of_a_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="one_tray_slip_of_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("made_by", models.F("approved_by")), _negated=True),
                        name="a_tray_slip_has_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["opener", "closer"]),
                            ("expected_cents__isnull", True),
                            _connector="OR",
                        ),
                        name="a_tray_slip_that_counts_has_what_is_expected",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cents__gte", 0), ("reason", ""), ("reverses__isnull", True)),
                            models.Q(
                                ("cents__lt", 0),
                                ("kind__in", ["fill", "credit"]),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_tray_slip_is_taken_back_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "relieved",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Ids of the players who held it and handed their provider's rack over, the first first.",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "cycle",
                    models.PositiveBigIntegerField(help_text="The run of offers that led to this turn."),
                ),
                ("renewed", models.BooleanField(default=False)),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Profile by which the bank rotated as it began; empty: not recorded, the rulebook's.",
                        max_length=40,
                    ),
                ),
                ("rounds", models.PositiveIntegerField(default=0, help_text="Settled rounds in this turn.")),
                (
                    "rounds_before",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Settled rounds in a row of the same player's earlier turns at the table; 0: the count began anew.",
                    ),
                ),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_why",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("passed", "the bank was accepted by another player"),
                            ("renewed", "everybody declined; the same player began a new turn"),
                            ("left", "the player gave up the bank"),
                            ("closed", "the table closed"),
                            ("inactive", "the player may no longer play here"),
                            ("game", "a game of another approval began"),
                            ("mistake", "the answer that began it was recorded by mistake"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The filed game as it began, whose terms say who may bank; empty: not recorded.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.gamefiling",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="turns", to="people.player"
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        db_index=False,
                        help_text="Open as it began.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["-began_at", "-id"],
                "indexes": [
                    models.Index(fields=["table", "began_at", "id"], name="turns_of_a_time"),
                    models.Index(fields=["shift", "table"], name="turns_of_a_shift"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("table",),
                        name="one_bank_at_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_why", "")),
                            models.Q(
                                ("ended_at__gte", models.F("began_at")),
                                models.Q(("ended_why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="turn_ends_for_a_reason",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="round",
            name="turn",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="played",
                to="floor.turn",
            ),
        ),
        migrations.AddField(
            model_name="rackcount",
            name="turn",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hand_overs",
                to="floor.turn",
            ),
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "cycle",
                    models.PositiveBigIntegerField(help_text="The run of offers that nobody accepted."),
                ),
                ("minutes", models.PositiveSmallIntegerField()),
                ("began_at", models.DateTimeField()),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="floor.shift"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="floor.table"
                    ),
                ),
                (
                    "after_turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pauses_after",
                        to="floor.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [models.UniqueConstraint(fields=("table", "cycle"), name="one_pause_a_cycle")],
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("cycle", models.PositiveIntegerField()),
                (
                    "attempt",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Answers of this run that had been withdrawn before this one was given.",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "answer",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("absent", "absent"),
                            ("ineligible", "ineligible"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        help_text="Why the seat was offered, or why it may not bank.",
                        max_length=200,
                    ),
                ),
                (
                    "passed_over",
                    models.BooleanField(
                        default=False,
                        help_text="Nobody asked: by the record the player may not bank or is away, as the reason says.",
                    ),
                ),
                ("answered_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The filed game by whose terms the seat was asked; empty: not recorded.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.gamefiling",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="people.player",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="floor.table",
                    ),
                ),
                (
                    "after_turn",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers_after",
                        to="floor.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["table", "answered_at"], name="offers_of_a_time"),
                    models.Index(fields=["shift", "table", "answer"], name="offers_of_a_shift"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "cycle", "attempt", "player"), name="one_answer_a_player_a_cycle"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("answer", "accepted")),
                        fields=("table", "cycle", "attempt"),
                        name="one_accepted_offer_a_cycle",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WaitingEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.PositiveIntegerField(
                        help_text="Number of the filed game that they wait for, whatever its version."
                    ),
                ),
                ("name", models.CharField(blank=True, help_text="What a guest is called by.", max_length=80)),
                ("added_at", models.DateTimeField()),
                (
                    "called_at",
                    models.DateTimeField(blank=True, help_text="When they were called last.", null=True),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_why",
                    models.CharField(
                        blank=True,
                        choices=[("seated", "seated"), ("no_show", "no-show"), ("removed", "removed")],
                        max_length=10,
                    ),
                ),
                (
                    "added_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "called_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for a guest who has not been seated yet.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="waiting", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        help_text="Where they were seated.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("player", "game"),
                        name="nobody_waits_twice_for_a_game",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), ("player__isnull", False)),
                            models.Q(
                                ("ended_at__isnull", True),
                                ("player__isnull", True),
                                models.Q(("name", ""), _negated=True),
                            ),
                            models.Q(("ended_at__isnull", False), ("name", ""), ("player__isnull", True)),
                            _connector="OR",
                        ),
                        name="whoever_waits_has_a_name",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ended_at__isnull", True), ("ended_by__isnull", True), ("ended_why", "")
                            ),
                            models.Q(
                                ("ended_at__gte", models.F("added_at")),
                                ("ended_by__isnull", False),
                                models.Q(("ended_why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_wait_ends_for_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("called_at__isnull", True), ("called_by__isnull", True)),
                            models.Q(("called_at__gte", models.F("added_at")), ("called_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="whoever_is_called_waits",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Waiver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        help_text="Key of the published rule in the schedule's document.", max_length=40
                    ),
                ),
                ("title", models.CharField(max_length=80)),
                (
                    "covers",
                    models.CharField(
                        choices=[
                            ("player", "player"),
                            ("players", "players"),
                            ("bank", "bank"),
                            ("all", "all"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "seat",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Where the rule covers one player.", null=True
                    ),
                ),
                (
                    "behind",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="From 1, the player's place on the back line of that seat's spot.",
                    ),
                ),
                (
                    "portion_cents",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="How much of each fee the rule lets go; empty: all of it.",
                        null=True,
                    ),
                ),
                (
                    "returned_cents",
                    models.PositiveBigIntegerField(
                        default=0,
                        help_text='What went back from the drop as it was made; 0 before "no more bets".',
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ordered_by",
                    models.ForeignKey(
                        help_text="The supervisor.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="waivers", to="floor.round"
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.feeschedule",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="waivers", to="floor.table"
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("seat__isnull", False), ("withdrawn_at__isnull", True)),
                        fields=("round", "seat", "behind"),
                        name="one_waiver_of_a_seat",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("seat__isnull", True), ("withdrawn_at__isnull", True)),
                        fields=("round", "rule"),
                        name="one_waiver_of_a_rule",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("covers", "player"), ("seat__isnull", False)),
                            models.Q(
                                models.Q(("covers", "player"), _negated=True),
                                ("behind", 0),
                                ("seat__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="a_waiver_of_one_fee_names_its_seat",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="a_waiver_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("withdrawn_at__isnull", True), ("withdrawn_by__isnull", True)),
                            models.Q(
                                ("withdrawn_at__gte", models.F("made_at")), ("withdrawn_by__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="a_waiver_is_withdrawn_by_someone_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("withdrawn_at", models.DateTimeField()),
                (
                    "offer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="floor.offer",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="floor.table",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="LineUpPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("strings", models.JSONField(default=list)),
                (
                    "starts",
                    models.JSONField(
                        default=list,
                        help_text="When dealers are expected: their ids and instants, in the order of the strings.",
                    ),
                ),
                (
                    "down_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="How long a down lasts.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "break_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="How long a dealer is away between the last table of a string and the first.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "rest_minutes",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="The least time away from the tables that counts as a rest.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "rest_after_minutes",
                    models.PositiveSmallIntegerField(
                        default=120,
                        help_text="A rest is due after so long at the tables.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "meal_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="How long a meal lasts; a shorter one does not count.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "meal_after_minutes",
                    models.PositiveSmallIntegerField(
                        default=300,
                        help_text="A meal is due so long after the first down, or after the last meal.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                ("set_at", models.DateTimeField()),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="line_up_plans",
                        to="rooms.room",
                    ),
                ),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("break_minutes__gt", 0),
                            ("down_minutes__gt", 0),
                            ("rest_minutes__gt", 0),
                            ("meal_after_minutes__gt", 0),
                            ("meal_minutes__gt", 0),
                            ("rest_after_minutes__gt", 0),
                        ),
                        name="a_plan_counts_in_minutes",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Meal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "dealer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "started_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at", "-id"],
                "indexes": [models.Index(fields=["room", "started_at"], name="meals_of_a_time")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            models.Q(("ended_at__gte", models.F("started_at")), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_meal_is_ended_by_someone_later",
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="seating",
            index=models.Index(fields=["table", "left_at"], name="stays_of_a_time"),
        ),
        migrations.AddConstraint(
            model_name="seating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("left_at__isnull", True)),
                fields=("table", "seat", "behind"),
                name="one_player_at_a_place",
            ),
        ),
        migrations.AddIndex(
            model_name="down",
            index=models.Index(fields=["table", "ended_at"], name="downs_of_a_time"),
        ),
        migrations.AddConstraint(
            model_name="down",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("table",),
                name="one_dealer_at_a_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="deck",
            constraint=models.UniqueConstraint(
                condition=models.Q(("retired_at__isnull", True)),
                fields=("table", "name"),
                name="one_deck_of_a_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("rotation", "house_banks"), _negated=True),
                    models.Q(
                        ("bank_player__isnull", True),
                        ("bank_seat__isnull", True),
                        ("bank_wager_cents__isnull", True),
                        ("rake_cents", 0),
                        ("schedule__isnull", True),
                        ("turn__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="a_round_that_the_house_banks_has_no_bank_at_a_seat",
            ),
        ),
        migrations.AddIndex(
            model_name="rackcount",
            index=models.Index(fields=["table", "counted_at"], name="rack_counts_of_a_time"),
        ),
        migrations.AddConstraint(
            model_name="rackcount",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "hand_over"), ("left__isnull", False), ("relieved__isnull", False)),
                    models.Q(
                        models.Q(("kind", "hand_over"), _negated=True),
                        ("left__isnull", True),
                        ("relieved__isnull", True),
                        ("turn__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="a_rack_is_handed_over_by_somebody",
            ),
        ),
    ]
