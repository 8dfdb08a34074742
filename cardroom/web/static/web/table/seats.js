/* Touch a seat or a spot of it: its panel opens in the middle of the page, and a spot that was touched is the target of the
   keypad. Typed values appear on the seat at once. */
import { sayBehind } from "./back_line.js";
import { aimAtNothing } from "./keypad.js";
import { closeSheet, openSheet, opensSheet } from "./sheet.js";

const panels = () => [...document.querySelectorAll(".seat-panel")];

/** Whether hands are entered: the panel of a seat is then that of its cards. */
const isDealt = () => document.getElementById("screen").dataset.phase === "cards";

const entered = () => document.dispatchEvent(new CustomEvent("amount:entered"));

/** Mark a seat as the one that was touched. */
function choose(seat) {
  document.querySelectorAll(".seat").forEach((card) => card.classList.toggle("chosen", card.dataset.seat === String(seat)));
  document.querySelectorAll("[data-touch]").forEach((touch) => touch.setAttribute("aria-expanded", String(touch.dataset.touch === String(seat))));
}

/** Open the sheet of a free seat; touched again, it closes. */
function showSheet(touch, search) {
  const again = document.querySelector(`#sheet:not([hidden])`)?.dataset.seat === touch.dataset.touch;
  hidePanels();
  if (again && search === null) return;
  choose(touch.dataset.touch);
  openSheet(touch, search ?? "");
}

/** Open the panel of a seat, at the field called `spot` if there is one; a seat that is touched again closes its panel. */
function showPanel(seat, spot = "", search = null) {
  const touch = document.querySelector(`[data-touch="${seat}"]`);
  if (opensSheet(touch)) return showSheet(touch, search);
  closeSheet();
  const shown = document.querySelector(`.seat-panel.shown`);
  if (!spot && shown && shown.dataset.panel === String(seat)) return hidePanels();
  if (shown && shown.dataset.panel !== String(seat)) entered();
  panels().forEach((panel) => panel.classList.toggle("shown", panel.dataset.panel === String(seat)));
  choose(seat);
  const panel = document.getElementById(`panel-${seat}`);
  const named = spot && panel?.querySelector(`input[name="${spot}"]:not(:disabled)`);
  const first = named || panel?.querySelector("[aria-invalid=true], input:not([type=hidden]):not(:disabled), button:not([data-close]), [data-close]");
  /* A field that already has the focus is selected again. */
  if (first === document.activeElement) first.blur();
  if (first) first.focus();
}

function hidePanels() {
  closeSheet();
  const open = document.querySelector(".seat-panel.shown");
  aimAtNothing();
  panels().forEach((panel) => panel.classList.remove("shown"));
  document.querySelectorAll(".seat.chosen").forEach((card) => card.classList.remove("chosen"));
  document.querySelectorAll("[data-touch]").forEach((touch) => touch.setAttribute("aria-expanded", "false"));
  const next = document.querySelector("[data-next]");
  (next?.hasAttribute("data-asks") ? document.querySelector(".next") : next)?.focus();
  if (open) entered();
}

const dollars = (typed) => (/^\$/.test(typed) ? typed : `$${typed}`);
const isNothing = (typed) => /^\$?0*(\.0*)?$/.test(typed.trim());

/* The seat's card repeats the values of its fields. */
function repeat(input) {
  const shown = document.querySelector(`[data-bet="${input.name}"]`);
  if (shown) {
    const none = isNothing(input.value);
    shown.querySelector("b").textContent = none ? "–" : dollars(input.value.trim());
    shown.classList.toggle("none", none);
  }
  const [, kind, seat] = /^(wagers|tips)-(\w+?)-/.exec(input.name);
  const fields = [...document.querySelectorAll(`input[name^="${kind}-${seat}-"]`)];
  const cents = fields.reduce((sum, field) => sum + Math.round((Number(field.value.replace(/[$,]/g, "")) || 0) * 100), 0);
  const amount = `$${cents / 100}`;
  const behind = kind === "wagers" && document.querySelector(`[data-behind="${seat}"]`);
  if (behind) sayBehind(behind, fields.filter((field) => !isNothing(field.value)).map((field) => [field.labels[0].textContent, dollars(field.value.trim())]));
  const coin = kind === "tips" && document.querySelector(`[data-tips="${seat}"]`);
  if (!coin) return;
  coin.classList.toggle("none", !cents);
  coin.querySelector("b").textContent = amount;
}

document.addEventListener("click", (event) => {
  const spot = event.target.closest("[data-spot]");
  if (spot) return showPanel(spot.closest(".seat").dataset.seat, spot.dataset.spot);
  const touched = event.target.closest("[data-touch]");
  if (touched) {
    /* While cards are out, a touched seat is the one whose cards come next. */
    if (isDealt()) document.dispatchEvent(new CustomEvent("cards:seat", { detail: touched.dataset.touch }));
    else showPanel(touched.dataset.touch);
  }
  if (event.target.closest("[data-close]")) hidePanels();
});
/* Who had the panel of a seat open is not asked to fill it when its player has left: a sheet opens again where one was open. */
document.addEventListener("seat:again", ({ detail: { seat, spot, search } }) => {
  if (opensSheet(document.querySelector(`[data-touch="${seat}"]`)) === (search !== null)) showPanel(seat, spot, search);
});
document.addEventListener("sheet:close", hidePanels);
document.addEventListener("seat:spot", (event) => showPanel(event.detail.split("-")[1], event.detail));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.querySelector(".seat-panel.shown, #sheet:not([hidden])") && !isDealt()) hidePanels();
  if (event.key !== "Enter" || !event.target.matches(".entry input.dollars")) return;
  /* Enter in a seat's field goes on to the seat's next field, and after the last one back to the page. */
  event.preventDefault();
  const fields = [...event.target.closest(".entry").querySelectorAll("input.dollars")];
  const next = fields[fields.indexOf(event.target) + 1];
  if (next && !next.closest(".tip")) next.focus();
  else hidePanels();
});
document.addEventListener("input", (event) => {
  if (!event.target.matches("input[name^=wagers-], input[name^=tips-]")) return;
  repeat(event.target);
  const place = document.getElementById("place-bets");
  if (place) place.classList.add("dirty");
});

function bind() {
  document.querySelectorAll("input[name^=wagers-], input[name^=tips-]").forEach((input) => {
    if (input.value !== input.defaultValue || input.matches("[aria-invalid=true]")) repeat(input);
  });
  const wrong = document.querySelector(".seat-panel[data-wrong]");
  if (wrong && !isDealt()) showPanel(wrong.dataset.panel);
}

bind();
document.addEventListener("screen:shown", bind);
