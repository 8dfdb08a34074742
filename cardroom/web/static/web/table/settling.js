/* Steps through a settlement line by line: lights the seat, sums what the dealer does there, and shrinks the bank's bar. Without it
   every seat shows its sums. */
import { dollarsOf } from "./fees.js";
import { rest } from "./press_delay.js";
import { text } from "./texts.js";

let shown = 0;
/* The round whose settlement was bound last: the steps between rounds replace the screen, and it goes on where it was. */
let settled = "";

const box = () => document.querySelector(".settling");
const lines = () => [...document.querySelectorAll(".pay-line")];
const key = (name) => document.querySelector(`.stepper [data-step=${name}]`);

function show(count) {
  const all = lines();
  shown = Math.max(1, Math.min(count, all.length));
  const stepping = shown < all.length;
  all.forEach((line, index) => {
    line.hidden = index >= shown;
    line.classList.toggle("now", stepping && index === shown - 1);
    const here = line.nextElementSibling;
    if (!here || !here.matches(".band")) return;
    here.hidden = line.hidden;
    const exhausted = box().querySelector("[data-exhausted]");
    if (exhausted) exhausted.hidden = line.hidden;
  });
  const last = all[shown - 1];
  sumOnSeats(all.slice(0, shown));
  document.querySelectorAll(".seat").forEach((seat) => seat.classList.toggle("lit", stepping && seat.dataset.seat === String(parseInt(last.dataset.seat, 10))));
  if (last.dataset.left !== "") {
    box().querySelector("progress").value = Number(last.dataset.left);
    box().querySelector(".bank-left").textContent = last.dataset.leftText;
  }
  const next = key("next");
  if (stepping) next.removeAttribute("aria-disabled");
  else next.setAttribute("aria-disabled", "true");
  next.dataset.why = stepping ? "" : text("Every line is shown. “Step through” begins again at the first.");
  if (stepping) last.scrollIntoView({ block: "nearest" });
}

/* A seat shows the sums of the lines that were reached. What is still to come keeps its room. */
function sumOnSeats(reached) {
  for (const sums of document.querySelectorAll(".seat-moves")) {
    const mine = reached.filter((line) => line.dataset.seat === sums.dataset.of);
    const every = lines().filter((line) => line.dataset.seat === sums.dataset.of);
    const net = sums.querySelector(".seat-net");
    if (net) net.style.visibility = mine.length === every.length ? "" : "hidden";
    for (const sum of sums.querySelectorAll(".move")) {
      /* A seat without cards has a sum for each spot. */
      const there = mine.filter((line) => !sum.dataset.spotName || line.dataset.spotName === sum.dataset.spotName);
      const cents = there.flatMap((line) => [...line.querySelectorAll(`[data-kind="${sum.dataset.kind}"]`)])
        .reduce((total, move) => total + Number(move.dataset.cents), 0);
      sum.style.visibility = cents ? "" : "hidden";
      sum.querySelector("b").textContent = dollarsOf(cents);
    }
  }
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest(".stepper [data-step]");
  if (!pressed || !box()) return;
  box().querySelector(".settling-list").open = pressed.dataset.step !== "all";
  if (pressed.dataset.step === "restart") { show(1); key("next").focus(); }
  else if (pressed.dataset.step === "all") show(lines().length);
  else {
    show(shown + 1);
    if (shown < lines().length) return;
    rest(); // presses that went through the lines do not open the next round
    document.querySelector("[data-next]").focus();
  }
});

function bind() {
  if (!box() || !lines().length) return;
  document.querySelector(".stepper").hidden = false;
  const bar = box().querySelector("progress");
  const left = bar?.value, again = box().dataset.settled === settled;
  settled = box().dataset.settled;
  show(again ? shown : lines().length);
  if (!bar || again) return; // the house banks, or the bar has run down
  /* The bar shrinks once, from the bank's wager to what is left of it. */
  bar.value = Number(box().dataset.wager);
  requestAnimationFrame(() => requestAnimationFrame(() => { if (shown === lines().length) bar.value = left; }));
}

bind();
document.addEventListener("screen:shown", bind);
