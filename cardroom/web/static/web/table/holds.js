// Counts down on each held seat how much of its time is left, and then by how much it is over.

import { text } from "./texts.js";
import { clockOffset } from "./tablet.js";

const TICK_MS = 1000;

function sayLeft() {
  for (const held of document.querySelectorAll("#screen [data-held-until]")) {
    const seconds = Math.round((Date.parse(held.dataset.heldUntil) - Date.now() - (clockOffset() || 0)) / 1000);
    const time = `${Math.floor(Math.abs(seconds) / 60)}:${String(Math.abs(seconds) % 60).padStart(2, "0")}`;
    held.querySelector("[data-left]").textContent = seconds >= 0 ? text("{time} left", { time }) : text("{time} over", { time });
  }
}

sayLeft();
setInterval(sayLeft, TICK_MS);
document.addEventListener("screen:shown", sayLeft);
