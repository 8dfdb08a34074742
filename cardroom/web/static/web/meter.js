// The meter's display: fetches the page again when the table or its meter has changed, and says when the line is lost.
import { follow } from "./live.js";

/** Milliseconds between tries while the page cannot be fetched. */
const AGAIN = 5000;

let asking = false, again = false;

async function renew() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !answer.ok) throw new Error(answer.status);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of [".what", ".amount"]) document.querySelector(part).replaceChildren(...found.querySelector(part).childNodes);
    document.querySelector(".pays").replaceWith(found.querySelector(".pays"));
    document.getElementById("meter-line").hidden = true;
  } catch {
    document.getElementById("meter-line").hidden = false;
    setTimeout(renew, AGAIN);
  } finally {
    asking = false;
    if (again) { again = false; renew(); }
  }
}

follow(document.getElementById("meter").dataset.live, {
  change: (name) => (name === "table" || name === "meter") && renew(),
  line: (live) => (live ? renew() : (document.getElementById("meter-line").hidden = false)),
});
