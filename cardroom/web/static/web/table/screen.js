// The screen of the table page: reads it, and replaces it without a page load.

import { text } from "./texts.js";

/** Fields whose input is sent with a command: what is searched for is not. */
const TYPED = "input:not([type=hidden]):not([type=radio]):not([type=checkbox]):not([type=search]), textarea";
/** Milliseconds after a finger is lifted in which its click is dispatched. */
const CLICK_MS = 40;

export const screen = () => document.getElementById("screen");

/** The table's state when the server rendered the screen; see cardroom/web/table/offline_state.py. */
export const offlineState = () => JSON.parse(document.getElementById("offline-state").content.textContent);

/** Parse a page's HTML and return its #screen, detached; null for a page without one. */
export function screenIn(html) {
  return new DOMParser().parseFromString(html, "text/html").getElementById("screen");
}

/** The message of a refusal's page. */
export function refusalIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelector("#screen .banner strong")?.remove(); // "The table has moved on.", which the message repeats
  const message = page.querySelector("#screen .banner p") || page.querySelector("main p") || page.querySelector("h1");
  const whole = message?.querySelector("[data-text]")?.dataset.text; // what stands at a field is said there
  return whole || (message ? message.textContent.replace(/\s+/g, " ").trim() : text("The server refused it."));
}

/** Whether something was typed here that has not been sent, or is being signed. */
export const isTyped = () =>
  document.getElementById("signing")?.open || [...screen().querySelectorAll(TYPED)].some((field) => field.value !== field.defaultValue && field.checkVisibility())
  || document.querySelector("#screen .dirty") !== null;

let pressed = false, lifted = 0;
// A touch that follows soon is not ended by the one before it.
addEventListener("pointerdown", () => { clearTimeout(lifted); pressed = true; }, true);
for (const up of ["pointerup", "pointercancel"]) addEventListener(up, () => { clearTimeout(lifted); lifted = setTimeout(() => { pressed = false; }, CLICK_MS); }, true);

/** Whether a finger is on the screen, or its click is still to come. */
export const isPressed = () => pressed;

/** Resolve when no finger is on the screen: what a touch has begun on is not replaced under it. */
export async function released() {
  while (pressed) await new Promise((resolve) => setTimeout(resolve, CLICK_MS / 2));
}

/**
 * Replace the screen by that of an answered page. `typed`: input for the same phase is carried over. Where the screen was
 * drawn ahead of this answer, and the answer is the same step, it `confirms`: what the user is in the middle of goes on. It
 * goes on too where the page renews itself (`renews`) in the same step.
 * Returns false when the page has no screen.
 */
export function show(html, url, { typed = false, renews = false } = {}) {
  const next = screenIn(html);
  if (!next) return false;
  const old = screen();
  const confirms = (renews || "ahead" in old.dataset) && !("refused" in next.dataset) && stepOf(old) === stepOf(next);
  const kept = typed && old.dataset.phase === next.dataset.phase ? valuesOf(old) : new Map();
  const moment = confirms ? momentOf(old) : null;
  next.querySelectorAll("[autofocus]").forEach((each) => each.removeAttribute("autofocus"));
  const { scrollX, scrollY } = window;
  old.replaceWith(document.adoptNode(next));
  if (url && new URL(url, location.href).pathname !== location.pathname) history.replaceState(null, "", url);
  for (const field of next.querySelectorAll(`${TYPED}, input[type=radio]`)) {
    if (!kept.has(nameOf(field)) || field.disabled) continue;
    if (field.type === "radio") field.checked = field.value === kept.get(field.name);
    else field.value = kept.get(nameOf(field));
    if (field.type !== "radio" || field.checked) field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  document.dispatchEvent(new CustomEvent("screen:shown", { detail: { confirms } }));
  if (moment) goOnWith(moment);
  window.scrollTo(scrollX, scrollY);
  return true;
}

/** The step that a screen asks for: its phase, and the seat that is offered the bank. */
const stepOf = (root) => `${root.dataset.phase} ${root.querySelector(".seat.asked")?.dataset.seat || ""}`;

const nameOf = (field) => field.name || field.id;

function valuesOf(root) {
  const changed = [...root.querySelectorAll(TYPED)].filter((field) => nameOf(field) && field.value !== field.defaultValue);
  const chosen = [...root.querySelectorAll("input[type=radio]:checked")].filter((field) => !field.defaultChecked);
  return new Map([...changed, ...chosen].map((field) => [nameOf(field), field.value]));
}

/** The open panel or sheet of a seat, what is searched for in it, the keypad's target and whether its next figure begins a new amount, the focus and its caret. */
function momentOf(root) {
  const panel = root.dataset.phase === "cards" ? null : root.querySelector(".seat-panel.shown");
  const target = root.querySelector(".seat-panel.shown input.dollars.selected, .bank-field:focus-within input.selected");
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const by = focused && (focused.name && focused.matches("input") ? `[name="${CSS.escape(focused.name)}"]` : focused.matches("[data-next]") ? "[data-next]" : focused.id && `#${CSS.escape(focused.id)}`);
  const sheet = root.querySelector("#sheet:not([hidden])");
  const search = sheet ? sheet.querySelector("[type=search]").value : null;
  return { seat: sheet?.dataset.seat || panel?.dataset.panel, search, target: target?.name, fresh: target?.dataset.fresh, by, caret: focused?.matches("input") ? focused.selectionStart : null };
}

function goOnWith({ seat, search, target, fresh, by, caret }) {
  if (seat) document.dispatchEvent(new CustomEvent("seat:again", { detail: { seat, search, spot: target || "" } }));
  const focused = by ? screen().querySelector(by) : null;
  focused?.focus({ preventScroll: true });
  const aimed = target ? screen().querySelector(`input[name="${CSS.escape(target)}"]`) : null;
  if (aimed && fresh) aimed.dataset.fresh = fresh;
  else if (aimed) delete aimed.dataset.fresh;
  if (caret !== null && !fresh) focused?.setSelectionRange?.(caret, caret);
}

/** Give a notice the button that puts it away. */
export function closable(notice) {
  if (notice.querySelector("[data-dismiss]")) return;
  const closer = document.createElement("button");
  closer.type = "button";
  closer.className = "quiet";
  closer.dataset.dismiss = "";
  closer.textContent = "✕";
  closer.setAttribute("aria-label", text("Put this note away"));
  notice.append(closer);
}

/** Show a notice in the strip above the next step; it can be closed. `actions`: {label, press} for each button in it. */
export function note(id, label, ...actions) {
  document.getElementById(id)?.remove();
  const place = screen().querySelector(".notices");
  if (!label || !place) return;
  const box = document.createElement("p");
  box.id = id;
  box.className = "note note-info";
  box.setAttribute("role", "status");
  box.append(label);
  for (const action of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action.label;
    button.addEventListener("click", action.press);
    box.append(" ", button);
  }
  closable(box);
  place.append(box);
}
