// Describes a queued command: the button pressed and the values typed, for the person who decides on it.

import { screen } from "../screen.js";
import { text } from "../texts.js";

const UNSPOKEN = new Set(["csrfmiddlewaretoken", "version", "idempotency_key", "quoted_cents", "seat", "answer", "accepted_by"]);
const AT_SEAT = /^(wagers|tips|hand|decision|tip)-(\d+[b-h]?)(?:-(\w+))?$/;

/** The label of the pressed button, without its arrow. */
export function titleOf(form, submitter) {
  const button = submitter || form.querySelector("button");
  const at = form.elements.seat && button?.id !== "all-declined" ? `Seat ${form.elements.seat.value}: ` : "";
  return at + (button?.textContent || form.dataset.command).replace(/[▸▴✓]/g, "").replace(/\s+/g, " ").trim();
}

/** [[label, value]…] of the typed values: "Seat 4", "ante $20, pair plus $5". */
export function typedIn(fields) {
  const byLabel = new Map();
  for (const [name, value] of fields) {
    if (UNSPOKEN.has(name) || !value) continue;
    const [, kind, seat, spot] = AT_SEAT.exec(name) || [];
    const label = seat ? `Seat ${seat}` : name.replace(/_cents$/, "").replaceAll("_", " ");
    const plain = value === "on" ? "yes" : value;
    const what = { wagers: `${spot} $${value}`, tips: `tip on ${spot} $${value}`, tip: `tip with the decision $${value}` }[kind] || plain;
    byLabel.set(label, [...(byLabel.get(label) || []), what.replaceAll("_", " ")]);
  }
  return [...byLabel].map(([label, values]) => [label, values.join(", ")]);
}

/** The table's present state on the server in one sentence, from its screen. */
export function presentState() {
  const step = screen().querySelector(".next .ask b")?.textContent || screen().querySelector("#close-bets")?.textContent || "";
  const bank = ["bank-mark", "bank-name", "bank-turn"].map((name) => screen().querySelector(`.centre .${name}`)?.textContent).filter(Boolean);
  return [bank.map((words) => words.replace("·", " · ")).join(" "), step && text("next step: {step}", { step })].filter(Boolean).join(" · ").replace(/[▸◉◌]/g, " ").replace(/\s+/g, " ").trim();
}
