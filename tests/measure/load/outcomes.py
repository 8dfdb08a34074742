"""What an answer came to: as it should be, expected for a stated reason, or an error of a kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

#: A screen says by this which refusal it shows, and an answer of the API by that.
_REFUSED = re.compile(r'data-refused="([a-z_]+)"|^\{"error": ?\{"code": ?"([a-z_]+)"')
#: Refusals that a tablet may meet in a room without faults, and goes on from: another command came first, or holds the lock.
EXPECTED_REFUSALS = frozenset({(412, "stale"), (409, "busy")})


def outcome_of(
    status: int, headers: Mapping[str, str], body: str, *, marked: bool = False, may: Collection[int] = ()
) -> str:
    """Return `ok`, `expected STATUS CODE`, or the kind of an error.

    `marked`: the answer has to bear the site's own mark (`X-Answer`), as answers to a table's commands do; a page with the
    status 200 and without it is a sign-in page or somebody else's. `may` holds statuses that the request may be answered
    with besides 200 and 204.
    """
    if status >= 500:
        return f"status {status}"
    code = (found[1] or found[2]) if (found := _REFUSED.search(body)) else ""
    if (status, code) in EXPECTED_REFUSALS:
        return f"expected {status} {code}"
    if status in may:
        return "ok"
    if status not in (200, 204):
        return f"status {status}" + (f" {code}" if code else "")
    if code:
        return f"refused with status {status}: {code}"
    if marked and headers.get("x-answer") != "done":
        return f"status {status} without the site's mark"
    return "ok"


def is_error(outcome: str) -> bool:
    """Tell whether an outcome counts as an error."""
    return outcome != "ok" and not outcome.startswith("expected ")
