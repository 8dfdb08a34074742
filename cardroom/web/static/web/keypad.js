/* Chips and keys for a touch: they write into the field that was touched last in the same [data-keypad]. */
const fieldsOf = (pad) => [...pad.querySelectorAll("input.dollars:not(:disabled)")];
const targetOf = (pad) => pad.querySelector("input.dollars.selected") || fieldsOf(pad)[0];

function select(input) {
  const pad = input.closest("[data-keypad]");
  if (pad) fieldsOf(pad).forEach((other) => other.classList.toggle("selected", other === input));
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
  select(input);
  if (key.dataset.add) return write(input, typedOf(centsOf(input.value) + Number(key.dataset.add) * 100));
  if (key.dataset.key === "out") return fieldsOf(pad).forEach((field) => write(field, ""));
  if (key.dataset.key === "clear") return write(input, "");
  if (key.dataset.key === "back") return write(input, input.value.slice(0, -1));
  /* The first figure after the field was chosen begins a new amount. */
  const fresh = input.dataset.fresh === "1";
  delete input.dataset.fresh;
  return write(input, (fresh ? "" : input.value) + key.dataset.key);
});

document.addEventListener("focusin", (event) => {
  if (!event.target.matches("[data-keypad] input.dollars")) return;
  select(event.target);
  event.target.dataset.fresh = "1";
  event.target.select();
});

/* A button that says its amount. */
function sayAmount(input) {
  document.querySelectorAll("button[data-amount]").forEach((button) => {
    if (button.dataset.amount !== input.id) return;
    const says = button.querySelector(".says");
    says.dataset.plain ??= says.textContent;
    const amount = input.value.trim().replace(/^\$/, "");
    says.textContent = amount ? button.dataset.says.replace("{}", `$${amount}`) : says.dataset.plain;
  });
}
document.addEventListener("input", (event) => { if (event.target.matches("input.dollars")) sayAmount(event.target); });

function bind() {
  const template = document.getElementById("keypad");
  if (!template) return;
  document.querySelectorAll("[data-keypad]").forEach((pad) => {
    if (pad.querySelector(".keypad")) return;
    pad.append(template.content.cloneNode(true));
    if (pad.dataset.keypad === "wager") pad.querySelector("[data-key=out]").remove();
    /* The keypad stands in for the tablet's own keyboard. */
    if (window.matchMedia("(pointer: coarse)").matches) fieldsOf(pad).forEach((input) => { input.inputMode = "none"; });
  });
  document.querySelectorAll("input.dollars").forEach(sayAmount);
}

bind();
document.addEventListener("screen:shown", bind);
