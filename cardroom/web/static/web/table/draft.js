/* Keeps what is typed for the round in play until it is sent, so that a page that is drawn anew, or a tablet that was
   closed in mid-round, still has it. Stored in this browser alone, one draft a round. */
const FIELDS = "input[name^=wagers-], input[name^=tips-], input[name^=hand-], input[name$=_hand], input[name^=decision-], input[name^=tip-]";
const name = () => {
  const screen = document.getElementById("screen");
  return screen && screen.dataset.round ? `draft:${screen.dataset.table}:${screen.dataset.round}:${screen.dataset.phase}` : "";
};
const fields = () => [...document.querySelectorAll(FIELDS)].filter((field) => !field.disabled);
const given = (field) => (field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);

function keep() {
  const key = name();
  if (!key) return;
  const typed = {};
  fields().filter(given).forEach((field) => { if (field.type !== "radio" || field.checked) typed[field.name] = field.value; });
  if (Object.keys(typed).length) localStorage.setItem(key, JSON.stringify(typed));
  else localStorage.removeItem(key);
}

function bind() {
  const key = name();
  const screen = document.getElementById("screen");
  if (!screen) return;
  /* Drafts of this table's other rounds and phases have had their day, but for those of rounds that go on without the
     line: the server's screen stands for a moment before the page is drawn that they belong to. */
  const isOffline = (name) => name.includes(":offline-");
  Object.keys(localStorage).filter((other) => other.startsWith(`draft:${screen.dataset.table}:`) && other !== key)
    .filter((other) => !isOffline(other) || isOffline(key))
    .forEach((other) => localStorage.removeItem(other));
  /* A refused form comes back from the server, with its errors. */
  const kept = key && !("refused" in screen.dataset) ? localStorage.getItem(key) : null;
  if (!kept) return;
  const typed = JSON.parse(kept);
  fields().forEach((field) => {
    if (!(field.name in typed)) return;
    if (field.type === "radio") field.checked = field.value === typed[field.name];
    else if (field.value !== typed[field.name]) {
      field.value = typed[field.name];
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
}

/* Once it is sent the draft is removed: it must not overwrite later changes by others. */
document.addEventListener("submit", (event) => {
  if (event.target.id === "step" && name()) localStorage.removeItem(name());
});
document.addEventListener("input", keep);
document.addEventListener("change", keep);
bind();
document.addEventListener("screen:shown", bind);
