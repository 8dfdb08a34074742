/* Chips and keys for a touch: they write into the target, the field that was chosen last in the same [data-keypad]. The
   target looks it, in the panel and on the seat. The first digit replaces the amount; chips add to it. */
const fieldsOf = (pad) => [...pad.querySelectorAll("input.dollars:not(:disabled)")];
const targetOf = (pad) => pad.querySelector("input.dollars.selected") || fieldsOf(pad)[0];
const entered = (input) => document.dispatchEvent(new CustomEvent("amount:entered", { detail: input }));

/** Make a field the target of its keypad; its next figure begins a new amount. */
export function aim(input) {
  const pad = input.closest("[data-keypad]");
  if (!pad) return;
  for (const other of fieldsOf(pad)) {
    const on = other === input;
    other.classList.toggle("selected", on);
    if (on) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
    other.closest(".spot")?.classList.toggle("target", on);
  }
  document.querySelectorAll("[data-spot]").forEach((spot) => spot.setAttribute("aria-pressed", String(spot.dataset.spot === input.name)));
  input.dataset.fresh = "1";
}

/** Clear the target when its panel is closed. */
export function aimAtNothing() {
  document.querySelectorAll("[data-spot]").forEach((spot) => spot.setAttribute("aria-pressed", "false"));
}

/* Amounts are dollars with at most two places; adding is done in cents. */
const centsOf = (typed) => {
  const match = /^\$?(\d[\d,]*)(?:\.(\d{0,2}))?$/.exec(typed.trim());
  return match ? Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] || "").padEnd(2, "0")) : 0;
};
const typedOf = (cents) => (cents % 100 ? `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}` : `${cents / 100}`);

function write(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const key = event.target.closest(".keypad [data-add], .keypad [data-key]");
  if (!key) return;
  const pad = key.closest("[data-keypad]");
  const input = targetOf(pad);
  if (!input) return;
  if (!input.classList.contains("selected")) aim(input);
  if (key.dataset.add) return write(input, typedOf(centsOf(input.value) + centsOf(key.dataset.add)));
  if (key.dataset.key === "out") return fieldsOf(pad).forEach((field) => write(field, ""));
  const fresh = input.dataset.fresh === "1";
  delete input.dataset.fresh;
  if (key.dataset.key === "clear") return write(input, "");
  if (key.dataset.key === "back") return write(input, input.value.slice(0, -1));
  return write(input, (fresh ? "" : input.value) + key.dataset.key);
});

document.addEventListener("focusin", (event) => {
  if (!event.target.matches("[data-keypad] input.dollars")) return;
  const before = event.target.closest("[data-keypad]").querySelector("input.dollars.selected");
  aim(event.target);
  event.target.select();
  if (before && before !== event.target) entered(event.target);
});
/* A touch puts the caret somewhere into the amount; the first figure that is typed replaces the whole of it all the same.
   A caret that was moved by a key is kept: the user edits a digit. */
document.addEventListener("click", (event) => {
  if (!event.target.matches("[data-keypad] input.dollars")) return;
  aim(event.target);
  event.target.select();
});
document.addEventListener("beforeinput", (event) => {
  const input = event.target;
  if (!input.matches("[data-keypad] input.dollars") || input.dataset.fresh !== "1") return;
  delete input.dataset.fresh;
  if (event.inputType.startsWith("insert")) input.select();
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("[data-keypad] input.dollars") && /^(Arrow|Home|End)/.test(event.key)) delete event.target.dataset.fresh;
});

/* A button labelled with its amount. */
function sayAmount(input) {
  document.querySelectorAll("button[data-amount]").forEach((button) => {
    if (button.dataset.amount !== input.id) return;
    const label = button.querySelector(".text");
    label.dataset.plain ??= label.textContent;
    const amount = input.value.trim().replace(/^\$/, "");
    label.textContent = amount ? button.dataset.text.replace("{}", `$${amount.replace(/\B(?=(\d{3})+$)/g, ",")}`) : label.dataset.plain;
  });
}
document.addEventListener("input", (event) => { if (event.target.matches("input.dollars")) sayAmount(event.target); });

function bind() {
  const template = document.getElementById("keypad");
  if (!template) return;
  document.querySelectorAll("[data-keypad]").forEach((pad) => {
    if (pad.querySelector(".keypad") || !fieldsOf(pad).length) return;
    pad.append(template.content.cloneNode(true));
    if (pad.dataset.keypad === "wager") pad.querySelector("[data-key=out]").remove();
    /* The keypad replaces the tablet's own keyboard. */
    if (window.matchMedia("(pointer: coarse)").matches) fieldsOf(pad).forEach((input) => { input.inputMode = "none"; });
  });
  document.querySelectorAll("input.dollars").forEach(sayAmount);
}

bind();
document.addEventListener("screen:shown", bind);
