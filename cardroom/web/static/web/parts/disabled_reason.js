/* Disabled buttons show the reason when touched: a note beside the button, removed by the next touch or key. */
const note = document.createElement("p");
note.className = "why-note";
note.setAttribute("role", "alert");
note.hidden = true;

function hide() {
  note.hidden = true;
}

function show(button) {
  const screen = document.getElementById("screen");
  if (!note.isConnected && screen) screen.append(note);
  const at = button.getBoundingClientRect();
  note.textContent = button.dataset.why;
  note.hidden = false;
  const width = Math.min(note.offsetWidth, window.innerWidth - 16);
  const left = Math.max(8, Math.min(at.right - width, window.innerWidth - width - 8));
  const above = at.top - note.offsetHeight - 8;
  note.style.setProperty("left", `${left}px`);
  note.style.setProperty("top", `${above > 0 ? above : at.bottom + 8}px`);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[aria-disabled=true][data-why]");
  hide();
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  show(button);
}, true);
document.addEventListener("keydown", (event) => { if (event.key !== "Enter" && event.key !== " ") hide(); }, true);
document.addEventListener("screen:shown", hide);
