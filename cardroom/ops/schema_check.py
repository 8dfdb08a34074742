"""Django system check (`check --deploy --database default`, cardroom.E001): the schema, compared with what the models declare."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from django.core import checks

from cardroom.core.schema_verification import schema_verify

#: So many breaks are named; `manage.py verify` names all.
_NAMED = 10


@checks.register(checks.Tags.database, deploy=True)
def check_schema(databases: Iterable[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Name triggers, constraints and columns that are not as declared, or are switched off: what `verify` says of them."""
    if "default" not in (databases or ()):
        return []
    return [
        checks.Error(
            found,
            hint="Somebody with the owner's rights changed the database, or `migrate` did not run to its end: "
            "docs/verify.md. `manage.py verify` names every break.",
            id="cardroom.E001",
        )
        for found in itertools.islice(schema_verify(), _NAMED)
    ]
