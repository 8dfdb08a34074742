// The floor board: replaces table cards one by one as server-sent events come in; nothing else on the page moves.
import { follow } from "../parts/live.js";
import { freshKey } from "../table/offline/queue.js";

/** Milliseconds to wait for a changed card in the stream before it is fetched. */
const LATE = 1500;
/** Milliseconds in which changes are batched into one request. */
const GATHER = 200;
/** Milliseconds between fetches of all cards: rounds drop out of the last hour without an event. */
const RENEW = 120000;
/** The same while the stream is lost, when the server may still answer. */
const RENEW_LOST = 30000;

const board = document.getElementById("board");
const cards = document.getElementById("cards");
const changed = new Set();
let asking = false;
let timer = null;
let readAt = Date.now();
/** Whether a form is being submitted: a reload would cancel the browser's navigation. */
let leaving = false;

function gather(table) {
  changed.add(table);
  timer ??= setTimeout(renew, GATHER);
}

/** Fetch the changed cards and replace the old ones. */
async function renew() {
  timer = null;
  if (asking || !changed.size) return;
  const tables = [...changed];
  changed.clear();
  asking = true;
  try {
    const query = new URLSearchParams(tables.map((table) => ["table", table]));
    const answer = await fetch(`${board.dataset.cards}?${query}`);
    if (answer.redirected || answer.status === 403 || answer.status === 404) return location.reload();
    if (!answer.ok) throw new Error(answer.status);
    const found = document.createElement("template");
    found.innerHTML = await answer.text();
    for (const card of found.content.querySelectorAll("li.table-card")) place(card);
    if (tables.length === cards.children.length) readAt = Date.now();
    sumUp();
    tick();
  } catch {
    for (const table of tables) changed.add(table); // offline: they are fetched again later
    timer ??= setTimeout(renew, 3000);
  } finally {
    asking = false;
    if (changed.size) timer ??= setTimeout(renew, GATHER);
  }
}

/** Insert a card that was rendered for all users, with this page's own parts put in. */
function take({ table, entry, html }) {
  const old = document.getElementById(`table-${table}`);
  if (old && entry < Number(old.dataset.entry)) return;
  const found = document.createElement("template");
  found.innerHTML = html;
  const card = found.content.querySelector("li.table-card");
  for (const form of card.querySelectorAll("form.answer")) {
    if (!("mayAnswer" in board.dataset)) form.remove();
    else {
      form.elements.csrfmiddlewaretoken.value = board.dataset.token;
      form.elements.idempotency_key.value = freshKey();
    }
  }
  place(card);
  sumUp();
  tick();
}

/** Whether the page's card of a table is out of date. */
function behind({ table, entry }) {
  const card = document.getElementById(`table-${table}`);
  return !card || entry > Number(card.dataset.entry);
}

function place(card) {
  const old = document.getElementById(card.id);
  if (!old) return cards.insertBefore(card, following(card));
  if (old.dataset.down !== card.dataset.down) lineUpSoon();
  const known = new Set([...old.querySelectorAll("[data-waits]")].map((alert) => alert.id));
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  for (const note of old.querySelectorAll("input[name=note]")) {
    const same = card.querySelector(`#${note.id}`);
    if (!same) continue;
    same.value = note.value;
    same.closest("details").open = note.closest("details").open;
  }
  const [from, to] = focus?.name === "note" ? [focus.selectionStart, focus.selectionEnd] : [];
  old.replaceWith(card);
  // A card moves only if its urgency has changed.
  if (old.dataset.attention !== card.dataset.attention) cards.insertBefore(card, following(card));
  if (focus) {
    const same = (focus.id && document.getElementById(focus.id)) || card.querySelector(".cover");
    same.focus({ preventScroll: true });
    if (from !== undefined && same.name === "note") same.setSelectionRange(from, to);
  }
  const came = [...card.querySelectorAll("[data-waits]")].filter((alert) => !known.has(alert.id));
  if (came.length) document.getElementById("heard").textContent = came.map((alert) => alert.dataset.text).join(" ");
}

let lineUpTimer = null;

/** Fetch the strip of the line-up, where the page has one: a dealer, a push or a meal has changed. */
function lineUpSoon() {
  const strip = document.getElementById("line-up-strip");
  if (!strip || lineUpTimer) return;
  lineUpTimer = setTimeout(async () => {
    lineUpTimer = null;
    try {
      const answer = await fetch(strip.dataset.address);
      if (!answer.ok || answer.redirected) return;
      const found = document.createElement("template");
      found.innerHTML = await answer.text();
      document.getElementById("line-up-strip").replaceWith(found.content.querySelector("section"));
    } catch {
      // offline: the next change, or the next minute, fetches it again
    }
  }, GATHER);
}

/** The card before which this one stands: by attention, then by number. */
function following(card) {
  const rank = (one) => one.dataset.attention * 100000 + Number(one.dataset.number);
  return [...cards.children].find((other) => other !== card && rank(other) > rank(card)) ?? null;
}

function sumUp() {
  const all = [...cards.children];
  const sum = (what) => all.reduce((total, card) => total + Number(card.dataset[what]), 0);
  const open = all.filter((card) => card.dataset.state === "open").length;
  const looks = all.filter((card) => card.dataset.attention <= 1).length;
  write("total", { open, all: all.length, players: sum("players"), pace: sum("pace"), rounds: sum("rounds"), waiting: sum("waiting"), drop: dollars(sum("drop")) });
  write("count", { all: all.length, attention: looks, open, closed: all.length - open });
  none();
}

function write(kind, figures) {
  for (const [name, figure] of Object.entries(figures)) {
    const place = board.querySelector(`[data-${kind}="${name}"]`);
    if (place && place.textContent !== String(figure)) place.textContent = figure;
  }
}

function dollars(cents) {
  const amount = (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });
  return amount.replace(/\.00$/, "");
}

/** Show a message when the filter matches no table. */
function none() {
  document.getElementById("none").hidden = [...cards.children].some((card) => card.checkVisibility());
}

/** Update the ages: the same wording as on the server (`cardroom.web.parts.clock`). */
function tick() {
  for (const time of cards.querySelectorAll("time[data-age]")) {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(time.dateTime)) / 60000));
    const hours = Math.floor(minutes / 60);
    const days = Math.floor(hours / 24);
    let age = "just now";
    if (days) age = `${days} day${days > 1 ? "s" : ""} ago`;
    else if (hours) age = minutes % 60 ? `${hours} h ${minutes % 60} min ago` : `${hours} h ago`;
    else if (minutes) age = `${minutes} min ago`;
    if (time.textContent !== age) time.textContent = age;
  }
  for (const time of cards.querySelectorAll("time[data-left]")) {
    const left = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now()) / 60000));
    time.textContent = `${left} min left`;
    time.classList.toggle("look", left === 0);
  }
}

function showConnection(live) {
  const sign = document.getElementById("connection");
  sign.dataset.connection = live ? "live" : "lost";
  sign.querySelector(".shape").textContent = live ? "●" : "✕";
  const since = new Date().toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: board.dataset.zone });
  sign.querySelector(".text").textContent = live ? "live" : `offline since ${since}`;
  board.classList.toggle("behind", !live);
}

function choose(event) {
  const choice = event.target.closest("[data-choice]");
  if (!choice) return;
  event.preventDefault();
  board.dataset.show = choice.dataset.choice;
  for (const other of board.querySelectorAll("[data-choice]")) other.removeAttribute("aria-current");
  choice.setAttribute("aria-current", "true");
  history.replaceState(null, "", `?show=${choice.dataset.choice}`);
  none();
}

/** Answer an alert without leaving the board. */
async function answer(event) {
  if (!event.target.matches("form.answer")) return;
  event.preventDefault();
  const form = event.target;
  const card = form.closest(".table-card");
  const failure = document.getElementById("not-done");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const reply = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-Requested-With": "fetch" } });
    failure.hidden = reply.ok;
    if (!reply.ok) {
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      failure.textContent = page.querySelector(".banner p, main p")?.textContent ?? "Not done. Reload the page.";
    }
  } catch {
    failure.textContent = "Not sent: offline. Try again once back online.";
    failure.hidden = false;
  }
  button.disabled = false;
  gather(card.dataset.table);
}

function all() {
  for (const card of cards.children) changed.add(card.dataset.table);
  renew();
}

if (board && cards) {
  follow(board.dataset.live, {
    connection: showConnection,
    change(name, data) {
      if (name === "room") {
        // A shift was opened or closed: every figure on the page is of another shift now.
        if (!leaving && data.entry > Number(board.dataset.entry)) location.reload();
        return;
      }
      if (name === "line_up") return lineUpSoon();
      if (name === "card") take(data);
      else if (behind(data)) setTimeout(() => behind(data) && gather(String(data.table)), LATE);
    },
  });
  board.addEventListener("click", choose);
  board.addEventListener("submit", answer);
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    leaving = true;
    setTimeout(() => (leaving = false), 10000);
  });
  board.addEventListener("toggle", (event) => event.target.open && event.target.querySelector("input")?.focus(), true);
  setInterval(tick, 10000);
  lineUpSoon();
  setInterval(() => document.hidden || lineUpSoon(), 60000);
  setInterval(() => {
    const lost = document.getElementById("connection").dataset.connection === "lost";
    if (!document.hidden && Date.now() - readAt >= (lost ? RENEW_LOST : RENEW)) all();
  }, 5000);
}
