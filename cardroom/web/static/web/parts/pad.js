/* PIN pads: their keys write into the field that they name (templates/web/parts/pad.html). On a touch screen that field asks
   for no keyboard until it is touched itself: a password is typed there too, on the lock. */
const MOST = 6;

const fieldOf = (pad) => document.getElementById(pad.dataset.pad);

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-pad] [data-key]");
  if (!key) return;
  const field = fieldOf(key.closest("[data-pad]"));
  if (key.dataset.key === "back") field.value = field.value.slice(0, -1);
  else if (field.value.length < MOST) field.value += key.dataset.key;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

if (matchMedia("(pointer: coarse)").matches) {
  for (const pad of document.querySelectorAll("[data-pad]")) {
    const field = fieldOf(pad);
    if (field.inputMode === "none") continue;
    field.inputMode = "none";
    field.addEventListener("pointerdown", () => { field.inputMode = ""; });
  }
}
