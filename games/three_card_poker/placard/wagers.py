"""The wagers on offer at a table: where each is laid, what it takes and pays, and its exact odds."""

from collections.abc import Callable, Iterator

from games.money import dollars
from games.notices import Notice, format_odds, listed
from games.odds import OddsRow, Situation
from games.paytables import Paytable
from games.phrases import Phrase
from games.placard import PostedTable, PostedWager, action_notices
from games.three_card_poker.hands import CLASS_IDS, HAND_NAMES, SIX_CARD_IDS, HandClass
from games.three_card_poker.odds.listing import odds_on
from games.three_card_poker.placard.content import PlacardContent
from games.three_card_poker.terms import ThreeCardTerms

_SPADES = CLASS_IDS[HandClass.MINI_ROYAL_SPADES]
_LOOKS: dict[str, Callable[[str], Phrase]] = {
    "pair_plus": lambda bank: Phrase("Looks at the player's own three cards and at nothing else."),
    "six_card_bonus": lambda bank: Phrase(
        "Looks at the best five of six cards: the player's three and the three of {bank}.", bank=bank
    ),
    "bad_beat": lambda bank: Phrase(
        "Is paid when of two hands, the player's and that of {bank}, the one beaten is a pair or better.",
        bank=bank,
    ),
    "cover_all": lambda bank: Phrase(
        "Looks at the highest hand of the table, that of {bank} and folded ones too.", bank=bank
    ),
    "progressive": lambda bank: Phrase("Looks at the player's own three cards."),
}
_NEEDS: dict[str, Callable[[dict[str, str]], Phrase]] = {
    "nothing": lambda names: Phrase("May be placed by itself."),
    "ante": lambda names: Phrase("May be placed beside the {ante}.", ante=names["ante"]),
    "ante_or_pair_plus": lambda names: Phrase(
        "May be placed beside the {ante} or the {pair_plus}.",
        ante=names["ante"],
        pair_plus=names["pair_plus"],
    ),
}


def bank_called(terms: ThreeCardTerms) -> str:
    """The word for the bank in a sentence: `the bank` where a player does, else `the dealer`."""
    return Phrase("the bank") if terms.rulebook.player_banked else Phrase("the dealer")


def posted_wagers(
    terms: ThreeCardTerms, content: PlacardContent, situation: Situation
) -> tuple[PostedWager, ...]:
    """The wagers on these terms, in the order of the layout."""
    rows = odds_on(terms, situation)
    return tuple(
        PostedWager(
            id=rule.id,
            name=rule.name,
            spot=content.spots.get(rule.id, rule.name),
            clause=terms.rulebook.clause_id(rule.clause),
            text=(*_says(terms, content, rule.id), *action_notices(terms, rule.id)),
            tables=posted_tables(terms, rule.id),
            odds=_odds_of(rule.id, rows),
        )
        for rule in terms.rulebook.wagers.values()
        if rule.id in terms.offered
    )


def _posted(
    table: Paytable, clause: str, name: str, *, hands: tuple[str, ...] = CLASS_IDS, players: int | None = None
) -> PostedTable:
    """A paytable line by line as printed, the best of its `hands` first."""
    lines = sorted(table.printed.items(), key=lambda line: hands.index(line[0]), reverse=True)
    # Beside a line for spades, the other mini royal is one of another suit.
    names = {
        **HAND_NAMES,
        **({"mini_royal": Phrase("Mini royal, other suits")} if _SPADES in table.printed else {}),
    }
    return PostedTable(name, clause, tuple((names[hand], format_odds(odds)) for hand, odds in lines), players)


def _odds_of(wager: str, rows: list[OddsRow]) -> tuple[OddsRow, ...]:
    """A wager's rows; those of a bonus that goes with the number of players, most players first."""
    return tuple(
        sorted((row for row in rows if row.wager == wager), key=lambda row: -row.detail.get("players", 0))
    )


def _says(terms: ThreeCardTerms, content: PlacardContent, wager: str) -> Iterator[Notice]:
    rulebook = terms.rulebook
    names = {each.id: each.name for each in rulebook.wagers.values()}
    if wager == "ante":
        text = Phrase("Plays against the hand of {bank}, and wins even money.", bank=bank_called(terms))
        yield Notice(text, _bank_clause(terms))
        return
    if wager == "play":
        text = Phrase("Equals the {ante}, and is laid once the hand has been seen.", ante=names["ante"])
        yield Notice(text, content.needs[wager])
        yield Notice(Phrase("Wins even money too."), _bank_clause(terms))
        return
    yield Notice(_LOOKS[wager](bank_called(terms)), content.looks[wager])
    yield Notice(_NEEDS[terms.needs[wager]](names), content.needs[wager])
    if wager == "pair_plus":
        yield from _tied_to_ante(terms)
        if terms.pair_plus_requires_win:
            text = Phrase(
                "Is paid only if the hand beats {bank}'s, or that does not qualify.", bank=bank_called(terms)
            )
            yield Notice(text, rulebook.clause_id(rulebook.clauses["pair_plus"]["not_won"]))
    if wager == "progressive":
        yield from _progressive(terms)


def _bank_clause(terms: ThreeCardTerms) -> str:
    return terms.rulebook.clause_id(terms.rulebook.clauses["ante"]["beats"])


def _tied_to_ante(terms: ThreeCardTerms) -> Iterator[Notice]:
    """How a version of the game ties pair plus to the ante (massachusetts 6(f))."""
    version = terms.version
    if version is None:
        return
    names = {each.id: each.name for each in terms.rulebook.wagers.values()}
    clause = terms.rulebook.clause_id(version.clause)
    if version.compulsory:
        both = listed(names[wager] for wager in version.compulsory)
        yield Notice(Phrase("{wagers} are both compulsory.", wagers=both), clause)
    for most, one, other in (
        (version.most_pair_plus_per_ante, "pair_plus", "ante"),
        (version.most_ante_per_pair_plus, "ante", "pair_plus"),
    ):
        if most is not None:
            parts = {"one": names[one], "other": names[other]}
            yield Notice(
                Phrase("{one} is no more than the {other}.", **parts)
                if most == 1
                else Phrase("{one} is no more than {times} times the {other}.", times=str(most), **parts),
                clause,
            )


def _progressive(terms: ThreeCardTerms) -> Iterator[Notice]:
    rulebook, rule, meter = terms.rulebook, terms.rulebook.progressive, terms.rulebook.meter
    assert rule is not None
    assert meter is not None  # a rulebook that offers the wager has its rule
    causes = rulebook.clauses["progressive"]
    yield Notice(
        Phrase("The bet is collected before the deal and does not come back."),
        rulebook.clause_id(causes["misses"]),
    )
    if not terms.progressive_on_fold:
        yield Notice(Phrase("A folded hand wins none."), rulebook.clause_id(causes["folded"]))
    yield Notice(
        Phrase("The meter starts at {seed}, and again after it was won.", seed=dollars(meter.seed_cents)),
        rulebook.clause_id(meter.clause),
    )
    if terms.meter_wins is not None:
        filed = rulebook.clause_id(rulebook.clauses["meter_wins"]["filed"])
        yield Notice(
            Phrase("When several hands win the meter in one round: {filed}", filed=terms.meter_wins), filed
        )
    envy = listed(
        Phrase("{pays} for a {hand}", pays=dollars(cents), hand=Phrase(HAND_NAMES[hand].lower()))
        for hand, cents in reversed(list(zip(CLASS_IDS, rule.envy_cents, strict=True)))
        if cents
    )
    carried = Phrase(", if that hand carries the bet too") if rule.hit_needs_progressive else ""
    given_up = Phrase(", nor does one given up unseen") if "surrender" in rulebook.decisions else ""
    yield Notice(
        Phrase(
            "Envy: when another player's hand hits{carried}, whoever has the bet is paid {envy}. "
            "A hand of one's own and the dealer's bring none{given_up}.",
            carried=carried,
            envy=envy,
            given_up=given_up,
        ),
        rulebook.clause_id(rule.envy_clause),
    )


#: The key of a wager's paytables in a rulebook's file, by which an approval prints its own.
_KEYS = {
    "ante": "ante_bonus_tables",
    "pair_plus": "pair_plus_tables",
    "six_card_bonus": "six_card_bonus_tables",
    "bad_beat": "bad_beat_table",
}


def posted_tables(terms: ThreeCardTerms, wager: str) -> tuple[PostedTable, ...]:
    """The paytables of a wager, most players first where they go by the number of players."""
    return tuple(_tables(terms, wager))


def _tables(terms: ThreeCardTerms, wager: str) -> Iterator[PostedTable]:
    tables: dict[str, Paytable | None] = {
        "ante": terms.ante_bonus,
        "pair_plus": terms.pair_plus,
        "six_card_bonus": terms.six_card_bonus,
        "bad_beat": terms.rulebook.bad_beat_table,
        "progressive": terms.progressive,
    }
    table = tables.get(wager)
    if table is not None:
        hands = SIX_CARD_IDS if wager == "six_card_bonus" else CLASS_IDS
        yield _posted(table, terms.rulebook.clause_id(table.clause), _named(terms, wager, table), hands=hands)
    if wager == "cover_all":
        for players, each in sorted(terms.cover_all.items(), reverse=True):
            name = f"{players} player{'s' * (players > 1)}"
            yield _posted(each, terms.rulebook.clause_id(each.clause), name, players=players)


def _named(terms: ThreeCardTerms, wager: str, table: Paytable) -> str:
    """The name of a paytable: a room's own has no printed name, nor has the only one of its kind."""
    rulebook = terms.rulebook
    if table.id == "room":
        return Phrase("The house's own table")
    if rulebook.approval is not None and _KEYS.get(wager) in rulebook.approval.changed:
        return Phrase("Ante bonus") if wager == "ante" else ""
    if wager == "ante":
        name: str = (
            Phrase("Ante bonus {table}", table=table.id)
            if len(rulebook.ante_bonus_tables) > 1
            else Phrase("Ante bonus")
        )
    elif wager == "pair_plus":
        name = Phrase("Table {table}", table=table.id) if len(rulebook.pair_plus_tables) > 1 else ""
    elif wager == "progressive":
        return Phrase("Paytable {table}", table=str(table.id))
    else:
        return table.id if wager == "six_card_bonus" else ""
    if name and "designator" in terms.options:
        parts = {"name": name, "designator": terms.options["designator"]}
        return Phrase("{name} (designator {designator})", **parts)
    return name
