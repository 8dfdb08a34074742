// The line-up: drawn anew when a dealer has changed, a push or a meal has, and every half minute; a choice is looked at at once.
import { follow } from "../parts/live.js";

/** Milliseconds in which changes are batched into one request. */
const GATHER = 300;
/** Milliseconds between fetches without an event: minutes pass. */
const RENEW = 30000;

let timer = null;
let asking = false;
let again = false;
let readAt = Date.now();

const lineUp = () => document.getElementById("line-up");

/** Whether somebody is in the midst of a choice, which a new drawing would take away. */
function isBusy() {
  const focus = document.activeElement;
  return focus?.matches("#line-up select") || lineUp().querySelector("details[open]") !== null;
}

function soon() {
  timer ??= setTimeout(renew, GATHER);
}

async function renew() {
  timer = null;
  if (asking || isBusy()) return void (again = true);
  asking = true;
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || answer.status === 403 || answer.status === 404) return location.reload();
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focus = document.activeElement?.closest("button, a")?.textContent;
    if (!isBusy()) lineUp().replaceWith(page.getElementById("line-up"));
    if (focus) [...lineUp().querySelectorAll("button, a")].find((each) => each.textContent === focus)?.focus({ preventScroll: true });
    readAt = Date.now();
    again = false;
  } catch {
    timer ??= setTimeout(renew, 3000); // offline: it is fetched again later
  } finally {
    asking = false;
  }
}

/** Whether a card of the board shows another down at its table than this page. */
function changed(html) {
  const found = document.createElement("template");
  found.innerHTML = html;
  const card = found.content.querySelector("li.table-card");
  const row = lineUp().querySelector(`.r[data-table="${card.dataset.table}"]`);
  return row ? row.dataset.down !== card.dataset.down : card.dataset.state === "open";
}

function showConnection(live) {
  const sign = document.getElementById("connection");
  sign.dataset.connection = live ? "live" : "lost";
  sign.querySelector(".shape").textContent = live ? "●" : "✕";
  const since = new Date().toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: lineUp().dataset.zone });
  sign.querySelector(".text").textContent = live ? "live" : `offline since ${since}`;
}

if (lineUp()) {
  follow(lineUp().dataset.live, {
    connection: showConnection,
    change(name, data) {
      if (name === "card" ? changed(data.html) : name === "line_up" || (name === "room" && data.entry > Number(lineUp().dataset.entry))) soon();
    },
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("#line-up select")) return;
    for (const other of lineUp().querySelectorAll("select")) if (!other.value) other.disabled = true;
    document.getElementById("choose").requestSubmit();
  });
  document.addEventListener("focusout", () => again && soon());
  setInterval(() => {
    if (!document.hidden && Date.now() - readAt >= RENEW) soon();
  }, 5000);
}
