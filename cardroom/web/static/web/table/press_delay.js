/* The next step rests for a moment after each change of the screen, so that a press meant for the step before it records
   nothing: neither a touch nor Enter goes through. Its style shows how long the rest lasts, and a press that came too early
   is answered on the button (table_page.css), without a change of layout.

   Answers that a player gives, and "no more bets", have no default besides: `data-asks` on their buttons says so. Enter on
   an empty line does not press them (typed_line.js); they are touched, or chosen by what is typed for them. */
import { text } from "./texts.js";

const REST_MS = 600;
/* The button of the next step on the present screen. */
const STEP = "[data-next], [data-asks], .go button:not([type=button]), form.take-back button";

let restsUntil = 0;
let typed = false;

/** Whether the next step may not be pressed yet. */
export const isResting = () => performance.now() < restsUntil;

/** Press a button for a typed command: that is no stray touch, so it does not wait. */
export function pressTyped(button) {
  typed = true;
  try { button?.click(); } finally { typed = false; }
}

/** Start the rest of the next step. */
export function rest() {
  const screen = document.getElementById("screen");
  if (!screen) return;
  restsUntil = performance.now() + REST_MS;
  screen.setAttribute("data-resting", "");
  window.setTimeout(wake, REST_MS + 5);
}

function wake() {
  if (isResting()) return;
  document.getElementById("screen")?.removeAttribute("data-resting");
  document.querySelectorAll("[data-early]").forEach((step) => step.removeAttribute("data-early"));
}

window.addEventListener("click", (event) => {
  const step = event.target.closest(STEP);
  if (typed || !isResting() || !step || step.matches("[aria-disabled=true]")) return; // a disabled one shows its reason
  event.preventDefault();
  event.stopImmediatePropagation();
  step.dataset.early = text("One moment…");
}, true);
/* A key that is held down presses once. */
window.addEventListener("keydown", (event) => {
  if (event.repeat && (event.key === "Enter" || event.key === " ") && event.target.closest("button, a, summary, input")) event.preventDefault();
}, true);

/* After a typed amount Enter does not wait: the user has seen the screen. */
document.addEventListener("input", (event) => {
  if (!event.isTrusted || !event.target.closest(".go input")) return;
  restsUntil = 0;
  wake();
});

rest();
/* An answer that confirms what was shown before it changes nothing: the rest that began then goes on. */
document.addEventListener("screen:shown", (event) => {
  if (!event.detail?.confirms) rest();
  else if (!isResting()) wake();
});
