// Renders the table while offline, in its state after the queued commands, from templates that came with the page
// (templates/web/table/offline.html). Fields and ids are those of the server's own screen, so that seats, keypad, card
// picker and command line work as usual.

import { sayBehind } from "../back_line.js";
import { bankOf, betsIn, quoteOf, repeated, whyNotClose } from "./reducer.js";
import { dollarsOf, typedOf } from "../fees.js";
import { freshKey } from "./queue.js";
import { offlineState, screen } from "../screen.js";
import { text, texts } from "../texts.js";

const TYPED = { offer: "y  n  absent  all n", renew: "y", ready: text("200  (the player-dealer wager)"), betting: text("4 20 0 5  (seat, wagers)  nmb") };

/** How long "no more bets" can be taken back; the server decides by its own clock. */
const TAKE_BACK_MS = 10000;

/** The state that was rendered here; null while the server's screen is shown. */
let drawn = null;

/** Return the state that was rendered here offline; null while the server's screen is shown. */
export const drawnState = () => drawn;

/** A template of the page, with the name of the place filled in: "3", or "3b" on a back line. */
function part(id, place) {
  const template = document.createElement("template");
  template.innerHTML = document.getElementById(id).innerHTML.replaceAll("{seat}", place ?? "");
  return template.content;
}

function fill(root, words) {
  for (const [name, word] of Object.entries(words))
    root.querySelectorAll(`[data-fill="${name}"]`).forEach((each) => { each.textContent = word; });
  return root;
}

/** Render the table in the state `now` (see reducer.js); `lost`: the server is not reached. */
export function draw(now, lost) {
  const known = offlineState(), root = screen();
  const before = root.dataset.phase;
  drawn = now;
  root.dataset.phase = now.phase;
  root.dataset.round = now.live?.round ?? `offline-${now.base}-${now.played}`;
  // What the seats are paid or given back stands there until the next round is open.
  const settled = "settlement" in root.dataset && !now.live && !now.played;
  if (!settled) delete root.dataset.settlement, root.querySelector(".settled")?.remove();
  root.querySelector(".notices").replaceChildren();
  // Only the server knows which procedure is due now; what it said of the step before is over.
  if (lost) root.querySelector(".prompts")?.remove();
  else if (before !== now.phase && root.querySelector(".prompts")) root.querySelector(".prompts").style.visibility = "hidden";
  const seats = document.getElementById("seats");
  seats.className = `seats phase-${settled ? "settled" : now.phase === "waits" ? "dropped" : now.phase}`;
  if (!settled) drawCentre(now, known, lost);
  document.querySelectorAll("#picker, .middle > .table-hands").forEach((each) => each.remove());
  for (const at of known.places) if (!isBehind(at)) drawSeat(at, now, known, settled); else if (!settled) drawBehind(at, now, known);
  if (now.phase === "cards" || (now.phase === "dropped" && !known.byEye)) drawPicker(now, known);
  root.querySelectorAll(".dealer .action-seat, .dealer > form").forEach((each) => each.remove());
  if (now.phase === "betting" && !known.house) root.querySelector(".dealer").append(part("offline-action"));
  drawStep(now, known);
  document.dispatchEvent(new CustomEvent("screen:shown"));
}

/** Reset: the server's own screen is shown again. */
export function drop() {
  drawn = null;
}

const isBehind = ({ place, seat }) => place !== String(seat);

function drawCentre(now, known, lost) {
  const bank = now.live?.bank ?? now.turn?.seat;
  const centre = screen().querySelector(".centre");
  const words = part("offline-centre");
  const goesOn = Boolean(now.live) || now.phase === "ready", limit = known.turnRounds;
  const rounds = now.turn?.rounds ?? 0;
  fill(words, {
    bank: bank ?? "", "bank-name": nameAt(known, bank), wager: now.live ? dollarsOf(now.live.wager) : "",
    // A round of the house has its number alone, and that once the server has given it one.
    number: now.live?.number ? text("no. {number} of the day", { number: now.live.number }) : "\u00a0",
    turn: !now.turn ? "" : goesOn
      ? text(limit ? "round {round} of {limit} in this turn" : "round {round} in this turn", { round: rounds + 1, limit })
      : limit ? text("{rounds} of {limit} rounds banked", { rounds, limit }) : texts("{n} round banked", "{n} rounds banked", rounds),
    later: now.played && !now.live && !known.byEye
      ? text("Settle by the felt: the pay and take lines are calculated once back online.")
      : text("Recorded on this tablet; sent once back online."),
  });
  if (!lost) words.querySelector(".because").remove();
  // The place of what the server will say of the bank's cover, so that nothing moves when it does.
  if (!lost && now.live && !known.house) words.append(Object.assign(document.createElement("div"), { id: "cover", className: "cover-box" }));
  const meter = centre.querySelector(".meter");
  if (meter) words.append(meter);
  centre.replaceChildren(words);
}

function drawSeat({ seat, place }, now, known, settled) {
  const card = document.querySelector(`.seat[data-seat="${seat}"]`), panel = document.getElementById(`panel-${seat}`);
  const bank = (now.live?.bank ?? now.turn?.seat) === seat;
  const bet = betAt(now, place);
  const asked = now.phase === "offer" && now.offers.order[0] === seat;
  const line = card.querySelector(".back-line");
  if (!settled) keepOnly(card, ".seat-touch, header");
  emptied(panel);
  card.querySelectorAll("header .tag, .coin").forEach((each) => each.remove());
  if (!settled) {
    card.classList.toggle("bank", bank);
    card.classList.toggle("plays", Boolean(bet));
  }
  card.classList.toggle("asked", asked);
  card.classList.remove("lit", "chosen");
  if (bank && !settled) {
    card.append(fill(part("offline-bank"), { wager: now.live ? dollarsOf(now.live.wager) : "" }));
    panel.querySelector("header [data-close]").before(tag("accent", "◉", "BANK"));
  }
  if (asked) card.querySelector("header").append(tag("look", "▶", "offer"));
  const before = now.phase === "offer" ? now.offers.order.slice(0, now.offers.order.indexOf(seat)) : [];
  if (before.length && now.offers.order.includes(seat)) panel.append(takes(seat, before, now, known));
  if (now.live) drawBets(card, panel, place, bank, bet, now, known);
  else if (now.phase === "ready" && !settled) drawAgain(card, place, now, known);
  if (line) card.append(line);
}

function drawBets(card, panel, place, bank, bet, now, known) {
  if (!bank) {
    card.append(part("offline-coin", place));
    card.append(part(now.phase === "betting" && !known.crowded ? "offline-spots" : "offline-bets", place));
    if (now.phase !== "cards" || !bet) card.append(Object.assign(document.createElement("p"), { className: "worst" }));
  }
  for (const [kind, ...spots] of [["wagers", ...known.spots], ["tips", ...known.spots.filter((spot) => spot.tip)]])
    for (const { id } of spots) sayBet(card, place, kind, id, bet);
  if (now.phase === "betting" && !bank) drawEntry(panel, place, bet);
  if (now.phase === "cards" && known.each && (bank || bet)) drawDealt(card, panel, place, bank, bet, known, now.live.shown);
}

/** A bettor on the back line of a seat: the wagers by their spots on their button, and their panel. */
function drawBehind({ place, seat }, now, known) {
  const panel = document.getElementById(`panel-${place}`), button = document.querySelector(`[data-behind="${place}"]`);
  const bets = now.live ? now.live.bets : now.phase === "ready" ? repeated(now, known, bankOf(now, known)) : [];
  const bet = bets.find((each) => each.place === place);
  emptied(panel);
  button.nextElementSibling?.remove();
  button.querySelector(".seat-net, [data-behind-bets]").remove();
  button.append(Object.assign(document.createElement("span"), { className: "behind-bets" }));
  button.lastChild.dataset.behindBets = "";
  sayBehind(button, known.spots.filter(({ id }) => bet?.wagers[id]).map(({ id, name }) => [name, dollarsOf(bet.wagers[id])]));
  if (now.phase === "betting" && now.live.bank !== seat) drawEntry(panel, place, bet);
}

function emptied(panel) {
  keepOnly(panel, "header");
  panel.querySelectorAll("header .tag").forEach((each) => each.remove());
  panel.classList.remove("shown");
}

const betAt = (now, place) => now.live?.bets.find((each) => each.place === place);

/** The wagers that betting opens with again. */
function drawAgain(card, place, now, known) {
  const bet = repeated(now, known, bankOf(now, known)).find((each) => each.place === place);
  if (!bet) return;
  card.append(part("offline-bets", place), Object.assign(document.createElement("p"), { className: "worst", textContent: text("last bet") }));
  card.querySelector(".bets").classList.add("again");
  for (const { id } of known.spots) sayBet(card, place, "wagers", id, bet);
}

/** "Seats 4, 5 declined · seat 6 banks", in one press. */
function takes(seat, before, now, known) {
  const form = fill(part("offline-takes", seat), { declined: texts("Seat {seats} declined", "Seats {seats} declined", before.length, { seats: before.join(", ") }) });
  form.querySelector("form").append(hidden("version", now.version), hidden("idempotency_key", freshKey()));
  const why = placeOf(known, seat)?.mayNotBank;
  if (why) grey(form.querySelector("button"), why);
  return form;
}

function sayBet(card, place, kind, spot, bet) {
  if (kind === "tips") {
    const coin = card.querySelector("[data-tips]"), cents = Object.values(bet?.tips || {}).reduce((sum, tip) => sum + tip, 0);
    coin?.classList.toggle("none", !cents);
    if (coin) coin.querySelector("b").textContent = dollarsOf(cents);
    return;
  }
  const shown = card.querySelector(`[data-bet="wagers-${place}-${spot}"]`), cents = bet?.wagers[spot];
  shown?.classList.toggle("none", !cents);
  if (shown) shown.querySelector("b").textContent = cents ? dollarsOf(cents) : "–";
}

function drawEntry(panel, place, bet) {
  panel.append(part("offline-entry", place));
  for (const kind of ["wagers", "tips"])
    for (const [spot, cents] of Object.entries(bet?.[kind] || {})) {
      const field = panel.querySelector(`[name="${kind}-${place}-${spot}"]`);
      if (field) field.value = field.defaultValue = typedOf(cents);
    }
}

function drawDealt(card, panel, place, bank, bet, known, shown) {
  card.append(Object.assign(document.createElement("div"), { className: "seat-cards" }));
  card.lastElementChild.dataset.cards = place;
  if (!bank && known.decisions.length) card.append(part("offline-decision", place));
  card.toggleAttribute("data-folds-unseen", !bank && Object.keys(bet.wagers).every((wager) => known.givenUp.includes(wager)));
  panel.append(part("offline-dealt", place));
  const hand = panel.querySelector("[data-hand]");
  hand.name = bank ? "bank_hand" : `hand-${place}`;
  if (bank) {
    panel.querySelector("label").textContent = text("The bank’s cards");
    Object.assign(hand.dataset, { least: known.bankCards, most: known.bankCards });
  }
  if (bank && shown) hand.value = hand.defaultValue = shown;
  if (bank || !known.lateTip || !bet.tips?.[known.lateTip.after]) panel.querySelector("[data-late-tip]")?.remove();
}

function drawPicker(now, known) {
  if (now.phase === "cards" && known.tableHands.some((hand) => hand.liesApart)) document.querySelector(".middle").append(part("offline-hands"));
  document.querySelector(".middle").append(part("offline-picker"));
  const { shown } = now.live;
  const form = document.getElementById("shown");
  if (now.phase === "dropped") {
    const deals = Object.assign(document.createElement("p"), { className: "deals", textContent: text(known.showsCard ? "The player-dealer’s exposed card records the deal" : "The first card records the deal") });
    document.querySelector("#picker .picker-keys").replaceWith(deals);
    form.remove();
  } else if (known.showsCard && !known.byEye)
    for (const [name, value] of [["version", now.version], ["idempotency_key", freshKey()]]) form.append(hidden(name, value));
  else document.querySelector("#picker [data-pick=shown]").remove(), form.remove();
  if (now.phase === "cards" && known.showsCard && !shown) document.getElementById("picker").dataset.shownDue = "";
  const { bank } = now.live;
  Object.assign(document.getElementById("picker").dataset, { order: handsInOrder(now.live, known).join(","), ...(known.each && bank ? { bank } : {}) });
}

/** The hands in the order in which their cards are asked for: a board first, then as settling goes, the bank last. */
function handsInOrder({ bank, bets, actionSeat }, known) {
  const table = known.tableHands.map(({ id }) => id);
  if (!known.each) return table;
  const seats = [...new Set(bets.map(({ seat }) => seat))], felt = known.tableHands.filter(({ liesApart }) => liesApart).map(({ id }) => id);
  if (known.house) return [...felt, ...seats.sort((one, other) => (known.backwards ? other - one : one - other)), ...table.filter((id) => !felt.includes(id))];
  const count = document.querySelectorAll(".seat").length, way = known.counterClockwise ? -1 : 1, first = actionSeat || bank + way;
  const place = (seat) => (way * (seat - first) + 2 * count) % count;
  return [...felt, ...seats.sort((one, other) => place(one) - place(other)), bank];
}

function drawStep(now, known) {
  const next = document.querySelector(".next");
  keepOnly(next, ".tools");
  const bank = now.live?.bank ?? now.turn?.seat, asked = now.offers?.order[0];
  const step = part(`offline-step-${now.phase}`);
  const quoted = now.live ? quoteOf(now.live.bets, known, now.live) : null;
  fill(step, {
    bank: bank ?? "", "bank-name": nameAt(known, bank), why: now.why || "",
    accepted: text("Accepted: seat {seat} banks", { seat: asked }), again: text("Seat {seat} banks again", { seat: bank }),
    renews: now.offers?.then === "renew" && now.offers.renews ? text("seat {seat} banks again", { seat: bank }) : "",
    "takes-over": text("{player} takes the bank over at seat {number}?", { player: nameAt(known, asked), number: asked ?? "" }),
    asked: asked ?? "", "asked-name": nameAt(known, asked), "may-not": placeOf(known, asked)?.mayNotBank || "",
    ...(quoted ? sums(quoted) : {}), "drop-deal": known.schedule && quoted ? text(quoted.jackpot ? "Drop {drop} into the box, {jackpot} into the jackpot’s, then deal" : "Drop {drop} into the box, then deal", { drop: dollarsOf(quoted.drop), jackpot: dollarsOf(quoted.jackpot || 0) }) : text("Deal"),
  });
  if (!known.schedule) step.querySelectorAll("[data-fees]").forEach((each) => each.remove());
  if (!known.rake) step.querySelectorAll("[data-rake]").forEach((each) => each.remove());
  else if (now.live) fill(step, { rake: rakeOf(now.live.bets, known.rake) });
  const form = step.querySelector("#step"), back = step.querySelector(".take-back");
  const left = now.closedAt ? TAKE_BACK_MS - (Date.now() - Date.parse(now.closedAt)) : 0;
  if (left > 0) back && (back.dataset.left = left);
  else back?.remove();
  for (const each of step.querySelectorAll("form")) each.append(hidden("version", now.version), hidden("idempotency_key", freshKey()));
  next.prepend(step);
  const typed = typedLine(now, known);
  if (typed) {
    next.append(part("offline-command"));
    document.getElementById("command").placeholder = typed;
  }
  if (now.phase === "offer") offerStep(form, asked, known, now);
  if (now.phase === "ready") readyStep(form, now, known);
  if (now.phase === "betting") showFees();
  if (now.phase === "by_eye") byEyeStep(next, now.live.bets, known);
}

/** Leave what the wagers allow: places that have one, spots where one lies or may follow, and what may follow it. */
function byEyeStep(next, bets, known) {
  const at = new Map(bets.map(({ place, wagers }) => [place, wagers]));
  const lies = (place, id) => {
    const after = known.later.find((each) => each.id === id)?.of, as = known.laid.find((each) => each.id === id)?.equals;
    return Boolean(at.get(place)?.[after || as || id]);
  };
  for (const option of [...next.querySelectorAll("[name=ran_out_at] option[value]:not([value=''])")]) {
    const [place, spot] = option.value.split(" ");
    const more = known.laid.filter(({ id }) => lies(place, id)).length > 1;
    if (!at.has(place) || (spot && !(more && lies(place, spot)))) option.remove();
  }
  for (const field of [...next.querySelectorAll("[data-later]")])
    if (!at.get(field.dataset.later)?.[field.dataset.of]) field.remove();
}

/** What a line of typing may say now; "" for nothing. */
function typedLine({ phase }, known) {
  if ((phase === "ready" && known.house) || (phase === "dropped" && known.byEye)) return "";
  if (phase === "dropped") return known.typedFirst;
  return phase === "cards" ? known.typedCards : TYPED[phase] || "";
}

function offerStep(form, asked, known, now) {
  form.elements.seat.value = asked;
  // Where all decline as a rule, that is the large button, and who accepts is asked once; see step_offer.html.
  const usual = known.declines && now.turn?.seat === known.turn?.seat && now.offers.then === "renew" && now.offers.renews;
  const other = usual ? form.querySelector(":scope > [value=accepted]") : form.querySelector(".accepts");
  other.remove();
  if (usual) {
    form.classList.add("declines");
    form.querySelector("#all-declined").classList.add("primary");
    form.querySelector("#all-declined").dataset.next = "";
  }
  const why = placeOf(known, asked)?.mayNotBank;
  if (why) grey(form.querySelector("[value=accepted]"), why);
}

function readyStep(form, now, known) {
  const wager = form.elements.bank_wager_cents; // none where the house banks
  if (wager) wager.value = wager.defaultValue = typedOf(now.bankWager);
  if (!repeated(now, known, bankOf(now, known)).length) form.querySelector("[data-repeat]").remove();
}

/** Show the fees of the wagers in the fields, on the button and beside it. */
export function showFees() {
  const form = document.getElementById("step"), closing = document.getElementById("closing");
  const known = offlineState(), live = drawn?.live ?? known.live;
  if (!form || !closing || !live || !known.runs) return;
  const fields = new Map(new FormData(form));
  const bets = betsIn(fields, live, known), quoted = quoteOf(bets, known, live), why = whyNotClose(fields, bets, known);
  const parts = fill(part("offline-closing"), sums(quoted));
  // The bank's exposure is not computed here; the server's figure for other wagers would mislead.
  document.getElementById("cover")?.replaceChildren();
  document.querySelectorAll(".worst").forEach((each) => each.replaceChildren());
  fill(parts, { close: [text("No more bets"), known.schedule && bets.length && text(quoted.jackpot ? "drop {drop} + jackpot {jackpot}" : "drop {drop}", { drop: dollarsOf(quoted.drop), jackpot: dollarsOf(quoted.jackpot || 0) })].filter(Boolean).join(" · "), computed: why || text("Computed on this tablet.") });
  if (!known.schedule) parts.querySelectorAll("[data-fees]").forEach((each) => each.remove());
  if (known.rake && bets.length) fill(parts, { rake: rakeOf(bets, known.rake) });
  else parts.querySelectorAll("[data-rake]").forEach((each) => each.remove());
  parts.querySelector("[name=quoted_cents]").value = quoted.collected;
  if (why) grey(parts.querySelector("#close-bets"), why);
  closing.replaceChildren(parts);
}

const sums = (quoted) => ({
  action: dollarsOf(quoted.action), band: quoted.band ? `(${quoted.band})` : "",
  fees: text("players {players} + bank {bank} = {drop}", { players: dollarsOf(quoted.players), bank: dollarsOf(quoted.bank), drop: dollarsOf(quoted.drop) }),
});

/** The house rake as text, if no hand is dead; it is taken at settlement. */
function rakeOf(bets, { hand, bank }) {
  const players = hand * bets.length;
  const owed = [players && text("players {amount}", { amount: dollarsOf(players) }), bank && text("bank {amount}", { amount: dollarsOf(bank) })].filter(Boolean);
  return owed.join(" + ") + (owed.length > 1 ? ` = ${dollarsOf(players + bank)}` : "");
}

/** The player's own place at a seat. */
const placeOf = (known, seat) => known.places.find(({ place }) => place === String(seat));
const nameAt = (known, seat) => placeOf(known, seat)?.player || "";

function keepOnly(root, selector) {
  [...root.children].filter((child) => !child.matches(selector)).forEach((child) => child.remove());
}

function tag(tone, shape, word) {
  const made = document.createElement("span"), sign = document.createElement("span");
  made.className = `tag ${tone}`;
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = shape;
  made.append(sign, ` ${word}`);
  return made;
}

const hidden = (name, value) => Object.assign(document.createElement("input"), { type: "hidden", name, value });

/** Disable a button with a reason that is shown when it is touched; see disabled_reason.js. */
export function grey(button, why) {
  button.setAttribute("aria-disabled", "true");
  button.dataset.why = why;
}
