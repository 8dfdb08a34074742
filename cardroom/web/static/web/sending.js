// One act to the server and what came of it. Sending the same act again is always safe: its key stands for it.

/** Milliseconds after which a server that does not answer is taken for one that cannot be reached. */
const PATIENCE = 8000;
/** Statuses by which something between here and the house says that the house does not answer. */
const UNREACHED = [502, 503, 504];

const signIn = () => document.getElementById("line").dataset.signIn;
const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] || "";

/**
 * Send an act. Answers {kind, status, html, url}, where kind is one of
 * `done`; `refused`; `busy`: somebody else is at the table this moment; `signed-out`; `lost`: no answer came, and nobody
 * knows whether the act arrived.
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

async function ask(url, options) {
  let answer, html;
  try {
    const headers = { "X-Screen": "1", "X-CSRFToken": token(), Accept: "text/html" };
    answer = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) });
    html = await answer.text();
  } catch {
    return { kind: "lost" };
  }
  const said = { status: answer.status, html, url: answer.url, kept: answer.headers.has("X-Kept") };
  if (UNREACHED.includes(answer.status)) return { kind: "lost" };
  if (answer.redirected && new URL(answer.url).pathname === signIn()) return { kind: "signed-out", ...said };
  if (answer.ok) return { kind: "done", ...said };
  return { kind: /data-refused="busy"/.test(html) ? "busy" : "refused", ...said };
}
