// Sends one command to the server and classifies the answer. Retries are safe: a command has an idempotency key.

import { measureClock, tabletName } from "../tablet.js";

/** Timeout in milliseconds, after which the server counts as unreachable. */
const PATIENCE = 8000;
/** Upper limit of a `Retry-After`, in milliseconds. */
const LONGEST = 300000;

const signIn = () => document.getElementById("connection").dataset.signIn;
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] || "";

/**
 * Send a command. Answers {kind, status, html, url, wait}, where kind is one of `done`, `refused`: the site's own answers,
 * by their `X-Answer` (cardroom/web/table/answer_header.py); `busy`: refused because another command holds the table's lock;
 * `signed-out`; `lost`: no answer came; `failed`: an answer came that is not the site's own (an error page, a proxy's,
 * a lost CSRF token). After the last two it is unknown whether the command was carried out. `wait` is the server's
 * `Retry-After` in milliseconds, 0 without one.
 */
export async function send(command) {
  const body = new URLSearchParams(command.fields);
  body.set("version", command.version);
  body.set("idempotency_key", command.key);
  body.set("given_by", command.actor.id);
  // What has waited says when it was given, and by how much this tablet's clock was wrong then.
  if (command.pended) {
    body.set("given_at", command.at);
    body.set("clock_offset", command.offset ?? "");
    body.set("screen", tabletName());
  }
  if (command.people?.length) body.set("given_for", JSON.stringify(Object.fromEntries(command.people.map(({ as, id }) => [as, id]))));
  return ask(command.action, { method: "POST", body });
}

/** Fetch a page. Returns the same as `send`; `kept` says that it came from this tablet's cache. */
export const read = (url) => ask(url, {});

/** Whether an answer came from the site itself: the queue goes on. */
export const isAnswer = (reply) => reply.kind !== "lost" && reply.kind !== "failed" && !reply.kept;

async function ask(url, options) {
  let answer, html;
  const asked = Date.now();
  try {
    const headers = { "X-Screen": "1", "X-CSRFToken": token(), Accept: "text/html" };
    answer = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) });
    html = await answer.text();
  } catch {
    return { kind: "lost", status: 0, wait: 0 };
  }
  const reply = { status: answer.status, html, url: answer.url, kept: answer.headers.has("X-Kept"), wait: waitOf(answer) };
  if (answer.redirected && new URL(answer.url).pathname === signIn()) return { kind: "signed-out", ...reply };
  const marked = answer.headers.get("X-Answer");
  if (marked && !reply.kept) measureClock(answer.headers.get("Date"), asked);
  if (marked === "done") return { kind: "done", ...reply };
  if (marked === "refused") return { kind: /data-refused="busy"/.test(html) ? "busy" : "refused", ...reply };
  return { kind: "failed", ...reply };
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function waitOf(answer) {
  const header = (answer.headers.get("Retry-After") || "").trim();
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST) : 0;
}
