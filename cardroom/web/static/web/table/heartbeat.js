// Sends a heartbeat of the table's screen every half minute: the board raises an alert when it stops.

import { tabletName } from "./tablet.js";

const CALL_MS = 30000;

const screen = document.getElementById("screen");
const table = screen?.dataset.table;

function call(state) {
  const form = new FormData();
  form.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  form.set("screen", tabletName());
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
