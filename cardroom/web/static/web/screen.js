// The screen of the table page: reads it, and replaces it without a page load.

const TYPED = "input:not([type=hidden]):not([type=radio]):not([type=checkbox]), textarea";

export const screen = () => document.getElementById("screen");

/** The table's state when the server rendered the screen; see cardroom/web/offline_state.py. */
export const offlineState = () => JSON.parse(document.getElementById("offline-state").content.textContent);

/** Parse a page's HTML and return its #screen, detached; null for a page without one. */
export function screenIn(html) {
  return new DOMParser().parseFromString(html, "text/html").getElementById("screen");
}

/** The message of a refusal's page. */
export function refusalIn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelector("#screen .banner strong")?.remove(); // "The table has moved on.", which the message repeats
  const message = page.querySelector("#screen .banner p") || page.querySelector("main p") || page.querySelector("h1");
  const whole = message?.querySelector("[data-says]")?.dataset.says; // what stands at a field is said there
  return whole || (message ? message.textContent.replace(/\s+/g, " ").trim() : "The server refused it.");
}

/** Whether something was typed here that has not been sent. */
export const isTyped = () =>
  [...screen().querySelectorAll(TYPED)].some((field) => field.value !== field.defaultValue && field.checkVisibility())
  || document.querySelector("#screen .dirty") !== null;

/**
 * Replace the screen by that of an answered page. `typed`: input for the same phase is carried over. Returns false when
 * the page has no screen.
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

/** Show a message over the page, which can be closed. `actions`: {says, press} for each button in it. */
export function note(id, says, ...actions) {
  document.getElementById(id)?.remove();
  const place = screen().querySelector(".overlays");
  if (!says || !place) return;
  const box = document.createElement("p");
  box.id = id;
  box.className = "note note-info";
  box.setAttribute("role", "status");
  box.append(says);
  for (const action of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action.says;
    button.addEventListener("click", action.press);
    box.append(" ", button);
  }
  place.append(box);
}
