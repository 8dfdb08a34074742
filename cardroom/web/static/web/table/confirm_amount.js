/* An amount that is far from the player's last one on that spot, or more than the bank has, is asked about once before it
   goes on: a slip of a finger on the keypad is seen while the chips still lie there. So is a bank whose wager is below the
   largest main wager, before "no more bets" (ruling 54). The answer is kept for the round in play. An amount outside the
   limits of its wager, or a bank's wager below its least, has no answer but another amount: it is refused at once, as the
   server would refuse it. */
import { centsOf, dollarsOf } from "./fees.js";
import { limitsOf, outside } from "./offline/reducer.js";
import { drawnState } from "./offline/render.js";
import "./press_delay.js"; // its listener comes first: a resting step asks nothing
import { offlineState } from "./screen.js";
import { text } from "./texts.js";

/** The multiple of the last amount that counts as unusual. */
const TIMES = 5;
/** Milliseconds for which a new question ignores touches: it may appear under a finger. */
const REST_MS = 600;
const FIELDS = "input[name^=wagers-], input[name^=tips-], .go input[name=bank_wager_cents]";

const answered = new Set();
let asked = null;
let askedAt = 0;

const screen = () => document.getElementById("screen");
const roundKey = () => screen().dataset.round || screen().dataset.version;
const keyOf = (input) => `${roundKey()}:${input.name}:${centsOf(input.value)}`;

/** Why an entered amount is unusual, as text; "" if it is not. */
function unusual(input) {
  const cents = centsOf(input.value);
  if (!cents || input.disabled || input.value === input.defaultValue) return "";
  const now = drawnState() ?? offlineState();
  const [kind, place, spot] = placeOf(input);
  if (!place) return times(cents, now.bankWager, text("the last bank wager"));
  const player = input.closest(".seat-panel").querySelector("header b").textContent;
  const last = now.last.find((bet) => bet.place === place && bet.player === player);
  const bank = now.live?.wager;
  if (bank && cents > bank) return text("more than the bank’s {wager} can cover", { wager: dollarsOf(bank) });
  return times(cents, last?.[kind]?.[spot] || centsOf(input.defaultValue), text("the last bet there"));
}

/** What the field of a wager or tip is for: [kind, place, spot]. */
const placeOf = (input) => (/^(wagers|tips)-(\w+?)-(\w+)$/.exec(input.name) || []).slice(1);

/** Why an entered amount is refused, as text; "" if it is not. */
function refused(input) {
  const cents = centsOf(input.value), [kind, place, spot] = placeOf(input), known = offlineState();
  return !cents || input.disabled ? "" : outside(cents, place ? limitsOf(kind, spot, known) : [known.leastBank ?? 0, null]);
}

/** The question about a bank whose wager is below the largest main wager; null where there is none, or it was answered. */
function smallBank() {
  const { live } = drawnState() ?? offlineState(), { spots } = offlineState();
  const mains = new Set(spots.filter(({ main }) => main).map(({ id }) => id));
  const laid = [...document.querySelectorAll("input[name^=wagers-]")].filter((input) => !input.disabled && mains.has(placeOf(input)[2]));
  const input = laid.reduce((most, each) => ((centsOf(each.value) || 0) > (centsOf(most?.value || "") || 0) ? each : most), null);
  const cents = input && centsOf(input.value), key = `${roundKey()}:bank:${live?.wager}:${cents}`;
  if (!live?.wager || !cents || live.wager >= cents || answered.has(key) || answered.has(keyOf(input))) return null;
  const words = text("The player-dealer wager of {wager} is below the largest main wager of {largest}. Go on?", { wager: dollarsOf(live.wager), largest: dollarsOf(cents) });
  return { input, key, words, yes: text("Yes, go on"), isBank: true };
}

const times = (cents, last, what) => (last && cents >= TIMES * last ? text("{times} times {what}, {amount}", { times: Math.floor(cents / last), what, amount: dollarsOf(last) }) : "");

const nameOf = (input) => {
  const label = input.labels?.[0]?.textContent.replace("◎", "").trim() || "";
  const seat = input.closest(".seat-panel")?.dataset.panel;
  return seat ? text("Seat {seat}, {label}", { seat, label }) : label;
};

/**
 * Refuse the first amount that is outside its limits, or ask about the first one that is unusual and was not asked about;
 * `but`, the one being entered, is left alone.
 */
function look(but = null) {
  const entered = [...document.querySelectorAll(FIELDS)].filter((input) => input !== but);
  const found = entered.find(refused) || entered.find((input) => !answered.has(keyOf(input)) && unusual(input));
  if (found) open(questionOf(found));
  else close();
  return Boolean(found);
}

/** The question about an entered amount, or why it is refused. */
function questionOf(input) {
  const amount = dollarsOf(centsOf(input.value)), no = refused(input), field = nameOf(input);
  const words = no
    ? text("{field}: {amount} is {why}.", { field, amount, why: no })
    : text("{field}: {amount} is {why}. Is {amount} right?", { field, amount, why: unusual(input) });
  return { input, key: keyOf(input), words, no, yes: text("Yes, {amount}", { amount }) };
}

function open(question) {
  if (asked?.key !== question.key || !box()) ask(question);
}

const box = () => document.getElementById("confirm-amount");

function close() {
  asked = null;
  box()?.remove();
}

function ask(asking) {
  close();
  const { no, words, yes } = asking;
  asked = asking;
  askedAt = performance.now();
  const question = document.createElement("div");
  question.id = "confirm-amount";
  question.className = `banner ${no ? "stop" : "look"}`;
  question.tabIndex = -1;
  question.setAttribute("role", "alertdialog");
  question.setAttribute("aria-labelledby", "confirm-amount-text");
  const message = Object.assign(document.createElement("p"), { id: "confirm-amount-text", textContent: words });
  question.append(sign(no ? "✕" : "▲"), message, ...(no ? [] : [button(yes, "yes")]), button(text("Change it"), "change"));
  screen().querySelector(".notices").append(question);
}

const sign = (shape) => Object.assign(document.createElement("span"), { className: "shape", ariaHidden: "true", textContent: shape });

function button(label, answer) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: label });
  made.dataset.confirm = answer;
  return made;
}

function reply(answer) {
  const { input, key, isBank } = asked;
  close();
  if (answer === "yes") {
    answered.add(key);
    if (!look() && document.activeElement === document.body) document.querySelector(".next")?.focus({ preventScroll: true });
  } else if (isBank && openBankWager()) return;
  else if (input.closest(".seat-panel")) document.dispatchEvent(new CustomEvent("seat:spot", { detail: input.name }));
  else input.focus();
}

/** Open the form that changes the bank's wager, in the menu of the table's actions; false offline, where it has to wait. */
function openBankWager() {
  const form = drawnState() ? null : document.getElementById("command-bank-wager");
  if (!form) return false;
  const menu = form.closest("details.menu");
  // An opened menu focuses its first field (menus.js).
  menu.addEventListener("toggle", () => form.querySelector("input:not([type=hidden])").focus(), { once: true });
  // After this click, which closes every menu that is open.
  setTimeout(() => { form.open = menu.open = true; });
  return true;
}

/* An open question blocks the next step until it is answered. */
window.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-confirm]");
  if (chosen && performance.now() - askedAt > REST_MS) reply(chosen.dataset.confirm);
  if (!event.target.closest("#close-bets, #place-bets, form[data-command=bank] [data-next]")) return;
  if (!look()) {
    const small = event.target.closest("#close-bets") && smallBank();
    if (!small) return;
    open(small);
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  box().focus({ preventScroll: true });
}, true);
/* An amount has been entered: another spot or seat is chosen, a panel is closed, a line was typed. */
document.addEventListener("amount:entered", (event) => look(event.detail));
document.addEventListener("command:line", (event) => {
  const answer = { y: "yes", yes: "yes", n: "change", no: "change" }[event.detail.toLowerCase()];
  if (!asked || !box() || !answer || (answer === "yes" && asked.no)) return;
  event.preventDefault();
  reply(answer);
});
document.addEventListener("screen:shown", () => { asked = null; });
