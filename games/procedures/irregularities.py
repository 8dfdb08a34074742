"""Irregularities at the table and their consequences by the rulebook (ruling 44)."""

from games.procedures.rules import Consequence, ProcedureRules


def irregularity_ids(rules: ProcedureRules) -> tuple[str, ...]:
    """The irregularities in a rulebook; any other reason for a void is free text."""
    return tuple(dict.fromkeys(item.id for item in rules.irregularities))


def what_follows(rules: ProcedureRules, irregularity: str, count: int = 1) -> Consequence:
    """The consequence of an irregularity that happened `count` times in one round.

    KeyError for one that the rulebook does not have, ValueError for a count below 1.
    """
    if count < 1:
        raise ValueError(f"an irregularity happens once or more, not {count} times")
    found = [item for item in rules.irregularities if item.id == irregularity and item.at_least <= count]
    if not found:
        raise KeyError(
            f"{rules.rulebook} knows no {irregularity!r}; it knows {', '.join(irregularity_ids(rules))}"
        )
    return max(found, key=lambda item: item.at_least).consequence
