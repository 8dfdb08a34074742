/* Command line of the table page: typed commands for the current phase, Enter for the next step. All typing goes here.
   A step that asks somebody ([data-asks]: an answer to an offer, "no more bets") is not pressed by Enter: it has
   commands. */
import { pressTyped } from "./press_delay.js";
import { text } from "./texts.js";

const field = () => document.getElementById("command");
const reply = () => document.getElementById("command-text");
const phase = () => document.getElementById("screen")?.dataset.phase;
const next = () => document.querySelector("[data-next]");
const MONEY = /^\$?(\d{1,3}(,\d{3})+|\d+)(\.\d{0,2})?$/;

function answer(words, wrong) {
  reply().textContent = words;
  reply().classList.toggle("wrong", Boolean(wrong));
  field().setAttribute("aria-invalid", String(Boolean(wrong)));
  if (!wrong) field().value = "";
  else field().select(); // what is typed next takes its place
  return !wrong;
}

function put(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/* "4 20 0 5", "4 20+1 5" with a tip beside the ante, "4 out"; "nmb" for no more bets. Wagers not named are not placed. */
function bets(line) {
  if (/^nmb$/i.test(line)) {
    answer("");
    pressTyped(next());
    return true;
  }
  const [seat, ...amounts] = line.split(/\s+/);
  const isPlace = /^\d+[b-h]?$/i.test(seat);
  const panel = isPlace ? document.getElementById(`panel-${seat.toLowerCase()}`) : null;
  const spots = panel ? [...panel.querySelectorAll("input[name^=wagers-]")] : [];
  if (!spots.length) return answer(isPlace ? text("Seat {seat} has no place to wager.", { seat }) : text("Begin with the seat: 4 20 0 5."), true);
  if (spots[0].disabled) return answer(text("These wagers are not yours to place."), true);
  if (!amounts.length) return answer(text("Seat {seat}: amounts in the order of the layout, 0 for none, or out.", { seat }), true);
  const out = amounts[0].toLowerCase() === "out";
  if (!out && amounts.length > spots.length) return answer(text("Seat {seat} has {spots} spots; these are {amounts} amounts.", { seat, spots: spots.length, amounts: amounts.length }), true);
  const read = out ? [] : amounts.map((word) => (word === "-" ? ["0", ""] : [word.split("+")[0], word.split("+")[1] || ""]));
  const odd = read.flat().find((amount) => amount && !MONEY.test(amount));
  if (odd) return answer(text("“{typed}” is no amount in dollars. Write 10 or 7.50.", { typed: odd }), true);
  const tips = spots.map((spot) => panel.querySelector(`input[name="${spot.name.replace("wagers-", "tips-")}"]`));
  const tipless = read.findIndex(([, tip], at) => tip && !tips[at]);
  if (tipless >= 0) return answer(text("There is no tip beside that wager."), true);
  spots.forEach((spot, at) => {
    const [amount, tip] = read[at] || ["", ""];
    put(spot, /^\$?0+$/.test(amount) ? "" : amount.replace(/^\$/, ""));
    if (tips[at]) put(tips[at], tip.replace(/^\$/, ""));
  });
  answer(out ? text("Seat {seat} sits out", { seat }) : text("Seat {seat}: {done}", { seat, done: amounts.join(" · ") }));
  document.dispatchEvent(new CustomEvent("amount:entered"));
  return true;
}

function bankWager(line) {
  const input = document.querySelector("input[name=bank_wager_cents][id^=openround]");
  if (!MONEY.test(line)) return answer(text("“{typed}” is no amount in dollars. Write 200.", { typed: line }), true);
  put(input, line.replace(/^\$/, ""));
  answer("");
  pressTyped(next());
  return true;
}

function offer(line) {
  const word = line.toLowerCase();
  if (/^all\s+n(o)?$/.test(word)) {
    answer("");
    pressTyped(document.getElementById("all-declined"));
    return true;
  }
  const value = { y: "accepted", yes: "accepted", n: "declined", no: "declined", a: "absent", absent: "absent" }[word];
  if (!value) return answer(text("“{typed}” is no answer. Write y, n, absent or all n.", { typed: line }), true);
  answer("");
  pressTyped(document.querySelector(`.answers button[value=${value}]`));
  return true;
}

function renewal(line) {
  if (!/^y(es)?$/i.test(line)) return answer(text("“{typed}” is no answer. Write y.", { typed: line }), true);
  answer("");
  pressTyped(next());
  return true;
}

function cards(line) {
  const entry = { line };
  document.dispatchEvent(new CustomEvent("cards:line", { detail: entry }));
  return answer(entry.wrong || entry.done, entry.wrong);
}

/* A line that was taken before the screen that reads it, and could not be read there. */
document.addEventListener("command:refused", (event) => {
  field().value = event.detail.line;
  answer(event.detail.wrong, true);
});

const READ = { offer, renew: renewal, ready: bankWager, betting: bets, dropped: cards, cards };
/* The message when Enter has no meaning. */
const ASKS = { offer: text("Touch the answer, or type y, n, absent or all n."), renew: text("Touch it, or type y."), betting: text("Touch “No more bets”, or type nmb.") };

function goOn() {
  if (!next()?.hasAttribute("data-asks")) next()?.click();
  else if (reply()) reply().textContent = ASKS[phase()];
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !phase() || document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (target === field()) {
    if (event.key === "Escape") { answer(""); (next()?.hasAttribute("data-asks") ? document.querySelector(".next") : next())?.focus(); }
    if (event.key !== "Enter") return;
    event.preventDefault();
    const line = field().value.trim();
    const taken = line && !document.dispatchEvent(new CustomEvent("command:line", { detail: line, cancelable: true }));
    if (taken) answer("");
    else if (line) READ[phase()](line);
    else goOn();
    return;
  }
  if (target.closest("input, select, textarea, [contenteditable], dialog, details.menu[open]")) return;
  if (event.key === "Enter" && target.matches("body, #main, .next")) { event.preventDefault(); goOn(); }
  /* The character itself goes into the field, which has the focus by the time it is typed. */
  else if (event.key.length === 1 && event.key !== " " && field()) {
    field().focus();
    if (field().getAttribute("aria-invalid") === "true") field().select();
  }
});
document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  reply().textContent = "";
  reply().classList.remove("wrong");
  field().setAttribute("aria-invalid", "false");
});

/* After every change of the screen the next step gets the focus, unless an error or question needs attention first. */
function bind(event) {
  if (!phase() || event?.detail?.confirms) return; // what had the focus keeps it: see screen.js
  const wrong = [...document.querySelectorAll("#screen [aria-invalid=true]")].find((input) => input.checkVisibility());
  const refusal = document.querySelector("#screen .banner[role=alert]");
  const asks = [...document.querySelectorAll(".go select, .go input[name=player], .bank-field input")].find((input) => !input.value && !input.disabled);
  const step = next()?.hasAttribute("data-asks") ? document.querySelector(".next") : next();
  (wrong || refusal || asks || step)?.focus({ preventScroll: true });
}

bind();
document.addEventListener("screen:shown", bind);
