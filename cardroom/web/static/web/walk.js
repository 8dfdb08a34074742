/* Steps through a settlement line by line. Without it every line is on the page. */
function bind() {
  const walk = document.querySelector(".walk");
  const stepper = document.querySelector(".stepper");
  if (!walk || !stepper) return;
  const lines = [...walk.querySelectorAll(".line")];
  const bands = [...walk.querySelectorAll(".band")];
  const seats = [...walk.querySelectorAll(".walk-seat")];
  const end = walk.querySelector(".walk-end");
  const bar = walk.querySelector("progress");
  const left = walk.querySelector(".bank-left");
  const final = { value: bar.value, text: left.textContent };
  const button = (name) => stepper.querySelector(`[data-walk=${name}]`);
  let shown = lines.length;

  function show(count) {
    shown = Math.max(0, Math.min(count, lines.length));
    lines.forEach((line, index) => {
      line.hidden = index >= shown;
      line.classList.toggle("now", shown < lines.length && index === shown - 1);
    });
    bands.forEach((band) => { band.hidden = Number(band.dataset.line) > shown; });
    seats.forEach((seat) => { seat.hidden = !seat.querySelector(".line:not([hidden])"); });
    end.hidden = shown < lines.length;
    const last = lines[shown - 1];
    bar.value = last ? Number(last.dataset.left) : Number(walk.dataset.wager);
    left.textContent = last ? last.dataset.leftText : final.text;
    if (shown === lines.length) { bar.value = final.value; left.textContent = final.text; }
    button("next").disabled = shown === lines.length;
    if (last && shown < lines.length) last.scrollIntoView({ block: "nearest" });
  }

  button("restart").addEventListener("click", () => { show(1); button("next").focus(); });
  button("next").addEventListener("click", () => {
    show(shown + 1);
    if (shown === lines.length) button("restart").focus();
  });
  button("all").addEventListener("click", () => show(lines.length));
  stepper.hidden = false;
  show(lines.length);
}

bind();
document.addEventListener("screen:shown", bind);
