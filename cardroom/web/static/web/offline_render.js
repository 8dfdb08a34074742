// Renders the table while offline, in its state after the queued acts, from templates that came with the page
// (templates/web/table/offline.html). Fields and ids are those of the server's own screen, so that seats, keypad, card
// picker and command line work as usual.

import { betsIn, quoteOf, repeated, whyNotBets } from "./offline_reducer.js";
import { dollarsOf, typedOf } from "./fees.js";
import { freshKey } from "./queue.js";
import { offlineState, screen } from "./screen.js";
import { text, texts } from "./texts.js";

const TYPED = { offer: "y  n  absent  all n", renew: "y", ready: text("200  (the player-dealer wager)"), betting: text("4 20 0 5  (seat, wagers)  nmb"), dropped: "ah kd 2c", cards: text("ah kd 2c  or  4 fold") };

/** How long "no more bets" can be taken back; the server decides by its own clock. */
const TAKE_BACK_MS = 10000;

/** The state that was rendered here; null while the server's screen is shown. */
let drawn = null;

/** Return the state that was rendered here offline; null while the server's screen is shown. */
export const drawnState = () => drawn;

/** A template of the page, with the seat's number filled in. */
function part(id, seat) {
  const template = document.createElement("template");
  template.innerHTML = document.getElementById(id).innerHTML.replaceAll("{seat}", seat ?? "");
  return template.content;
}

function fill(root, words) {
  for (const [name, word] of Object.entries(words))
    root.querySelectorAll(`[data-fill="${name}"]`).forEach((each) => { each.textContent = word; });
  return root;
}

/** Render the table in the state `now` (see offline_reducer.js); `lost`: the server is not reached. */
export function draw(now, lost) {
  const known = offlineState(), root = screen();
  drawn = now;
  root.dataset.phase = now.phase;
  root.dataset.round = now.live?.round ?? `offline-${now.base}-${now.played}`;
  delete root.dataset.settlement;
  root.querySelector(".settled")?.remove();
  root.querySelector(".overlays").replaceChildren();
  if (lost) root.querySelector(".prompts")?.remove(); // only the server knows which procedure is due
  const seats = document.getElementById("seats");
  seats.className = `seats phase-${now.phase === "waits" ? "dropped" : now.phase}`;
  drawCentre(now, known, lost);
  document.getElementById("picker")?.remove();
  for (const { seat } of known.seats) drawSeat(seat, now, known);
  if (now.phase === "cards" || (now.phase === "dropped" && !known.byEye)) drawPicker(now, known);
  root.querySelectorAll(".dealer .action-seat, .dealer > form").forEach((each) => each.remove());
  if (now.phase === "betting") root.querySelector(".dealer").append(part("offline-action"));
  drawStep(now, known);
  document.dispatchEvent(new CustomEvent("screen:shown"));
}

/** Reset: the server's own screen is shown again. */
export function drop() {
  drawn = null;
}

function drawCentre(now, known, lost) {
  const bank = now.live?.bank ?? now.turn?.seat;
  const centre = screen().querySelector(".centre");
  const words = part("offline-centre");
  const goesOn = Boolean(now.live) || now.phase === "ready", limit = known.turnRounds;
  const rounds = now.turn?.rounds ?? 0;
  fill(words, {
    bank: bank ?? "", "bank-name": nameAt(known, bank), wager: now.live ? dollarsOf(now.live.wager) : "",
    turn: !now.turn ? "" : goesOn
      ? text(limit ? "round {round} of {limit} in this turn" : "round {round} in this turn", { round: rounds + 1, limit })
      : limit ? text("{rounds} of {limit} rounds banked", { rounds, limit }) : texts("{n} round banked", "{n} rounds banked", rounds),
    later: now.played && !now.live && !known.byEye
      ? text("Settle by the felt: the pay and take lines are calculated once back online.")
      : text("Recorded on this tablet; sent once back online."),
  });
  if (!lost) words.querySelector(".because").remove();
  // The place of what the server will say of the bank's cover, so that nothing moves when it does.
  if (!lost && now.live) words.append(Object.assign(document.createElement("div"), { id: "cover", className: "cover-box" }));
  centre.replaceChildren(words);
}

function drawSeat(seat, now, known) {
  const card = document.querySelector(`.seat[data-seat="${seat}"]`), panel = document.getElementById(`panel-${seat}`);
  const bank = (now.live?.bank ?? now.turn?.seat) === seat;
  const bet = now.live?.bets.find((each) => each.seat === seat);
  const asked = now.phase === "offer" && now.offers.order[0] === seat;
  keepOnly(card, ".seat-touch, header");
  keepOnly(panel, "header");
  card.querySelectorAll("header .tag, .coin, .seat-net").forEach((each) => each.remove());
  panel.querySelectorAll("header .tag").forEach((each) => each.remove());
  panel.classList.remove("shown");
  card.classList.toggle("bank", bank);
  card.classList.toggle("asked", asked);
  card.classList.toggle("plays", Boolean(bet));
  card.classList.remove("lit", "chosen");
  if (bank) {
    card.append(fill(part("offline-bank"), { wager: now.live ? dollarsOf(now.live.wager) : "" }));
    panel.querySelector("header [data-close]").before(tag("accent", "◉", "BANK"));
  }
  if (asked) card.querySelector("header").append(tag("look", "▶", "offer"));
  const before = now.phase === "offer" ? now.offers.order.slice(0, now.offers.order.indexOf(seat)) : [];
  if (before.length && now.offers.order.includes(seat)) panel.append(takes(seat, before, now, known));
  if (!now.live) return void (now.phase === "ready" && drawAgain(card, seat, now, known));
  if (!bank) {
    card.querySelector("header").append(part("offline-coin", seat));
    card.append(part(now.phase === "betting" ? "offline-spots" : "offline-bets", seat));
    if (now.phase !== "cards" || !bet) card.append(Object.assign(document.createElement("p"), { className: "worst" }));
  }
  for (const [kind, ...spots] of [["wagers", ...known.spots], ["tips", ...known.spots.filter((spot) => spot.tip)]])
    for (const { id } of spots) sayBet(card, seat, kind, id, bet);
  if (now.phase === "betting" && !bank) drawEntry(panel, seat, bet);
  if (now.phase === "cards" && (bank || bet)) drawDealt(card, panel, seat, bank, bet, known, now.live.shown);
}

/** The wagers that betting opens with again. */
function drawAgain(card, seat, now, known) {
  const bet = repeated(now, known, now.turn.seat).find((each) => each.seat === seat);
  if (!bet) return;
  card.append(part("offline-bets", seat), Object.assign(document.createElement("p"), { className: "worst", textContent: text("last bet") }));
  card.querySelector(".bets").classList.add("again");
  for (const { id } of known.spots) sayBet(card, seat, "wagers", id, bet);
}

/** "Seats 4, 5 declined · seat 6 banks", in one press. */
function takes(seat, before, now, known) {
  const form = fill(part("offline-takes", seat), { declined: texts("Seat {seats} declined", "Seats {seats} declined", before.length, { seats: before.join(", ") }) });
  form.querySelector("form").append(hidden("version", now.version), hidden("idempotency_key", freshKey()));
  const why = known.seats.find((each) => each.seat === seat)?.mayNotBank;
  if (why) grey(form.querySelector("button"), why);
  return form;
}

function sayBet(card, seat, kind, spot, bet) {
  if (kind === "tips") {
    const coin = card.querySelector("[data-tips]"), cents = Object.values(bet?.tips || {}).reduce((sum, tip) => sum + tip, 0);
    coin?.classList.toggle("none", !cents);
    if (coin) coin.querySelector("b").textContent = dollarsOf(cents);
    return;
  }
  const shown = card.querySelector(`[data-bet="wagers-${seat}-${spot}"]`), cents = bet?.wagers[spot];
  shown?.classList.toggle("none", !cents);
  if (shown) shown.querySelector("b").textContent = cents ? dollarsOf(cents) : "–";
}

function drawEntry(panel, seat, bet) {
  panel.append(part("offline-entry", seat));
  for (const kind of ["wagers", "tips"])
    for (const [spot, cents] of Object.entries(bet?.[kind] || {})) {
      const field = panel.querySelector(`[name="${kind}-${seat}-${spot}"]`);
      if (field) field.value = field.defaultValue = typedOf(cents);
    }
}

function drawDealt(card, panel, seat, bank, bet, known, shown) {
  card.append(Object.assign(document.createElement("div"), { className: "seat-cards" }));
  card.lastElementChild.dataset.cards = seat;
  if (!bank && known.decisions.length) card.append(part("offline-decision", seat));
  card.toggleAttribute("data-folds-unseen", !bank && Object.keys(bet.wagers).every((wager) => known.givenUp.includes(wager)));
  panel.append(part("offline-dealt", seat));
  const hand = panel.querySelector("[data-hand]");
  hand.name = bank ? "bank_hand" : `hand-${seat}`;
  if (bank) panel.querySelector("label").textContent = text("The bank’s cards");
  if (bank && shown) hand.value = hand.defaultValue = shown;
  if (bank || !known.lateTip || !bet.tips?.[known.lateTip.after]) panel.querySelector("[data-late-tip]")?.remove();
}

function drawPicker(now, known) {
  document.querySelector(".middle").append(part("offline-picker"));
  const { bank, bets, actionSeat, shown } = now.live;
  const form = document.getElementById("shown");
  if (now.phase === "dropped") {
    const deals = Object.assign(document.createElement("p"), { className: "deals", textContent: text(known.showsCard ? "The player-dealer’s exposed card records the deal" : "The first card records the deal") });
    document.querySelector("#picker .picker-keys").replaceWith(deals);
    form.remove();
  } else if (known.showsCard && !known.byEye)
    for (const [name, value] of [["version", now.version], ["idempotency_key", freshKey()]]) form.append(hidden(name, value));
  else document.querySelector("#picker [data-pick=shown]").remove(), form.remove();
  if (now.phase === "cards" && known.showsCard && !shown) document.getElementById("picker").dataset.shownDue = "";
  const count = document.querySelectorAll(".seat").length, first = actionSeat || bank + 1;
  const order = bets.map((bet) => bet.seat).sort((one, other) => ((one - first + count) % count) - ((other - first + count) % count));
  Object.assign(document.getElementById("picker").dataset, { order: [...order, bank].join(","), bank });
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
    asked: asked ?? "", "asked-name": nameAt(known, asked), "may-not": known.seats.find(({ seat }) => seat === asked)?.mayNotBank || "",
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
  if (TYPED[now.phase] && !(now.phase === "dropped" && known.byEye)) {
    next.append(part("offline-command"));
    document.getElementById("command").placeholder = TYPED[now.phase];
  }
  if (now.phase === "offer") offerStep(form, asked, known);
  if (now.phase === "ready") readyStep(form, now, known);
  if (now.phase === "betting") reckon();
}

function offerStep(form, asked, known) {
  form.elements.seat.value = asked;
  const why = known.seats.find(({ seat }) => seat === asked)?.mayNotBank;
  if (why) grey(form.querySelector("[value=accepted]"), why);
}

function readyStep(form, now, known) {
  form.elements.bank_wager_cents.value = form.elements.bank_wager_cents.defaultValue = typedOf(now.bankWager);
  if (!repeated(now, known, now.turn.seat).length) form.querySelector("[data-repeat]").remove();
}

/** Show the fees of the wagers in the fields, on the button and beside it. */
export function reckon() {
  const form = document.getElementById("step"), closing = document.getElementById("closing");
  const known = offlineState(), live = drawn?.live ?? known.live;
  if (!form || !closing || !live || !known.runs) return;
  const fields = new Map(new FormData(form));
  const bets = betsIn(fields, live, known), quoted = quoteOf(bets, known, live), why = whyNotBets(fields, bets, known);
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

const nameAt = (known, at) => known.seats.find(({ seat }) => seat === at)?.player || "";

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
