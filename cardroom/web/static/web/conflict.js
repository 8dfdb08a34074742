// Acts that the server refused, or that another user left in this tablet's queue: shown with the table's present state,
// for a person to decide. Nothing leaves the queue without being sent or reported.

import { freshKey, remove } from "./queue.js";
import { personNow } from "./offline_reducer.js";
import { offlineState, screen } from "./screen.js";
import { presentState } from "./messages.js";
import { isAnswer, send } from "./sending.js";
import { text } from "./texts.js";

const dialog = document.getElementById("conflict");
const part = (name) => dialog.querySelector(`[data-part=${name}]`);

let decided = null, changing = null, lastShownFor = "";
let reportKey = freshKey();

/** Register the callbacks that carry a decision out: {again(acts), settled(), present() → {acts, version}}. */
export function onDecision(by) {
  decided = by;
}

export const open = () => { if (!dialog.open) dialog.showModal(); };

export function close() {
  changing = null;
  lastShownFor = "";
  if (dialog.open) dialog.close();
}

/** A button that opens the panel, for the status in the page's header. */
export function opener(says) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = says;
  button.addEventListener("click", open);
  return button;
}

/** Show the queued acts and why they are not sent; the panel opens by itself once for each refusal. */
export function show(acts, me) {
  const [act, ...behind] = acts;
  const foreign = act.actor.id !== me.id;
  const shownFor = `${act.order}:${act.key}:${Boolean(act.refused)}`;
  part("title").textContent = act.title;
  part("given").textContent = text("Given by {name} at {time}, while the tablet was offline.", { name: act.actor.name, time: new Date(act.at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: document.getElementById("conflict").dataset.zone }) });
  part("typed").replaceChildren(...act.typed.map(row));
  part("says").textContent = foreign
    ? text("{name} gave this and is not signed in here. Only they can send it: sign in as them, or set it aside with a reason.", { name: act.actor.name })
    : act.refused?.says || text("Others are at the table than when this was given. Each entry is decided by itself.");
  part("now").textContent = presentState();
  part("who").replaceChildren(...(act.people || []).map((each) => row([roleOf(each), thenAndNow(each)])));
  const missing = changesOf(act).find((each) => !each.now);
  part("does").textContent = missing
    ? text("It cannot be sent as it is: nobody is at {place} now.", { place: roleOf(missing) })
    : doesOf(act);
  part("behind").replaceChildren(...behind.map((each) => Object.assign(document.createElement("li"), { textContent: isMixed(acts) ? inShort(each) : each.title })));
  part("behind-box").hidden = !behind.length;
  part("all-box").hidden = !behind.length;
  part("again").hidden = foreign || Boolean(missing);
  part("change").hidden = foreign;
  part("again").textContent = isMixed(acts) ? text("Send this entry alone, on the present state") : text("Send it again on the present state");
  const form = formFor(act);
  part("change").disabled = !form;
  part("change-why").hidden = foreign || Boolean(form);
  if (shownFor === lastShownFor) return;
  lastShownFor = shownFor;
  changing = null;
  part("wrong").textContent = "";
  part("reason").value = "";
  reportKey = freshKey();
  open();
}

function row([label, value]) {
  const line = document.createElement("div"), term = document.createElement("dt"), words = document.createElement("dd");
  term.textContent = label;
  words.textContent = value;
  line.append(term, words);
  return line;
}

/** Who is somewhere else, or gone, since an act was given: its people with who is there `now`, null for nobody. */
const changesOf = (act) => (act.people || []).map((each) => ({ ...each, now: personNow(each, offlineState()) })).filter(({ id, now }) => now?.id !== id);

/** Whether any of the acts names other people than are at the table: each is then decided by itself. */
const isMixed = (acts) => acts.some((act) => changesOf(act).length > 0);

const roleOf = ({ as, seat }) => (as === "dealer" ? text("the dealer on duty") : as === "bank" ? text("the bank, seat {seat}", { seat }) : text("seat {seat}", { seat: as }));

function thenAndNow(each) {
  const now = personNow(each, offlineState());
  if (now?.id === each.id) return each.name;
  return now ? text("{then} when it was given, {now} now", { then: each.name, now: now.name }) : text("{then} when it was given, nobody now", { then: each.name });
}

/** What an act does if it is sent now: what was typed, for those who are there now. */
function doesOf(act) {
  const what = [act.title, ...act.typed.map(([label, value]) => `${label}: ${value}`)].join(" · ");
  const people = (act.people || []).map((each) => `${roleOf(each)} ${personNow(each, offlineState())?.name || "–"}`).join(", ");
  return people ? text("Sent now, it records: {what}, for {people}.", { what, people }) : text("Sent now, it records: {what}.", { what });
}

/** A queued act in the list: what it does, and who has changed. */
const inShort = (act) => [doesOf(act), ...changesOf(act).map((each) => `▲ ${roleOf(each)}: ${thenAndNow(each)}`)].join(" ");

/** An act that is decided to be for those who are at the table now. */
const forThoseNow = (act) => ({ people: (act.people || []).map((each) => ({ ...each, ...personNow(each, offlineState()) })) });

/** The form of the same act on the screen that the server rendered last, if it may be submitted. */
function formFor(act) {
  const button = document.querySelector(`#screen button[data-act="${act.slug}"]`);
  const form = button?.form || document.querySelector(`#screen form[data-act="${act.slug}"]`);
  return form && !form.querySelector("[data-next][aria-disabled=true]") ? form : null;
}

/** The idempotency key of a decided act: a new one, or its own if it is unknown whether it was recorded. */
const keyOf = (act) => (act.refused?.unknown ? act.key : freshKey());

/**
 * Renumber acts from `version` on; the first, which was refused, gets a new key with its new content. Where people have
 * changed those behind it are held (`mixed`), each for a decision of its own.
 */
function renumbered(acts, version, first, mixed) {
  return acts.map((act, index) => {
    const { refused, held, ...plain } = index ? act : { ...act, ...first };
    // Later acts keep their offsets: one press may be two acts.
    return { ...plain, version: version + act.version - acts[0].version, ...(index && mixed ? { held: true } : {}) };
  });
}

dialog.querySelector("[data-close-dialog]").addEventListener("click", () => dialog.close());

part("again").addEventListener("click", () => {
  const { acts, version } = decided.present();
  dialog.close();
  decided.again(renumbered(acts, version, { key: keyOf(acts[0]), ...forThoseNow(acts[0]) }, isMixed(acts)));
});

part("change").addEventListener("click", () => {
  const { acts: [act] } = decided.present();
  const form = formFor(act);
  if (!form) return;
  changing = act.order;
  dialog.close();
  const fields = new Map(act.fields);
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden" || field.disabled) continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = fields.get(field.name) === field.value;
    else if (field.type !== "submit") field.value = fields.get(field.name) || "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  screen().querySelector("[data-next]")?.focus();
});

/** Whether `act`, just given on the screen, replaces the refused one. */
export const isChanging = (refused, act) => changing === refused.order && refused.slug === act.slug;

/** The queued acts, with the refused one replaced by the changed one, renumbered from the present version. */
export function changed(acts, act, version) {
  changing = null;
  return renumbered(acts, version, { ...act, order: acts[0].order, pended: true, version: acts[0].version }, isMixed(acts));
}

part("aside").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { acts, version } = decided.present();
  const chosen = part("all").checked || acts.length === 1 ? acts : acts.slice(0, 1);
  const setAside = chosen.map(({ slug, title, typed, at, actor, key, version: on }) => ({ act: slug, title, typed, at, by: actor.name, key, version: on }));
  const form = event.target;
  const fields = [["reason", part("reason").value], ["acts", JSON.stringify(setAside)]];
  const reply = await send({ action: form.getAttribute("action"), fields, key: reportKey, version, actor: { id: form.dataset.actor } });
  if (reply.kind !== "done") {
    part("wrong").textContent = !isAnswer(reply) ? text(text("The server was not reached, or failed. Nothing was set aside; try again when it is back."))
      : reply.kind === "signed-out" ? text(text("Sign in first: what is set aside is reported under your name.")) : plainly(reply.html);
    return;
  }
  await remove(...chosen);
  const left = acts.slice(chosen.length);
  if (left.length) decided.again(isMixed(left) ? left.map((act) => ({ ...act, held: true })) : renumbered(left, version, { key: freshKey() }));
  else decided.settled();
});

function plainly(html) {
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim().slice(0, 200);
}
