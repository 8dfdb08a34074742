// A table's screen says every half minute that it is there: the board raises an alert when it falls silent.

const CALL_MS = 30000;

const screen = document.getElementById("screen");
const table = screen?.dataset.table;

/** The name of this tab for as long as it lives: two tablets at one table are two screens. */
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
  // A beacon goes out even while the page is being left, and nobody waits for an answer.
  navigator.sendBeacon(`/tables/${table}/screen/`, form);
}

if (table) {
  call("here");
  setInterval(() => call("here"), CALL_MS);
  addEventListener("online", () => call("here"));
  addEventListener("pagehide", () => call("closed"));
  addEventListener("pageshow", (event) => event.persisted && call("here"));
}
