// Sends a heartbeat of the table's screen every half minute: the board raises an alert when it stops.

const CALL_MS = 30000;

const screen = document.getElementById("screen");
const table = screen?.dataset.table;

/** The id of this tab, kept while it is open: two tablets at one table are two screens. */
function name() {
  let given = sessionStorage.getItem("screen");
  if (!given) sessionStorage.setItem("screen", (given = Math.random().toString(36).slice(2, 12)));
  return given;
}

function call(state) {
  const form = new FormData();
  form.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  form.set("screen", name());
  form.set("state", state);
  // A beacon is sent even while the page unloads, and needs no response.
  navigator.sendBeacon(`/tables/${table}/screen/`, form);
}

if (table) {
  call("here");
  setInterval(() => call("here"), CALL_MS);
  addEventListener("online", () => call("here"));
  addEventListener("pagehide", () => call("closed"));
  addEventListener("pageshow", (event) => event.persisted && call("here"));
}
