/* While wagers are typed: fetches the fees and the bank's exposure from the server and shows them. */
import { released } from "./screen.js";

let waiting = 0;
let asked = 0;

async function ask() {
  const form = document.querySelector("form[data-preview]");
  if (!form) return;
  const mine = ++asked;
  let answer;
  try {
    answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), headers: { Accept: "text/html" } });
  } catch {
    /* Offline: outbox.js computes the fees. */
    document.dispatchEvent(new CustomEvent("connection:lost"));
    return;
  }
  /* The server failed: compute the fees here, rather than show those of other wagers. */
  if (answer.status >= 500) document.dispatchEvent(new CustomEvent("connection:lost"));
  const html = answer.ok ? await answer.text() : "";
  await released();
  if (!html || mine !== asked || !form.isConnected) return;
  const parts = new DOMParser().parseFromString(html, "text/html");
  const focused = document.activeElement && document.activeElement.id;
  parts.querySelectorAll("body > [id]").forEach((part) => {
    const old = document.getElementById(part.id);
    if (!old) return;
    part.querySelectorAll("[autofocus]").forEach((button) => button.removeAttribute("autofocus"));
    old.replaceWith(document.adoptNode(part));
  });
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("input[name^=wagers-], input[name^=tips-]")) return;
  window.clearTimeout(waiting);
  waiting = window.setTimeout(ask, 250);
});
