// The screen of the table page: what stands on it, and how another takes its place without the page being loaded anew.

const TYPED = "input:not([type=hidden]):not([type=radio]):not([type=checkbox]), textarea";

export const screen = () => document.getElementById("screen");

/** What the server said of the table when it drew the screen; see cardroom/web/offline_state.py. */
export const ground = () => JSON.parse(document.getElementById("ground").content.textContent);

/** Return the #screen of a page as text, not yet in this one; null for a page that has none. */
export function screenIn(html) {
  return new DOMParser().parseFromString(html, "text/html").getElementById("screen");
}

/** The sentence that a refusal's page says. */
export function refusalIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelector("#screen .banner strong")?.remove(); // "The table has moved on.", which the sentence says again
  const said = page.querySelector("#screen .banner p") || page.querySelector("main p") || page.querySelector("h1");
  const whole = said?.querySelector("[data-says]")?.dataset.says; // what stands at a field is said there
  return whole || (said ? said.textContent.replace(/\s+/g, " ").trim() : "The server refused it.");
}

/** Whether something was typed here that has not been sent. */
export const isTyped = () =>
  [...screen().querySelectorAll(TYPED)].some((field) => field.value !== field.defaultValue && field.checkVisibility())
  || document.querySelector("#screen .dirty") !== null;

/**
 * Show the screen of an answered page in the place of this one. `typed`: what was typed here for the same phase goes
 * over into it. Answers false when the page has no screen.
 */
export function show(html, url, { typed = false } = {}) {
  const next = screenIn(html);
  if (!next) return false;
  const old = screen();
  const kept = typed && old.dataset.phase === next.dataset.phase ? valuesOf(old) : new Map();
  next.querySelectorAll("[autofocus]").forEach((each) => each.removeAttribute("autofocus"));
  const { scrollX, scrollY } = window;
  old.replaceWith(document.adoptNode(next));
  if (url && new URL(url, location.href).pathname !== location.pathname) history.replaceState(null, "", url);
  for (const field of next.querySelectorAll(TYPED)) {
    if (!field.name || !kept.has(field.name) || field.disabled) continue;
    field.value = kept.get(field.name);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  document.dispatchEvent(new CustomEvent("screen:shown"));
  window.scrollTo(scrollX, scrollY);
  return true;
}

function valuesOf(root) {
  const changed = [...root.querySelectorAll(TYPED)].filter((field) => field.name && field.value !== field.defaultValue);
  return new Map(changed.map((field) => [field.name, field.value]));
}

/** Say something over the felt, which can be put away. `actions`: {says, press} for each button in it. */
export function note(id, says, ...actions) {
  document.getElementById(id)?.remove();
  const place = screen().querySelector(".overlays");
  if (!says || !place) return;
  const told = document.createElement("p");
  told.id = id;
  told.className = "note note-info";
  told.setAttribute("role", "status");
  told.append(says);
  for (const action of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action.says;
    button.addEventListener("click", action.press);
    told.append(" ", button);
  }
  place.append(told);
}
