/* The sheet by which somebody is seated: it opens over the half of the felt that the touched seat is not on, with keys of its
   own, so that nothing covers who was found. Whoever is touched sits at once; the server says who may. */
import { released } from "./screen.js";
import { text } from "./texts.js";

const PAUSE_MS = 150;
/** It lies beside the seat where there is so much room; else above or below it on a felt that is wide, and beside it on one that is not. */
const ENOUGH = 700, MOST_WIDTH = 820, WIDE = 900, LEAST = 420, GAP = 8;
/** On a phone it covers the seats, and the phone's own keyboard writes. */
const PHONE = window.matchMedia("(width < 43.75em)");
const TOUCHED = window.matchMedia("(pointer: coarse)");

const sheet = () => document.getElementById("sheet");
const part = (name) => sheet().querySelector(`[data-part=${name}]`);
const field = () => document.getElementById("sheet-search");

let asked = 0, soon = 0;

/** Whether a touched place is a free seat that opens the sheet. */
export const opensSheet = (touch) => Boolean(touch?.dataset.sheet && sheet());

export function openSheet(touch, search = "") {
  const box = sheet();
  const seat = touch.dataset.touch;
  box.dataset.seat = seat;
  box.dataset.address = touch.dataset.sheet;
  part("title").textContent = text("Seat {seat}", { seat });
  field().value = search;
  field().inputMode = TOUCHED.matches && !PHONE.matches ? "none" : "search";
  for (const name of ["results", "ways"]) part(name).replaceChildren();
  waits("");
  drawKeys();
  box.hidden = false;
  place();
  if (PHONE.matches) part("title").focus();
  else field().focus();
  ask();
}

export function closeSheet() {
  if (!sheet() || sheet().hidden) return false;
  sheet().hidden = true;
  asked += 1;
  return true;
}

/** Figures and letters row by row; beside the last ones stand the keys that the page brings along. */
function drawKeys() {
  const keys = part("keys");
  const [space, back] = keys.querySelectorAll("[data-key]");
  if (keys.querySelector("[data-letter]")) return;
  const rows = keys.dataset.rows.split(" ").map((letters) => {
    const row = document.createElement("div");
    row.className = "letters-row";
    row.append(...[...letters].map((letter) => {
      const key = Object.assign(document.createElement("button"), { type: "button", textContent: letter });
      key.dataset.letter = letter.toLowerCase();
      return key;
    }));
    return row;
  });
  rows.at(-1).prepend(space);
  rows.at(-1).append(back);
  keys.replaceChildren(...rows);
}

/** Put the sheet beside the seat, or where there is too little room above or below it; never over it. */
function place() {
  const box = sheet();
  if (box.hidden) return;
  box.removeAttribute("style");
  if (PHONE.matches) return;
  const felt = box.parentElement.getBoundingClientRect();
  const seat = document.querySelector(`.seat[data-seat="${box.dataset.seat}"]`).getBoundingClientRect();
  const [left, right] = [seat.left - felt.left, felt.right - seat.right].map((room) => room - 2 * GAP);
  const set = (edges) => Object.entries(edges).forEach(([name, value]) => box.style.setProperty(name, `${value}px`));
  if (Math.max(left, right) >= (felt.width >= WIDE ? ENOUGH : LEAST)) {
    set({ top: GAP, bottom: GAP, width: Math.min(MOST_WIDTH, Math.max(left, right)) });
    return set(left > right ? { left: GAP } : { right: GAP });
  }
  set({ width: Math.min(2 * MOST_WIDTH, felt.width - 2 * GAP), left: GAP });
  const [above, below] = [seat.top - felt.top, felt.bottom - seat.bottom];
  set(above > below ? { top: GAP, bottom: felt.bottom - seat.top + GAP } : { bottom: GAP, top: seat.bottom - felt.top + GAP });
}

/** Say why nobody can be seated now; nothing: somebody can. */
function waits(why) {
  part("waits").textContent = why;
  part("waits").hidden = !why;
  part("body").hidden = Boolean(why);
}

/** Ask the server who may sit here: all of the sheet, or (`only`) the results. */
async function ask(query = {}, only = false) {
  const mine = ++asked;
  const address = new URL(sheet().dataset.address, location.href);
  for (const [name, value] of Object.entries({ search: field().value, ...query })) address.searchParams.set(name, value);
  if (only) address.searchParams.set("results", "");
  let html = "";
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (answer.redirected || !answer.ok) throw new Error(answer.status);
    html = await answer.text();
  } catch {
    if (mine === asked && sheet()) waits(text("Seating waits: the server cannot be reached, and it says who may sit here. Try again once back online."));
    return;
  }
  await released(); // what a touch has begun on is not replaced under it
  if (mine !== asked || !sheet() || sheet().hidden) return;
  const answer = new DOMParser().parseFromString(html, "text/html");
  for (const name of ["results", "ways"]) {
    const drawn = answer.querySelector(`[data-part=${name}]`);
    if (drawn) part(name).replaceChildren(...drawn.childNodes);
  }
  part("count").textContent = answer.querySelector("[data-part=results]").dataset.count;
  part("results").scrollTop = 0;
}

function searched() {
  clearTimeout(soon);
  asked += 1;
  soon = setTimeout(ask, PAUSE_MS, {}, true);
}

function write(value) {
  field().value = value;
  searched();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("#sheet")) return;
  const button = event.target.closest("button");
  if (!button) return;
  if ("closeSheet" in button.dataset) return document.dispatchEvent(new CustomEvent("sheet:close"));
  if (button.dataset.letter) write(field().value + button.dataset.letter);
  if (button.dataset.key === "space") write(`${field().value} `);
  if (button.dataset.key === "back") write(field().value.slice(0, -1));
  if (button.dataset.key === "clear") write("");
  if (button.dataset.from === "here") { field().value = ""; ask({ here: "" }, true); }
});
/* A call or a no-show is of the room's list: the sheet stays open, and shows what has become of it. */
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("#sheet form[data-waiting]")) return;
  event.preventDefault();
  try {
    await fetch(event.target.action, { method: "POST", body: new FormData(event.target), headers: { Accept: "text/html" } });
  } catch { /* asked anew, the sheet says that the server cannot be reached */ }
  ask();
});
document.addEventListener("input", (event) => { if (event.target === field()) searched(); });
window.addEventListener("resize", () => { if (sheet()) place(); });
