// One act to the server and what came of it. Sending the same act again is always safe: its key stands for it.

/** Milliseconds after which a server that does not answer is taken for one that cannot be reached. */
const PATIENCE = 8000;
/** The longest wait that a `Retry-After` can ask for, in milliseconds. */
const LONGEST = 300000;

const signIn = () => document.getElementById("line").dataset.signIn;
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] || "";

/**
 * Send an act. Answers {kind, status, html, url, wait}, where kind is one of
 * `done`, `refused`: the product's own answers, by their `X-Answer` (cardroom/web/answer_header.py);
 * `busy`: refused because somebody else is at the table this moment; `signed-out`;
 * `lost`: no answer came; `failed`: an answer came that is none of the product's (an error page, a proxy's, a lost CSRF
 * token). After the last two nobody knows whether the act was carried out. `wait` is the milliseconds that the server
 * asked for by `Retry-After`, 0 without one.
 */
export async function send(act) {
  const body = new URLSearchParams(act.fields);
  body.set("version", act.version);
  body.set("idempotency_key", act.key);
  body.set("given_by", act.actor.id);
  return ask(act.action, { method: "POST", body });
}

/** Read a page. The same answer as of `send`; `kept` says that it is the one this tablet has kept. */
export const read = (url) => ask(url, {});

/** Whether an answer came from the server itself: the queue goes on. */
export const isAnswer = (said) => said.kind !== "lost" && said.kind !== "failed" && !said.kept;

async function ask(url, options) {
  let answer, html;
  try {
    const headers = { "X-Screen": "1", "X-CSRFToken": token(), Accept: "text/html" };
    answer = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) });
    html = await answer.text();
  } catch {
    return { kind: "lost", status: 0, wait: 0 };
  }
  const said = { status: answer.status, html, url: answer.url, kept: answer.headers.has("X-Kept"), wait: waitOf(answer) };
  if (answer.redirected && new URL(answer.url).pathname === signIn()) return { kind: "signed-out", ...said };
  const marked = answer.headers.get("X-Answer");
  if (marked === "done") return { kind: "done", ...said };
  if (marked === "refused") return { kind: /data-refused="busy"/.test(html) ? "busy" : "refused", ...said };
  return { kind: "failed", ...said };
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function waitOf(answer) {
  const said = (answer.headers.get("Retry-After") || "").trim();
  const wait = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST) : 0;
}
