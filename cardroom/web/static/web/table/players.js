/* While a player's name or number is typed at a seat: the server says who is meant, and the field's list offers them. */
const PAUSE = 150;
let waiting = 0;
let asked = 0;

async function ask(typed) {
  const list = document.getElementById("players");
  if (!list) return;
  const mine = ++asked;
  try {
    const answer = await fetch(`${list.dataset.search}?search=${encodeURIComponent(typed)}`, { headers: { Accept: "text/html" } });
    if (answer.ok && !answer.redirected && mine === asked) list.innerHTML = await answer.text();
  } catch {
    /* Offline: what is typed is read by the server once it is sent. */
  }
}

function soon(event) {
  if (!event.target.matches?.("input[list=players]")) return;
  window.clearTimeout(waiting);
  waiting = window.setTimeout(ask, PAUSE, event.target.value);
}

document.addEventListener("input", soon);
document.addEventListener("focusin", soon);
