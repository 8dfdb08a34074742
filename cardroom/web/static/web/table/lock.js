/* Locks the session once nobody has touched the tablet for five minutes, or "Lock" was pressed, and unlocks it by PIN or
   password. A layer lies over the page, so that what was typed stays. While the tablet is offline it does not lock: the
   server could not be asked to unlock it. */
import { text } from "./texts.js";

const CHECK_MS = 1000;
const layer = document.getElementById("lock");
const form = layer.querySelector("form");
const wrong = layer.querySelector("[data-part=wrong]");
const idleMs = Number(layer.dataset.idle) * 1000;
let touched = Date.now();
let locked = false;
let asking = false;

const isLive = () => document.getElementById("connection")?.dataset.connection === "live";
const post = (address, body) => fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });

async function lock() {
  if (locked || asking || !isLive()) return;
  asking = true;
  try {
    const answer = await post(layer.dataset.lockAt, new FormData(form));
    if (answer.redirected) return location.assign(layer.dataset.signIn);
    if (answer.ok) cover();
  } catch {
    // No answer: the tablet has gone offline, and stays open.
  } finally {
    asking = false;
  }
}

function cover() {
  locked = true;
  wrong.textContent = "";
  form.reset();
  layer.showModal();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong.textContent = "";
  try {
    const answer = await post(form.action, new FormData(form));
    if (answer.redirected) return location.assign(layer.dataset.signIn);
    if (answer.ok) {
      locked = false;
      touched = Date.now();
      layer.close();
    } else wrong.textContent = (await answer.json()).message;
  } catch {
    wrong.textContent = text("No answer came. Try again once the tablet is back online.");
  }
  form.reset();
});

layer.addEventListener("cancel", (event) => event.preventDefault());
layer.addEventListener("close", () => locked && layer.showModal());
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-lock]") || !isLive()) return;
  event.preventDefault();
  lock();
});
for (const kind of ["pointerdown", "keydown", "input"]) {
  document.addEventListener(kind, () => { touched = Date.now(); }, { capture: true, passive: true });
}
setInterval(() => Date.now() - touched >= idleMs && lock(), CHECK_MS);
