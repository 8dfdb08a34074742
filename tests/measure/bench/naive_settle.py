"""The script a programmer writes in an afternoon: round sheets as JSON Lines in, settlements out.

It is what `settle --batch` is timed against. It checks nothing, gives no clause and no reason, and finds the best five
of six cards by ranking all six fives; so it does less than the engine. Written apart from the engine, of which it takes
the odds alone; the benchmark compares its figures with the engine's before it takes any time.

    python tests/measure/bench/naive_settle.py FILE
"""
# mypy: ignore-errors

import itertools
import json
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "games" / "three_card_poker" / "rulebooks"
BOOK = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml")}
RANKS = "23456789TJQKA"


def cards(t):
    return [(RANKS.index(c[0]) + 2, c[1]) for c in t.split()]


def rank3(h):
    rs = sorted((c[0] for c in h), reverse=True)
    flush = len({c[1] for c in h}) == 1
    if rs == [14, 3, 2]:
        run = 3
    elif rs[0] - 1 == rs[1] and rs[1] - 1 == rs[2]:
        run = rs[0]
    else:
        run = 0
    if run and flush:
        return (5, run)
    if rs[0] == rs[2]:
        return (4, rs[0])
    if run:
        return (3, run)
    if flush:
        return (2, *rs)
    if rs[0] == rs[1]:
        return (1, rs[0], rs[2])
    if rs[1] == rs[2]:
        return (1, rs[1], rs[0])
    return (0, *rs)


def name3(h, spades=False):
    r = rank3(h)
    if r == (5, 14):
        return "mini_royal"
    return ["high", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"][r[0]]


ORD6 = [
    "high",
    "pair",
    "two",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]


def rank5(h):
    rs = sorted((c[0] for c in h), reverse=True)
    fl = len({c[1] for c in h}) == 1
    cnt = sorted((rs.count(r) for r in set(rs)), reverse=True)
    st = len(set(rs)) == 5 and (rs[0] - rs[4] == 4 or rs == [14, 5, 4, 3, 2])
    if st and fl:
        return 9 if rs[0] == 14 and rs[1] == 13 else 8
    if cnt[0] == 4:
        return 7
    if cnt[:2] == [3, 2]:
        return 6
    if fl:
        return 5
    if st:
        return 4
    if cnt[0] == 3:
        return 3
    return 2 if cnt[:2] == [2, 2] else (1 if cnt[0] == 2 else 0)


def name6(h):
    return ORD6[max(rank5(c) for c in itertools.combinations(h, 5))]


def odds_of(o):
    a, b = o.split(":")
    return int(a), int(b)


def look(table, key, h=None):
    if key == "mini_royal" and h and all(c[1] == "s" for c in h) and "mini_royal_spades" in table:
        return table["mini_royal_spades"]
    if key in table:
        return table[key]
    if key == "mini_royal":
        return table.get("straight_flush")
    return None


def tbl(book, kind, id):
    return next(t["odds"] for t in book[kind] if t["id"] == id)


def settle(s):
    rb = s["rulebook"]
    book = BOOK[rb]
    opt = s.get("options", {})
    site = rb in ("massachusetts", "south_dakota", "shuffle_master")
    bank_hand = cards(s["bank_hand"])
    bs = rank3(bank_hand)
    qual = bs >= (0, 12, 0, 0)
    N = 8 if rb == "designated_player" else 7
    pos = {p["seat"]: dict(p) for p in s["positions"]}
    for p in pos.values():
        p.setdefault("player", f"seat {p['seat']}")
    # order
    if site:
        order = sorted(pos, reverse=(rb == "massachusetts"))
    else:
        start = s.get("action_seat", s["bank"]["seat"] % N + 1)
        order = [x for x in ((start - 1 + i) % N + 1 for i in range(N)) if x in pos]
    # tables
    if rb == "shuffle_master":
        d = book["designators"][opt.get("designator", "TCP-01")]
        ab = tbl(book, "ante_bonus_tables", d["ante_bonus"])
        ppd = d["pair_plus"]
    else:
        ppd = None
        ver = opt.get("version", "standard")
        if rb == "massachusetts":
            ab = tbl(
                book,
                "ante_bonus_tables",
                opt.get("ante_bonus_table", "standard" if ver == "standard" else "A"),
            )
        elif rb == "south_dakota":
            ab = tbl(book, "ante_bonus_tables", "standard")
        else:
            ab = None
    ppt = opt.get("pair_plus_table")
    if isinstance(ppt, dict):
        pp = {k: f"{v}:1" for k, v in ppt.items()}
    elif ppt is None:
        pp = tbl(book, "pair_plus_tables", ppd) if ppd else book["pair_plus_tables"][0]["odds"]
    else:
        pp = tbl(book, "pair_plus_tables", ppd or ppt)
    six = opt.get("six_card_bonus_table", None if rb == "designated_player" else "TCP-6B4")
    sixt = tbl(book, "six_card_bonus_tables", six) if six and rb != "shuffle_master" else None
    if rb in ("massachusetts", "south_dakota"):
        prog = tbl(book, "progressive_tables", str(opt.get("progressive_table", 1)))
    tips_mode = opt.get("tips", "in_turn")
    forf = opt.get("forfeits", "in_turn")

    # raw verdicts: list of dict(seat, for, wager, stake, outcome, odds, owed)
    def verdicts(p):
        h = cards(p["hand"])
        w = p["wagers"]
        t = p.get("tips", {})
        dec = p.get("decision")
        mine = rank3(h)
        out = []

        def res_ante():
            if dec in ("fold", "surrender"):
                return ("forfeit", None)
            if not qual:
                if rb == "california":
                    return ("win", "1:1") if mine > bs else ("push", None)
                return ("win", "1:1")
            return ("win", "1:1") if mine > bs else (("push", None) if mine == bs else ("lose", None))

        def res_play():
            if not qual:
                return ("push", None) if rb in ("south_dakota", "shuffle_master") else ("no_action", None)
            return ("win", "1:1") if mine > bs else (("push", None) if mine == bs else ("lose", None))

        def res_pp():
            if dec == "surrender":
                return ("forfeit", None)
            if dec == "fold":
                if rb in ("california", "designated_player", "shuffle_master"):
                    return ("forfeit", None)
                if rb == "south_dakota" and opt.get("pair_plus_on_fold", "forfeit") == "forfeit":
                    return ("forfeit", None)
            o = look(pp, name3(h), h)
            if (
                o
                and rb == "designated_player"
                and opt.get("pair_plus_requires_win")
                and qual
                and not mine > bs
            ):
                o = None
            return ("win", o) if o else ("lose", None)

        def res_six():
            if dec == "surrender":
                return ("forfeit", None)
            o = sixt.get(name6(h + bank_hand))
            return ("win", o) if o else ("lose", None)

        def res_bb():
            if dec == "fold":
                return ("forfeit", None)
            low = min(mine, bs)
            if mine == bs or low[0] == 0:
                return ("lose", None)
            nm = ["", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"][low[0]]
            return ("win", book["bad_beat_table"]["odds"][nm])

        rule = {
            "ante": res_ante,
            "play": res_play,
            "pair_plus": res_pp,
            "six_card_bonus": res_six,
            "bad_beat": res_bb,
        }
        seq = {
            "california": ["ante", "play", "pair_plus", "six_card_bonus"],
            "designated_player": ["ante", "play", "pair_plus", "six_card_bonus"],
            "massachusetts": ["ante", "play", "ante_bonus", "pair_plus", "six_card_bonus"],
            "south_dakota": ["play", "ante_bonus", "ante", "pair_plus", "six_card_bonus"],
            "shuffle_master": ["ante", "play", "ante_bonus", "pair_plus", "bad_beat"],
        }[rb]

        def one(who, wg, stake):
            oc, od = rule[wg]()
            owed = 0
            if oc == "win":
                a, b = odds_of(od)
                owed = stake * a // b
            return dict(
                seat=p["seat"],
                player=p["player"],
                **{"for": who},
                wager=wg,
                stake=stake,
                outcome=oc,
                odds=od,
                owed=owed,
            )

        for wg in seq:
            if wg == "play":
                if dec == "play":
                    out.append(one("player", "play", w["ante"]))
            elif wg == "ante_bonus":
                if dec == "play":
                    o = look(ab, name3(h), h)
                    if o:
                        a, b = odds_of(o)
                        out.append(
                            dict(
                                seat=p["seat"],
                                player=p["player"],
                                **{"for": "player"},
                                wager="ante_bonus",
                                stake=0,
                                outcome="win",
                                odds=o,
                                owed=w["ante"] * a // b,
                            )
                        )
            elif wg in w:
                out.append(one("player", wg, w[wg]))
        tips = []
        for wg in [x for x in seq if x != "ante_bonus"]:
            if wg in t:
                tips.append(one("dealer", wg, t[wg]))
        return out, tips

    V = {x: verdicts(pos[x]) for x in order}
    seqv = []
    if rb == "california":
        if tips_mode == "after_players":
            pl = [v for x in order for v in V[x][0]]
            tp = [v for x in order for v in V[x][1]]
            if forf == "first":
                seqv = (
                    [v for v in pl if v["outcome"] == "forfeit"]
                    + [v for v in pl if v["outcome"] != "forfeit"]
                    + [v for v in tp if v["outcome"] == "forfeit"]
                    + [v for v in tp if v["outcome"] != "forfeit"]
                )
            else:
                seqv = pl + tp
        else:
            al = [v for x in order for v in V[x][0] + V[x][1]]
            seqv = (
                ([v for v in al if v["outcome"] == "forfeit"] + [v for v in al if v["outcome"] != "forfeit"])
                if forf == "first"
                else al
            )
    else:
        seqv = [v for x in order for v in V[x][0] + V[x][1]]
    lines = []

    def line(v, paid=0, taken=0, uncovered=0, rem=None, outcome=None):
        oc = outcome or v["outcome"]
        owed = 0 if oc == "uncovered" else v["owed"]
        tipwin = v["for"] == "dealer" and oc == "win"
        l = dict(
            seq=len(lines) + 1,
            seat=v["seat"],
            player=v["player"],
            **{"for": v["for"]},
            wager=v["wager"],
            stake=v["stake"],
            outcome=oc,
            odds=v["odds"] if oc == "win" else None,
            owed=owed,
            paid=paid,
            taken=taken,
            returned=0 if tipwin else v["stake"] - taken,
            toked=v["stake"] + paid if tipwin else 0,
            short=owed - paid,
            uncovered=uncovered,
            bank_remaining=rem,
        )
        lines.append(l)
        return l

    LOSE = ("lose", "forfeit")
    exhausted = False
    dead = set()
    if not site:
        W = s["bank"]["wager"]
    won = lost = 0
    if rb == "california" and opt.get("coverage", "gross") == "gross":
        rem = W
        for v in seqv:
            if rem == 0:
                line(v, uncovered=v["stake"], rem=0, outcome="uncovered")
                continue
            if v["outcome"] == "win":
                p = min(v["owed"], rem)
                rem -= p
                lost += p
                line(v, paid=p, rem=rem)
            elif v["outcome"] in LOSE:
                k = min(v["stake"], rem)
                rem -= k
                won += k
                line(v, taken=k, uncovered=v["stake"] - k, rem=rem)
            else:
                line(v, rem=rem)
        exhausted = rem == 0
        remaining = rem
    elif rb == "california":
        for v in seqv:
            capp = W + won - lost
            capt = W - (won - lost)
            if v["outcome"] == "win":
                p = min(v["owed"], capp)
                if p == 0 and v["owed"] > 0:
                    exhausted = True
                    line(v, uncovered=v["stake"], rem=W + won - lost, outcome="uncovered")
                    continue
                lost += p
                if p < v["owed"]:
                    exhausted = True
                line(v, paid=p, rem=W + won - lost)
            elif v["outcome"] in LOSE:
                k = min(v["stake"], capt)
                if k == 0:
                    exhausted = True
                    line(v, uncovered=v["stake"], rem=W + won - lost, outcome="uncovered")
                    continue
                won += k
                if k < v["stake"]:
                    exhausted = True
                line(v, taken=k, uncovered=v["stake"] - k, rem=W + won - lost)
            else:
                line(v, rem=W + won - lost)
        remaining = W + won - lost
    elif rb == "designated_player":
        for x in order:
            vs = V[x][0] + V[x][1]
            funds = W + won - lost
            owed = sum(v["owed"] for v in vs)
            st = sum(v["stake"] for v in vs if v["wager"] in ("ante", "play"))
            if funds < max(owed, st):
                dead.add(x)
                exhausted = True
                for v in vs:
                    line(v, uncovered=v["stake"], rem=funds, outcome="uncovered")
                continue
            for v in vs:
                if v["outcome"] == "win":
                    lost += v["owed"]
                    line(v, paid=v["owed"], rem=W + won - lost)
                elif v["outcome"] in LOSE:
                    won += v["stake"]
                    line(v, taken=v["stake"], rem=W + won - lost)
                else:
                    line(v, rem=W + won - lost)
        remaining = W + won - lost
    else:
        for v in seqv:
            if v["outcome"] == "win":
                line(v, paid=v["owed"])
            elif v["outcome"] in LOSE:
                line(v, taken=v["stake"])
            else:
                line(v)
    meter_paid = 0
    if rb in ("massachusetts", "south_dakota"):
        late = sorted(pos, reverse=True)
        for x in late:
            p = pos[x]
            if "progressive" not in p["wagers"]:
                continue
            st = p["wagers"]["progressive"]
            h = cards(p["hand"])
            dec = p.get("decision")
            o = look(prog, name3(h), h)
            if dec == "surrender" or (
                dec == "fold" and rb == "massachusetts" and opt.get("progressive_on_fold", True) is False
            ):
                o = None
            paid = 0
            if o:
                if "meter" in o:
                    paid = s["meter"]
                    meter_paid += paid
                else:
                    paid = st * int(o.split()[0])
            l = dict(
                seat=x,
                player=p["player"],
                **{"for": "player"},
                wager="progressive",
                stake=st,
                outcome="win" if o else "lose",
                odds=o,
                owed=paid,
            )
            line(l, paid=paid, taken=st)
        seen = set()
        for x in late:
            p = pos[x]
            if "progressive" not in p["wagers"] or p["player"] in seen:
                continue
            seen.add(p["player"])
            for y in late:  # hits by others
                q = pos[y]
                h = cards(q["hand"])
                if q["player"] == p["player"] or rank3(h) != (5, 14) or q.get("decision") == "surrender":
                    continue
                if rb == "south_dakota" and "progressive" not in q["wagers"]:
                    continue
                c = 10000 if h[0][1] == "s" else 2500
                line(
                    dict(
                        seat=x,
                        player=p["player"],
                        **{"for": "player"},
                        wager="envy",
                        stake=0,
                        outcome="win",
                        odds=None,
                        owed=c,
                    ),
                    paid=c,
                )
        if rb == "massachusetts":
            best = max([bank_hand] + [cards(p["hand"]) for p in pos.values()], key=rank3)
            t = tbl(book, "cover_all_tables", str(len(pos)))
            nm = name3(best)
            for x in late:
                p = pos[x]
                if "cover_all" not in p["wagers"]:
                    continue
                st = p["wagers"]["cover_all"]
                o = t.get(nm)
                v = dict(
                    seat=x,
                    player=p["player"],
                    **{"for": "player"},
                    wager="cover_all",
                    stake=st,
                    outcome="win" if o else "lose",
                    odds=o,
                    owed=0,
                )
                if o:
                    a, b = odds_of(o)
                    v["owed"] = st * a // b
                    line(v, paid=v["owed"])
                else:
                    line(v, taken=st)
    tta = sum(p["wagers"].get("ante", 0) for p in pos.values())
    fees = []
    if rb == "california" and opt.get("fee_schedule"):
        fees = [dict(payer=p["player"], seat=p["seat"], cents=100) for p in pos.values()]
        hi = 10100 if opt["fee_schedule"] == 1 else 20100
        fees.append(dict(payer="bank", seat=s["bank"]["seat"], cents=200 if tta >= hi else 100))
    if rb == "designated_player" and opt.get("house_rake"):
        m = opt["house_rake"]
        live = [p for p in pos.values() if p["seat"] not in dead]
        if m["mode"] != "bank_only":
            fees = [dict(payer=p["player"], seat=p["seat"], cents=m["cents"]) for p in live]
        if m["mode"] != "all_but_bank" and live:
            fees.append(dict(payer="bank", seat=s["bank"]["seat"], cents=m["cents"]))
    net = {p["player"]: 0 for p in pos.values()}
    for l in lines:
        net[l["player"]] += -l["stake"] if l["toked"] else l["paid"] - l["taken"]
    bank = (
        None
        if site
        else dict(
            seat=s["bank"]["seat"],
            wager=W,
            won=won,
            lost=lost,
            net=won - lost,
            remaining=remaining,
            exhausted=exhausted,
        )
    )
    return dict(
        rulebook=rb,
        qualified=qual,
        total_table_action=tta,
        fees=fees,
        lines=lines,
        bank=bank,
        net=net,
        drop=sum(f["cents"] for f in fees),
        tokes=sum(l["toked"] for l in lines),
        meter_paid=meter_paid,
    )


def main(name):
    with open(name, encoding="utf-8") as file:
        for line in file:
            print(json.dumps(settle(json.loads(line))))


if __name__ == "__main__":
    main(sys.argv[1])
