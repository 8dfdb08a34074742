// The players' display, and the meter's: draws its parts again when the table or its meter has changed, and says when it
// is offline.
import { follow } from "./live.js";

/** Milliseconds between tries while the page cannot be fetched. */
const AGAIN = 5000;

let asking = false, again = false;

async function renew() {
  if (asking) { again = true; return; }
  asking = true;
  const offline = document.getElementById("display-line");
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !answer.ok) throw new Error(answer.status);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const drawn = found.querySelector(`[data-part="${part.dataset.part}"]`);
      if (drawn && drawn.innerHTML !== part.innerHTML) part.replaceChildren(...drawn.childNodes);
    }
    offline.hidden = true;
  } catch {
    offline.hidden = false;
    setTimeout(renew, AGAIN);
  } finally {
    asking = false;
    if (again) { again = false; renew(); }
  }
}

follow(document.getElementById("display").dataset.live, {
  change: (name) => (name === "table" || name === "meter") && renew(),
  line: (live) => (live ? renew() : (document.getElementById("display-line").hidden = false)),
});
