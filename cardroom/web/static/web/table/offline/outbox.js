// Sends every command of the table page to the server: puts it into the queue, sends it, and shows the answer. While
// offline, commands wait in the queue and the page shows their expected result. See docs/offline.md.

import { after, initialState, isSure, offlineResult, peopleFor } from "./reducer.js";
import * as conflict from "./conflict.js";
import { follow } from "../../parts/live.js";
import { draw, drop, grey, showFees } from "./render.js";
import * as queue from "./queue.js";
import { isPressed, isTyped, note, offlineState, refusalIn, released, screen, screenIn, show } from "../screen.js";
import { isAnswer, read, send } from "./sending.js";
import { titleOf, typedIn } from "./messages.js";
import { clockOffset } from "../tablet.js";
import { text, texts } from "../texts.js";

/** Commands that can be queued offline. Every other command needs its answer before the next one. */
const CAN_WAIT = new Set(["answer", "all-declined", "renew", "bank", "bets", "repeat-bets", "no-more-bets", "reopen-bets", "deal", "card-up", "settle", "later-bets", "finish"]);
const ENVELOPE = new Set(["csrfmiddlewaretoken", "version", "idempotency_key"]);
const ONE_MOMENT = text("One moment: the entry before it is still being recorded.");
/** Milliseconds for which the page shows that another device has changed the table. */
const NEWS_MS = 10000;
const OFFLINE = text("Not available offline: the server has to answer first. It works again once back online.");
/** Milliseconds between retries: doubled up to the last value. */
const FIRST = 1000, LAST = 30000;

const sign = document.getElementById("connection");
const { page } = sign.dataset;
const table = Number(screen().dataset.table);

/**
 * The queued commands of this table; whether the server was unreachable, or failed, last time; the status of that failure,
 * 0 without a response; whether the session has ended.
 */
let commands = [], lost = false, failed = 0, signedOut = false;
/** The commands that the server has recorded since it rendered the screen on show: what is drawn here starts from them. */
let recorded = [];
/** Whether an event of a change came and was not shown, since something was typed here. */
let hasNews = false;
let running = null, again = false, timer = null, pause = FIRST, notBefore = 0, probedAt = Date.now();

const me = () => offlineState().actor;
const isStuck = (command) => Boolean(command.refused || command.held) || command.actor.id !== me().id;
const drawnCommands = () => [...recorded, ...commands];
const runsOffline = () => offlineState().runs && commands.length > 0 && !isStuck(commands[0]) && drawnCommands()[0].version === offlineState().version;

// --- Giving a command ---------------------------------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !event.target.matches("#screen form[data-command]")) return;
  event.preventDefault();
  give(event.target, event.submitter);
});

async function give(form, submitter) {
  const command = commandOf(form, submitter);
  if (CAN_WAIT.has(command.slug)) command.people = peopleFor(stateBefore(), command, offlineState());
  if (commands.length && isStuck(commands[0])) {
    if (!conflict.isChanging(commands[0], command)) return conflict.open();
    await queue.put(...conflict.changed(commands, command, offlineState().version));
  } else if (!CAN_WAIT.has(command.slug)) return giveAlone(command);
  else if (!(await queue.add({ ...command, pended: lost }))) return;
  screen().setAttribute("aria-busy", "true");
  commands = await queue.waiting(table);
  if (lost) paint();
  else goAhead();
  await drain();
}

/** The state in which a further command is given: the server's, with what was given since. */
function stateBefore() {
  let now = initialState(offlineState());
  const given = drawnCommands();
  if (!given.length || (commands.length && isStuck(commands[0])) || given[0].version !== now.version) return now;
  for (const command of given) {
    if (["answer", "all-declined"].includes(command.slug) && !now.offers) return now; // who banks is the server's to say
    now = after(now, command, offlineState());
  }
  return now;
}

/** Show what the given commands will do before the server has answered, where this tablet is sure of it. */
function goAhead() {
  if (!runsOffline()) return;
  let now = offlineResult(offlineState(), recorded);
  for (const command of commands) {
    if (!isSure(now, command, offlineState())) return;
    now = after(now, command, offlineState());
  }
  if (now.phase !== "waits") drawAhead(now);
}

function drawAhead(now) {
  draw(now, lost);
  screen().dataset.offline = drawing();
  screen().dataset.ahead = "";
}

function commandOf(form, submitter) {
  const sent = new FormData(form, submitter);
  const fields = [...sent].filter(([name]) => !ENVELOPE.has(name));
  return {
    key: sent.get("idempotency_key"), table, slug: submitter?.dataset.command || form.dataset.command,
    action: submitter?.getAttribute("formaction") || form.getAttribute("action"), fields, version: Number(sent.get("version")),
    at: new Date().toISOString(), offset: clockOffset(), actor: me(), title: titleOf(form, submitter), typed: typedIn(fields), pended: false,
  };
}

/** Send a command that cannot be queued; it is not stored, for it may hold a PIN. */
async function giveAlone(command) {
  if (lost || commands.length) return unanswered(lost ? OFFLINE : ONE_MOMENT);
  screen().setAttribute("aria-busy", "true");
  const reply = await send(command);
  screen().removeAttribute("aria-busy");
  // The form keeps its input and its idempotency key: pressing its button again is safe.
  if (reply.kind === "signed-out") return unanswered(text("You are signed out. Nothing was changed."), { label: text("Sign in"), press: toSignIn });
  if (isAnswer(reply)) return display(reply);
  reached(reply);
  unanswered(reply.kind === "lost"
    ? text("No answer came, and it may or may not have been recorded. Press again once back online: it is recorded once.")
    : text("The server failed (error {error}), and nobody knows whether it was done. What was typed is still here: press again when the server is back; it is done once.", { error: reply.status }));
}

/** Say that a command was not answered: in a note, and to the sheet on which it was signed. */
function unanswered(words, ...actions) {
  note("connection-note", words, ...actions);
  document.dispatchEvent(new CustomEvent("command:unanswered"));
}

// --- Sending what waits ----------------------------------------------------------------------------------------------

/** Send the queued commands in order until one fails. A lock allows one tab at a time. */
function drain() {
  again = true;
  running ??= (async () => {
    try {
      while (again) {
        again = false;
        await (navigator.locks ? navigator.locks.request(`outbox-${table}`, sendAll) : sendAll());
      }
    } finally {
      running = null;
    }
  })();
  return running;
}

async function sendAll() {
  clearTimeout(timer);
  if (Date.now() < notBefore) {
    commands = await queue.waiting(table);
    paint();
    return tryAgain();
  }
  let last = null, waited = 0;
  commands = await queue.waiting(table);
  while (commands.length && !isStuck(commands[0])) {
    const command = commands[0];
    const reply = await send(command);
    signedOut = reply.kind === "signed-out";
    reached(reply);
    if (isAnswer(reply)) pause = FIRST;
    // Only `done` and `refused`, the site's own answers, remove a command from the queue.
    if (!["done", "refused"].includes(reply.kind)) {
      await queue.put(...commands.filter((each) => !each.pended).map((each) => Object.assign(each, { pended: true })));
      if (signedOut && !waited && commands.length === 1 && screen().hasAttribute("aria-busy")) return toSignIn();
      break;
    }
    last = reply;
    if (reply.kind === "refused" && (command.pended || commands.length > 1)) {
      await queue.put({ ...command, refused: { status: reply.status, message: refusalIn(reply.html) } });
    } else {
      await queue.remove(command);
      if (reply.kind === "done") recorded.push(command);
      waited += command.pended ? 1 : 0;
    }
    commands = await queue.waiting(table);
    // What a finger is on is not replaced under it, and what was given meanwhile goes first.
    while (!commands.length) {
      await released();
      commands = await queue.waiting(table);
      if (!isPressed()) break;
    }
  }
  if (last) await display(last, waited);
  else if (!commands.length && !lost) await refresh();
  screen().removeAttribute("aria-busy");
  paint();
  if (commands.length && !isStuck(commands[0]) && !signedOut) tryAgain();
}

/** Retry with exponential backoff, not before `Retry-After`. */
function tryAgain() {
  clearTimeout(timer);
  timer = setTimeout(probe, Math.max(pause, notBefore - Date.now()));
  pause = Math.min(pause * 2, LAST);
}

async function probe() {
  if (Date.now() < notBefore) return tryAgain();
  probedAt = Date.now();
  // Any page of the site renews a lost CSRF token.
  if (failed === 403 && commands.length) await read(page);
  return commands.length ? drain() : refresh();
}

/** Record the state of the connection: an answer of the site, a failure, or no response. */
function reached(reply) {
  const yes = isAnswer(reply);
  // While commands wait, only an answer to one of them ends the backoff: pages may load where commands fail.
  if (yes && !commands.length) pause = FIRST;
  notBefore = reply.wait ? Date.now() + reply.wait : 0;
  const status = reply.kind === "failed" ? reply.status : 0;
  if (lost === !yes && failed === status) return;
  lost = !yes;
  failed = status;
  paint();
  if (lost && !running) tryAgain();
}

/** The browser reports that it is offline. */
const LOST = { kind: "lost", status: 0, wait: 0 };

const toSignIn = () => location.assign(`${sign.dataset.signIn}?next=${encodeURIComponent(page)}`);

// --- Showing what the server says ------------------------------------------------------------------------------------

/**
 * Show the page that answers a command, or the table as it is now (`renews`: of itself). `waited`: number of commands that were
 * queued, after which the offline screen went on.
 *
 * After queued commands, and where a person has to decide, the present state is shown and not the answer to an old command.
 */
async function display(reply, waited = 0, renews = false) {
  let shown = reply;
  if ((waited && reply.kind === "done") || commands[0]?.refused) {
    const present = await read(page);
    if (present.kind === "done" && !present.kept) shown = present;
  }
  const wasAhead = "ahead" in screen().dataset;
  drop();
  recorded = [];
  // A refusal's URL is that of the POST, which cannot be reloaded.
  const address = shown.kind === "done" ? shown.url : page;
  if (!show(shown.html, address, { typed: waited > 0 || wasAhead, renews })) return location.assign(page);
  if (waited) note("connection-note", texts("Back online: {n} entry sent and recorded.", "Back online: {n} entries sent and recorded.", waited));
  if (new URL(address, location.href).pathname !== page) read(page); // the service worker caches it, for a tablet that is reopened
}

/** Read the table: with the settlement on show, as long as the next round is not open. */
async function present({ pressed }) {
  if (pressed || !("settlement" in screen().dataset) || location.pathname === page) return read(page);
  const reply = await read(location.pathname);
  return reply.kind === "done" && !reply.kept && screenIn(reply.html)?.dataset.phase !== "settled" ? reply : read(page);
}

/** Reload the table when another device has changed it; with a note only, when there is unsent input. */
async function refresh({ pressed = false } = {}) {
  const reply = await present({ pressed });
  signedOut = reply.kind === "signed-out";
  reached(reply);
  paint();
  if (lost) tryAgain();
  if (reply.kind !== "done" || commands.length || (reply.kept && !pressed)) return;
  const next = screenIn(reply.html);
  const isNews = next && (next.dataset.version !== screen().dataset.version || "offline" in screen().dataset);
  if (!pressed && !isNews) return;
  if (!pressed && isTyped()) return tellOfChange();
  await released();
  if (commands.length) return; // given meanwhile
  await display(reply, 0, !pressed);
  paint();
}

/** Another device has changed the table while something is typed here: a note for a while. Once nothing is typed the table shows. */
function tellOfChange() {
  note("connection-news", text("The table has changed."), { label: text("Show it"), press: () => refresh({ pressed: true }) });
  const notice = document.getElementById("connection-news");
  setTimeout(() => notice.remove(), NEWS_MS);
  hasNews = true;
}

/** Whether the screen has the meter as this movement left it, or has none. */
function isShown(movement) {
  const meter = screen().querySelector(".meter");
  return !meter || Number(meter.dataset.movement) === movement;
}

/** Show what the meter shows now, and nothing else: another table of it may move it while wagers are typed here. */
async function renewMeter() {
  const reply = await read(page);
  const found = reply.kind === "done" && !reply.kept && screenIn(reply.html)?.querySelector(".meter");
  if (found) screen().querySelector(".meter")?.replaceWith(document.adoptNode(found));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#screen a[data-next]");
  if (!link || link.pathname !== page || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  refresh({ pressed: true });
});

// --- The state of the connection, and the table page that goes on --------------------------------------------------------------

const SHAPES = { live: "●", lost: "○", pending: "◐", conflict: "▲" };

function paint() {
  const stuck = commands.length > 0 && isStuck(commands[0]);
  const state = stuck ? "conflict" : commands.length ? "pending" : lost ? "lost" : "live";
  const n = commands.length;
  sign.dataset.connection = state;
  sign.querySelector(".shape").textContent = SHAPES[state];
  const label = sign.querySelector(".text");
  if (signedOut) label.replaceChildren(Object.assign(document.createElement("a"), { href: `${sign.dataset.signIn}?next=${encodeURIComponent(page)}`, textContent: n ? texts("sign in to send {n} entry", "sign in to send {n} entries", n) : text("signed out: sign in") }));
  else if (stuck) label.replaceChildren(conflict.opener(texts("conflict: decide on {n} entry", "conflict: decide on {n} entries", n)));
  else label.textContent = { live: text("live"), lost: failed ? text("server error") : text("offline"), pending: [failed ? text("server error") : lost && text("offline"), text("{n} waiting", { n })].filter(Boolean).join(" · ") }[state];
  if (lost && runsOffline()) drawOffline();
  showFailed();
  greyWhatNeedsTheLine();
  if (stuck) conflict.show(commands, me());
  else conflict.close();
}

/** Show a banner that the server fails, with the state of the queue and buttons to retry or decide. */
function showFailed() {
  const waits = failed && commands.length > 0 && !isStuck(commands[0]);
  const shownFor = waits ? `${failed}:${commands[0].order}` : "";
  const shown = document.getElementById("connection-failed");
  if (!waits) return void shown?.remove();
  if (shown?.dataset.shownFor === shownFor) return;
  note("connection-failed", text("The server failed to record “{entry}” (error {error}). It is kept on this tablet and sent again by itself.", { entry: commands[0].title, error: failed }),
    { label: text("Send now"), press: sendNow }, { label: text("Decide…"), press: () => decideOn(commands[0]) });
  document.getElementById("connection-failed").dataset.shownFor = shownFor;
}

function sendNow() {
  notBefore = 0;
  probe();
}

/** A command on which the server fails repeatedly: a person may send it again, change it, or set it aside. */
async function decideOn(command) {
  if (!command) return;
  const message = text("The server has failed on this entry (error {error}), and it may or may not have been recorded. Sending it again is safe: it is recorded once.", { error: failed });
  await queue.put({ ...command, refused: { status: failed, message, unknown: true } });
  commands = await queue.waiting(table);
  paint();
}

/** The commands of which the drawn screen is the result. */
const drawing = () => drawnCommands().map((command) => command.order).join();

function drawOffline() {
  if ((screen().dataset.offline === drawing() && !("ahead" in screen().dataset)) || offlineState().phase === "settled") return;
  draw(offlineResult(offlineState(), drawnCommands()), lost);
  screen().dataset.offline = drawing();
  delete screen().dataset.ahead;
  screen().removeAttribute("aria-busy");
}

function greyWhatNeedsTheLine() {
  for (const form of document.querySelectorAll("#screen form[data-command]")) {
    if (CAN_WAIT.has(form.dataset.command)) continue;
    for (const button of form.querySelectorAll("button:not([type=button])")) {
      if (lost && !button.dataset.why) {
        grey(button, OFFLINE);
        button.dataset.offline = "";
      } else if (!lost && "offline" in button.dataset) {
        for (const name of ["aria-disabled", "data-why", "data-offline"]) button.removeAttribute(name);
      }
    }
  }
}

// Fees while offline: computed here, as the server cannot quote them.
document.addEventListener("connection:lost", () => { reached(LOST); showFees(); });
document.addEventListener("input", (event) => {
  if ((lost || "ahead" in screen().dataset) && event.target.matches("input[name^=wagers-], input[name^=tips-], [name=action_seat]")) showFees();
});

document.addEventListener("amount:entered", () => {
  if (!hasNews || isTyped()) return;
  hasNews = false;
  refresh();
});

// --- Events of the server ---------------------------------------------------------------------------------------------

follow(sign.dataset.live, {
  change: (name, data) => {
    if (name === "meter") return void (lost || isShown(data.movement) || renewMeter());
    if (name !== "table" || running) return;
    // A failing server is retried by the backoff alone, however often the stream brings news or connects again.
    if (commands.length) return void (isStuck(commands[0]) || failed || drain());
    if (lost || (data.version > Number(screen().dataset.version) && screen().dataset.phase !== "settled")) refresh();
  },
  connection: (live) => {
    if (live ? lost && !failed : Date.now() - probedAt > LAST) probe();
  },
});
addEventListener("offline", () => reached(LOST));
addEventListener("online", probe);
document.addEventListener("visibilitychange", () => document.hidden || running || probe());
queue.onElsewhere(async () => {
  if (running) return;
  commands = await queue.waiting(table);
  if (commands.length) paint();
  else if (!lost) refresh();
});
conflict.onDecision({
  again: async (changed) => { await queue.put(...changed); commands = await queue.waiting(table); paint(); drain(); },
  settled: async () => { commands = await queue.waiting(table); paint(); await (commands.length ? drain() : refresh()); },
  present: () => ({ commands, version: offlineState().version }),
});

commands = await queue.waiting(table);
paint();
if (commands.length) drain();
// Where the line is lost before the worker has come, the next page registers it.
if ("serviceWorker" in navigator) navigator.serviceWorker.register(sign.dataset.worker).catch(() => {});
