/* The inbox: the opened item stays in sight in the list; a filter shows what it leaves as soon as it is chosen; notes that were
   said before are said again with one touch; the list is gone through and ticked by keys while it has the focus. */
const list = document.querySelector(".items"), opened = list?.querySelector("[aria-current]"), note = document.getElementById("act-note");
// The list alone scrolls to what is opened: the page stays at its head, where a low screen begins to read.
const chosen = list?.querySelector(".chosen");
if (chosen && chosen.offsetTop + chosen.offsetHeight > list.clientHeight) list.scrollTop = chosen.offsetTop - list.clientHeight / 2;

const filters = document.querySelector("[data-filters]"), box = filters?.closest("details");
if (box) {
  filters.querySelector("button").hidden = true;
  filters.addEventListener("change", () => filters.requestSubmit());
  const wide = matchMedia("(width >= 80em)"), fit = () => { box.open = wide.matches; };
  fit();
  wide.addEventListener("change", fit);
}

/* --- Notes ------------------------------------------------------------------------------------------------------------ */

for (const before of document.querySelectorAll("[data-notes]")) {
  before.hidden = false;
  before.addEventListener("click", (event) => {
    const said = event.target.closest("[data-note]")?.dataset.note;
    if (said !== undefined) note.value = said;
  });
}
note?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  note.form.querySelector("button.primary")?.click();
});

/* --- What is ticked --------------------------------------------------------------------------------------------------- */

const boxes = list ? [...list.querySelectorAll("input[name=items]")] : [];
const all = document.querySelector("[data-tick]"), says = document.querySelector("[data-ticked]"), signs = document.querySelector("#acts [data-signature]");

/** Say how many are ticked, let nobody sign who has explained one of them or is in one, and show whoever signs what they are. */
function count() {
  const ticked = boxes.filter((each) => each.checked);
  all.textContent = ticked.length ? "Tick none" : "Tick all";
  says.textContent = `${ticked.length} of ${boxes.length} ticked`;
  for (const apart of ["wrote", "about"]) {
    const ids = new Set(ticked.flatMap((each) => each.dataset[apart].split(",")).filter(Boolean));
    if (signs) signs.dataset[apart] = [...ids].join(",");
  }
  const what = document.querySelector("#acts template[data-what]"), closes = document.querySelector("#acts [data-signs]");
  if (!what || !closes) return;
  what.dataset.brief = closes.dataset.title = `Close ${ticked.length} item${ticked.length === 1 ? "" : "s"}`;
  what.content.replaceChildren(...ticked.map((each) => {
    const lines = [...each.closest("li").querySelectorAll(".k, .p, .e")].map((line) => Object.assign(document.createElement(line.matches(".k") ? "strong" : "span"), { textContent: line.textContent.replace(/\s+/g, " ").trim() }));
    const item = document.createElement("p");
    item.append(...lines.flatMap((line, at) => (at ? [document.createElement("br"), line] : [line])));
    return item;
  }));
}
if (boxes.length && all) {
  all.hidden = false;
  all.addEventListener("click", () => {
    const tick = !boxes.some((each) => each.checked);
    boxes.forEach((each) => { each.checked = tick; });
    count();
  });
  list.addEventListener("change", count);
  count();
}

/* --- Keys --------------------------------------------------------------------------------------------------------------- */

/** Where the focus goes in the list of the next page, so that keys go on there. */
const KEPT = "inbox-list";
const links = list ? [...list.querySelectorAll("li > a")] : [];
if (opened && sessionStorage.getItem(KEPT)) opened.focus({ preventScroll: true });
sessionStorage.removeItem(KEPT);

/** Open the item so many places on; where several are chosen, go there alone. */
function step(by) {
  const at = links.indexOf(document.activeElement.closest("li")?.querySelector("a")), next = links[(at < 0 ? links.indexOf(opened) : at) + by];
  if (!next) return;
  next.focus();
  if (boxes.length) return;
  sessionStorage.setItem(KEPT, "1");
  next.click();
}
list?.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key;
  if (key === "j" || key === "ArrowDown") step(1);
  else if (key === "k" || key === "ArrowUp") step(-1);
  else if (key === "x" && boxes.length) document.activeElement.closest("li")?.querySelector("input[name=items]")?.click();
  else if ((key === "e" || (key === "Enter" && document.activeElement === opened)) && note) note.focus();
  else return;
  event.preventDefault();
});
