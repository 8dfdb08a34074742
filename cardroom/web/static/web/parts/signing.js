/* The sheet on which a second person signs: who they are is touched among the faces of those on duty, or read from a badge, or
   typed; then their PIN. It fills in the two fields that the form has for a page without scripts, and sends the form. A refused
   signature keeps the sheet as it is: faces and pad stay where they are, and what was refused is said in a place kept for it.

   The PIN is in this sheet's field until it is sent, and in no other place: it is cleared when the sheet closes, the page is
   left, somebody else is touched, or nothing was done for a minute. */
import "./pad.js";

const LEAST = 4;
/** Milliseconds after which a PIN that was typed and not sent is cleared. */
const FORGOTTEN_MS = 60000;
/** Milliseconds for which the sheet waits for its faces before it opens without them. */
const PATIENCE_MS = 300;
/** Refusals that are about the signature: the sheet stays open. */
const OF_SIGNATURE = new Set(["approver_not_known", "approver_resting", "approver_may_not", "approver_required", "second_person_required", "supervisor_required", "same_person", "witness_may_not", "edited_by_signer", "own_expiry"]);

const sheet = document.getElementById("signing");
const part = (name) => sheet.querySelector(`[data-part=${name}]`);
const texts = Object.fromEntries([...part("texts").content.querySelectorAll("[data-says]")].map((each) => [each.dataset.says, each.textContent]));
const name = document.getElementById("signing-name"), pin = document.getElementById("signing-pin");

/** What is being signed: its form, the button that sends it, the part of the form with the signature; null when the sheet is closed. */
let target = null;
/** The touched face; null where a name is typed. */
let chosen = null;
/** Whether the form is on its way, and whether its submission passes. */
let sent = false, passes = false, forgets = 0;
/** The faces that were asked for, by their address. */
const asked = new Map();

// --- The forms ------------------------------------------------------------------------------------------------------------

/** Put the fields of the page without scripts away: this sheet asks for them. */
function bind() {
  for (const group of document.querySelectorAll("[data-signature]:not([data-bound])")) {
    group.dataset.bound = "";
    group.querySelector("[data-part=by-name]").hidden = true;
    group.querySelectorAll("input").forEach((input) => { input.required = false; });
    group.querySelector(".how-many")?.removeAttribute("hidden");
    const form = group.closest("form");
    // What the sheet says better, and what is missing is said before it opens.
    form.querySelectorAll("[data-plain]").forEach((each) => { each.hidden = true; });
    form.querySelectorAll("[data-required]").forEach((each) => {
      const other = form.elements[each.dataset.required], ask = () => { each.required = !other.value; };
      other.addEventListener("input", ask);
      ask();
    });
  }
}

const inputOf = (group, which) => group.querySelector(`[data-part=${which}] input`);

/** Whether this press of a form takes a signature: some forms have a button that only looks, some need one for one answer. */
function takesSignature(group, form, submitter) {
  const signs = form.querySelector("button[data-signs]");
  if (signs && submitter !== signs) return false;
  // Nothing chosen: the server says so, before anybody types a PIN for it.
  if ([...form.querySelectorAll("fieldset[data-some]")].some((choices) => !choices.querySelector(":checked"))) return false;
  const [field, value] = (group.dataset.when || "").split(":");
  return !field || form.elements[field]?.value === value;
}

document.addEventListener("submit", (event) => {
  const form = event.target, group = form.querySelector("[data-signature]");
  if (passes || !group || event.defaultPrevented || !takesSignature(group, form, event.submitter)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  open(form, group, event.submitter);
}, true);

/* The faces are on their way before the button is let go. */
document.addEventListener("pointerdown", (event) => {
  const group = event.target.closest("form button:not([type=button])")?.form?.querySelector("[data-signature]");
  if (group) facesOf(group);
}, { capture: true, passive: true });

// --- The sheet --------------------------------------------------------------------------------------------------------------

async function open(form, group, submitter, refused = "") {
  target = { form, group, submitter: submitter || form.querySelector("button[data-signs], button:not([type=button])") };
  chosen = null;
  sent = false;
  name.value = "";
  clear();
  describe();
  typed(false);
  const faces = facesOf(group);
  part("faces").replaceChildren();
  fillWhen(faces, group);
  await Promise.race([faces.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  if (target?.group !== group) return;
  if (!sheet.open) sheet.showModal();
  paint();
  if (refused) await faces.then(() => again(group), () => {});
  if (refused) say(refused, true);
  else focusFirst();
}

/** Read the faces for a signature once; after a refusal anew. */
function facesOf(group, { anew = false } = {}) {
  const address = new URL(sheet.dataset.signers, location.href);
  address.searchParams.set("right", group.dataset.right);
  for (const apart of ["also", "wrote", "about"]) if (group.dataset[apart]) address.searchParams.set(apart, group.dataset[apart]);
  if ("own" in group.dataset) address.searchParams.set("own", "1");
  if (anew || !asked.has(address.href)) {
    asked.clear();
    const answer = fetch(address, { headers: { "X-Requested-With": "signing" } }).then((reply) => (reply.ok && !reply.redirected ? reply.text() : Promise.reject(new Error("no list"))));
    answer.catch(() => asked.delete(address.href));
    asked.set(address.href, answer);
  }
  return asked.get(address.href);
}

function fillWhen(faces, group) {
  faces.then((html) => {
    if (target?.group !== group || part("faces").childElementCount) return;
    part("faces").innerHTML = html;
    if (sheet.open && document.activeElement === sheet) focusFirst();
  }, () => {
    if (target?.group !== group) return;
    typed(true);
    say(texts["no-list"]);
  });
}

/** Take up the person of the signature that was refused: the touched face, else the typed name. */
function again(group) {
  const named = inputOf(group, "name").value, touched = group.querySelector("[name=touched]").value === "1";
  const face = touched && part("faces").querySelector(`[data-name="${CSS.escape(named)}"]`);
  if (face && face.getAttribute("aria-disabled") !== "true") choose(face);
  else if (!touched && named) {
    typed(true);
    name.value = named;
  }
  paint();
}

/** Say what is signed: the title, what was chosen and typed in the form, and what the form tells of it besides. */
function describe() {
  const { form, group, submitter } = target, own = "own" in group.dataset;
  const title = words(submitter);
  part("title").textContent = title;
  part("asked").hidden = own;
  part("count").textContent = own ? "●" : "●●";
  part("sign").textContent = own ? texts.one : (group.querySelector(".how-many")?.lastChild.textContent.trim() ?? texts.two);
  const facts = factsOf(form, group);
  part("facts").replaceChildren(...facts.map(([label, value]) => {
    const row = document.createElement("div");
    row.append(Object.assign(document.createElement("dt"), { textContent: label }), Object.assign(document.createElement("dd"), { textContent: value }));
    return row;
  }));
  const details = form.querySelector("[data-what]");
  part("details").replaceChildren(...(details ? [details.content ? details.content.cloneNode(true) : copyOf(details)] : []));
  part("brief").textContent = [details?.dataset.brief, ...facts.map(([, value]) => value)].filter(Boolean).join(" · ") || title;
  sheet.querySelector(".what").classList.remove("open");
  part("whole").setAttribute("aria-expanded", "false");
}

const words = (button) => (button?.dataset.title || button?.textContent || "").replace(/[▸▴✓✕…]/g, "").replace(/\s+/g, " ").trim();

function copyOf(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
  return copy;
}

/** [[label, value]…] of what a form says that somebody has chosen or typed, as it reads on the page. */
function factsOf(form, group) {
  const facts = [], many = new Map(), within = form.querySelector("[data-facts]") || form;
  for (const field of form.elements) {
    if (group.contains(field) || !within.contains(field) || ["hidden", "password", "submit", "button", "fieldset"].includes(field.type) || !field.value) continue;
    const label = field.labels?.[0]?.textContent.replace(/\s+/g, " ").trim() || "";
    if (field.type === "checkbox" || field.type === "radio") {
      if (!field.checked) continue;
      const legend = field.closest("fieldset")?.querySelector("legend")?.textContent.trim() || field.closest(".field")?.querySelector("label")?.textContent.trim() || "";
      if (!many.has(legend)) facts.push([legend, many.set(legend, []).get(legend)]);
      many.get(legend).push(label === legend ? "✓" : label);
    } else if (field.tagName === "SELECT") facts.push([label, field.selectedOptions[0].textContent.trim()]);
    else if (field.type === "date") facts.push([label, dayOf(field.value)]);
    else facts.push([label, field.classList.contains("dollars") && /^[\d.,]+$/.test(field.value) ? `$${field.value}` : field.value]);
  }
  return facts.map(([label, value]) => [label, Array.isArray(value) ? value.join(", ") : value]);
}

/** A day as pages say it: "Sun Dec 20, 2026". */
const dayOf = (value) => new Date(`${value}T12:00`).toLocaleDateString("en-US", { weekday: "short", month: "short", day: "numeric", year: "numeric" }).replace(",", "");

function close() {
  if (sheet.open) sheet.close();
}

sheet.addEventListener("close", () => {
  target = null;
  sent = false;
  clear();
  name.value = "";
});
part("cancel").addEventListener("click", () => {
  const back = target?.group.closest("form")?.dataset.back;
  close();
  if (back) location.assign(back);
});
part("whole").addEventListener("click", () => {
  const shown = sheet.querySelector(".what").classList.toggle("open");
  part("whole").setAttribute("aria-expanded", String(shown));
});

// --- Who signs ----------------------------------------------------------------------------------------------------------

const faces = () => [...part("faces").querySelectorAll("[data-name]")];

part("faces").addEventListener("click", (event) => {
  const more = event.target.closest("[data-part=more]");
  if (more) {
    const further = faces().filter((face) => face.hidden);
    further.forEach((face) => { face.hidden = false; });
    more.remove();
    return further[0]?.focus();
  }
  const face = event.target.closest("[data-name]");
  if (!face) return;
  if (face.getAttribute("aria-disabled") === "true") return say(`${face.dataset.called}: ${face.querySelector("small").textContent.replace("◷", "").trim()}`);
  choose(face);
});

function choose(face) {
  if (face !== chosen) clear();
  chosen = face;
  face.hidden = false;
  typed(false);
  faces().forEach((each) => each.setAttribute("aria-pressed", String(each === face)));
  paint();
  pin.focus({ preventScroll: true });
}

/** Show the field of a typed name in the place of its button, or the button again. */
function typed(shows) {
  part("typed").hidden = !shows;
  part("else").hidden = shows;
  if (shows) {
    chosen = null;
    faces().forEach((each) => each.setAttribute("aria-pressed", "false"));
  }
}

part("else").addEventListener("click", () => {
  clear();
  typed(true);
  paint();
  name.focus({ preventScroll: true });
});

const named = () => (chosen ? chosen.dataset.name : part("typed").hidden ? "" : name.value.trim());

/** Focus where one begins: the first face that may be touched, else the field of a name. */
function focusFirst() {
  const first = faces().find((face) => !face.hidden && face.getAttribute("aria-disabled") !== "true");
  (first || (part("typed").hidden ? part("else") : name)).focus({ preventScroll: true });
}

/* A badge reader types, wherever the focus is; so does somebody at a keyboard. Figures after a face are its PIN. */
document.addEventListener("keydown", (event) => {
  if (!sheet.open || !(sheet.contains(event.target) || event.target === document.body)) return;
  if (event.target === name && event.key === "Enter") {
    event.preventDefault();
    return name.value.trim() && pin.focus();
  }
  if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (named() && (/^\d$/.test(event.key) || event.key === "Backspace")) return pin.focus();
  if (event.key.length !== 1 || event.key === " ") return;
  clear();
  typed(true);
  paint();
  name.focus();
});

// --- The PIN ------------------------------------------------------------------------------------------------------------

/** Forget the PIN, and what was said. */
function clear() {
  clearTimeout(forgets);
  pin.value = "";
  pin.removeAttribute("aria-invalid");
  part("says").classList.remove("stop");
  part("says").textContent = "";
}

function say(message, isRefusal = false) {
  const says = part("says");
  says.classList.toggle("stop", isRefusal);
  const strong = Object.assign(document.createElement("b"), { textContent: `✕ ${texts["not-signed"]} ` });
  says.replaceChildren(...(isRefusal ? [strong] : []), message);
  if (isRefusal) pin.setAttribute("aria-invalid", "true");
}

/** Show whose PIN is asked for, and whether it can be sent. */
function paint() {
  const who = chosen?.dataset.called || named();
  part("pin-of").textContent = who ? texts["pin-of"].replace("{name}", who) : texts.pin;
  part("do").setAttribute("aria-disabled", String(sent || !who || pin.value.length < LEAST));
  if (!part("says").textContent) say(who ? texts.types : texts.first);
}

pin.addEventListener("input", () => {
  const digits = pin.value.replace(/\D/g, "");
  if (digits !== pin.value) pin.value = digits;
  clearTimeout(forgets);
  forgets = setTimeout(() => { clear(); paint(); }, FORGOTTEN_MS);
  if (part("says").classList.contains("stop")) {
    pin.removeAttribute("aria-invalid");
    say(texts.types);
  }
  paint();
});
name.addEventListener("input", () => { clear(); paint(); });

sheet.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (sent || !target) return;
  if (!named()) return say(texts.first);
  if (pin.value.length < LEAST) return say(texts.digits);
  sign();
});

function sign() {
  const { form, group, submitter } = target;
  inputOf(group, "name").value = named();
  inputOf(group, "pin").value = pin.value;
  group.querySelector("[name=touched]").value = chosen ? "1" : "";
  clear();
  sent = true;
  say(texts.sends);
  paint();
  passes = true;
  try { form.requestSubmit(submitter); } finally { passes = false; }
  inputOf(group, "pin").value = ""; // the form is read already
}

for (const leaves of ["pagehide", "visibilitychange"]) {
  addEventListener(leaves, () => { if (target && !sent) { clear(); paint(); } });
}

// --- What the server answers ------------------------------------------------------------------------------------------------

/** The refusal of a signature that the page shows, with its form; null for none. */
function refusalOf(root) {
  const shown = root.querySelector("[data-refusal]");
  if (shown && !OF_SIGNATURE.has(shown.dataset.refusal)) return null;
  const group = [...root.querySelectorAll("[data-signature]")].find((each) => inputOf(each, "name").value);
  const said = group && (group.querySelector(".field-error") || shown?.querySelector("[data-text], p"));
  if (!said) return null;
  const plain = said.cloneNode(true);
  plain.querySelector("strong")?.remove(); // "Not authorized.", which the message repeats
  const message = said.dataset.text || plain.textContent.replace("▲", "").replace(/\s+/g, " ").trim();
  return { group, form: group.closest("form"), message };
}

/** The table page has replaced its screen by what the server answered (table/screen.js). */
document.addEventListener("screen:shown", () => {
  bind();
  if (!target || target.form.isConnected) return;
  const refused = sent ? refusalOf(document.getElementById("screen")) : null;
  if (!refused) return close();
  sent = false;
  target = { ...target, ...refused, submitter: refused.form.querySelector("button[data-signs], button:not([type=button])") };
  say(refused.message, true);
  const before = target.group;
  facesOf(before, { anew: true }).then((html) => target?.group === before && renew(html), () => {});
  paint();
  pin.focus({ preventScroll: true });
});

/** Show who rests now; every face keeps its place. */
function renew(html) {
  const found = new DOMParser().parseFromString(html, "text/html");
  for (const face of faces()) {
    const now = found.querySelector(`[data-name="${CSS.escape(face.dataset.name)}"]`);
    if (!now) continue;
    const rests = now.getAttribute("aria-disabled") === "true";
    face.toggleAttribute("aria-disabled", rests);
    if (rests) face.setAttribute("aria-disabled", "true");
    face.querySelector("small").replaceWith(document.adoptNode(now.querySelector("small")));
    if (rests && face === chosen) {
      chosen = null;
      face.setAttribute("aria-pressed", "false");
      pin.removeAttribute("aria-invalid");
      paint();
      focusFirst();
    }
  }
}

/** No answer came to a table's command: the form keeps its key, and signing again is safe. */
document.addEventListener("command:unanswered", () => {
  if (!target || !sent) return;
  sent = false;
  say(texts.unanswered, true);
  paint();
  pin.focus({ preventScroll: true });
});

/* A page that comes back from the browser's memory has sent its form. */
addEventListener("pageshow", (event) => { if (event.persisted) close(); });

bind();
const refused = refusalOf(document);
const opens = document.querySelector("[data-signature][data-opens]");
if (refused) open(refused.form, refused.group, null, refused.message);
else if (opens) open(opens.closest("form"), opens, null);
