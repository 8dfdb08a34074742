"""Which modules are broken, and the tests that must notice it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: Why mutants survive, by module and name: what they do is the same (or why no test should tell them apart).
REASONS_FILE = HERE / "survivors.toml"


@dataclass(frozen=True)
class Subject:
    """A module with the test files that must notice whatever is changed in it."""

    part: str
    path: str
    tests: tuple[str, ...]


_SETTLING = (
    "tests/rules/california/test_settlement.py",
    "tests/rules/california/test_readings.py",
    "tests/rules/california/test_bonus_bets.py",
    "tests/rules/designated_player/test_settlement.py",
    "tests/rules/massachusetts/test_settlement.py",
    "tests/rules/shuffle_master/test_game.py",
    "tests/rules/south_dakota/test_play.py",
    "tests/rules/shuffle_master/test_paytables.py",
    "tests/games/test_unexposed.py",
    "tests/games/test_claims.py",
)
_BACCARAT = ("tests/games/baccarat/test_settlement.py",)
_ROTATION = ("tests/games/test_rotation.py", "tests/rules/test_rotation_profiles.py")
_FEES = ("tests/fees/test_quote.py", "tests/rules/california/test_fees.py")
_RIGHTS = ("tests/floor/test_rights.py", "tests/people/test_rights_written_out.py")
_VERIFIED = ("tests/reports/verification/test_verify.py", "tests/verify/test_checkpoint.py")

SUBJECTS = (
    Subject("settlement", "games/claims.py", (*_SETTLING, *_BACCARAT)),
    Subject("settlement", "games/settlement_order.py", _SETTLING),
    Subject("settlement", "games/result.py", (*_SETTLING, *_BACCARAT)),
    Subject("settlement", "games/three_card_poker/settle.py", _SETTLING),
    Subject("settlement", "games/three_card_poker/verdicts.py", _SETTLING),
    Subject("settlement", "games/baccarat/settle.py", _BACCARAT),
    Subject(
        "settlement",
        "cardroom/floor/settling/fixing.py",
        (
            "tests/floor/test_rounds.py",
            "tests/floor/test_rake.py",
            "tests/floor/test_linked_meters.py",
            "tests/floor/test_waivers.py",
            "tests/floor/test_filed_by_eye.py",
            "tests/api/test_house_banked.py",
        ),
    ),
    Subject(
        "coverage",
        "games/bank.py",
        (*_SETTLING, "tests/rules/california/test_bank.py", "tests/games/test_coverage.py"),
    ),
    Subject("rotation", "games/rotation/profile.py", _ROTATION),
    Subject("rotation", "games/rotation/play.py", _ROTATION),
    Subject("rotation", "games/rotation/offers.py", _ROTATION),
    Subject("rotation", "games/rotation/steps.py", (*_ROTATION, "tests/games/test_rotation_window.py")),
    Subject("rotation", "games/rotation/window.py", ("tests/games/test_rotation_window.py", *_ROTATION)),
    Subject(
        "rotation",
        "games/rotation/review.py",
        ("tests/games/test_rotation_review.py", "tests/games/test_rotation_what_if.py"),
    ),
    Subject("quotes", "fees/quote.py", _FEES),
    Subject("quotes", "fees/charges.py", _FEES),
    Subject(
        "quotes",
        "games/collection.py",
        (
            "tests/rules/california/test_fees.py",
            "tests/rules/designated_player/test_settlement.py",
            "tests/games/test_rulebook_files.py",
        ),
    ),
    Subject("quotes", "games/round_fees.py", ("tests/rules/california/test_fees.py", *_SETTLING)),
    Subject("quotes", "fees/rates.py", (*_FEES, "tests/fees/test_illegal_schedules.py")),
    Subject("quotes", "fees/rake.py", ("tests/fees/test_rake.py",)),
    Subject("quotes", "fees/seat_time.py", ("tests/fees/test_seat_time.py",)),
    Subject(
        "transfers",
        "cardroom/floor/settling/ledger.py",
        (
            "tests/floor/test_rounds.py",
            "tests/floor/test_rake.py",
            "tests/floor/test_house_banked.py",
            "tests/floor/test_linked_meters.py",
            "tests/floor/test_undo.py",
            "tests/floor/test_corrections.py",
            "tests/drop/test_jackpot.py",
        ),
    ),
    Subject(
        "transfers",
        "cardroom/drop/reads/expected.py",
        (
            "tests/drop/test_expected.py",
            "tests/drop/test_over_a_change.py",
            "tests/drop/test_jackpot.py",
            "tests/floor/test_tray.py",
        ),
    ),
    Subject("tips", "cardroom/tips/sharing.py", ("tests/tips/test_sharing.py",)),
    Subject("rights", "cardroom/people/rights.py", _RIGHTS),
    Subject(
        "rights",
        "cardroom/people/duties.py",
        ("tests/people/test_duties.py", "tests/people/test_rights_written_out.py"),
    ),
    Subject("verification", "cardroom/core/row_digests.py", ("tests/verify/test_row_digests.py",)),
    Subject(
        "verification",
        "cardroom/floor/verification/rows.py",
        (
            "tests/verify/test_row_verification.py",
            "tests/verify/test_row_digests.py",
            "tests/verify/test_checkpoint.py",
        ),
    ),
    Subject(
        "verification",
        "cardroom/core/history_verification.py",
        ("tests/verify/test_histories.py", *_VERIFIED),
    ),
    Subject(
        "verification",
        "cardroom/reports/verification/settled_again.py",
        ("tests/verify/test_settled_again.py",),
    ),
    Subject(
        "verification",
        "cardroom/floor/journal.py",
        (
            "tests/floor/test_journal.py",
            "tests/verify/test_checkpoint.py",
            "tests/reports/verification/test_verify.py",
        ),
    ),
)


def reasons() -> dict[str, dict[str, str]]:
    """Return why mutants survive, by module and name."""
    read: dict[str, dict[str, str]] = tomllib.loads(REASONS_FILE.read_text(encoding="utf-8"))
    return read
