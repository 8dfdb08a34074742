// The players' display, and the meter's: draws its parts again when the table or its meter has changed, and says when it
// is offline.
import { follow } from "../parts/live.js";

/** Milliseconds between tries while the page cannot be fetched. */
const AGAIN = 5000;

let asking = false, again = false;

/** Take over every part of the page as it is now, one that came since this page was opened too, and drop one that has gone. */
function draw(found) {
  const names = new Set([...found.querySelectorAll("[data-part]")].map((drawn) => drawn.dataset.part));
  let before = null;
  for (const drawn of found.querySelectorAll("[data-part]")) {
    let part = document.querySelector(`[data-part="${drawn.dataset.part}"]`);
    if (!part) {
      part = document.adoptNode(drawn);
      before ? before.after(part) : document.getElementById("display").prepend(part);
    } else if (drawn.innerHTML !== part.innerHTML) part.replaceChildren(...drawn.childNodes);
    before = part;
  }
  for (const part of document.querySelectorAll("[data-part]")) {
    if (!names.has(part.dataset.part)) part.remove();
  }
}

async function renew() {
  if (asking) { again = true; return; }
  asking = true;
  const offline = document.getElementById("display-offline");
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !answer.ok) throw new Error(answer.status);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    draw(found);
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
  connection: (live) => (live ? renew() : (document.getElementById("display-offline").hidden = false)),
});
