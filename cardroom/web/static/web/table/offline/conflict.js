// Commands that the server refused, or that another user left in this tablet's queue: shown with the table's present state,
// for a person to decide. Nothing leaves the queue without being sent or reported.

import { freshKey, remove } from "./queue.js";
import { personNow } from "./reducer.js";
import { offlineState, screen } from "../screen.js";
import { presentState } from "./messages.js";
import { isAnswer, send } from "./sending.js";
import { text } from "../texts.js";

const dialog = document.getElementById("conflict");
const part = (name) => dialog.querySelector(`[data-part=${name}]`);

let decided = null, changing = null, lastShownFor = "";
let reportKey = freshKey();

/** Register the callbacks that carry a decision out: {again(commands), settled(), present() → {commands, version}}. */
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
export function opener(label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", open);
  return button;
}

/** Show the queued commands and why they are not sent; the panel opens by itself once for each refusal. */
export function show(commands, me) {
  const [command, ...behind] = commands;
  const foreign = command.actor.id !== me.id;
  const shownFor = `${command.order}:${command.key}:${Boolean(command.refused)}`;
  part("title").textContent = command.title;
  part("given").textContent = text("Given by {name} at {time}, while the tablet was offline.", { name: command.actor.name, time: new Date(command.at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone: document.getElementById("conflict").dataset.zone }) });
  part("typed").replaceChildren(...command.typed.map(row));
  part("text").textContent = foreign
    ? text("{name} gave this and is not signed in here. Only they can send it: sign in as them, or set it aside with a reason.", { name: command.actor.name })
    : command.refused?.message || text("Others are at the table than when this was given. Each entry is decided by itself.");
  part("now").textContent = presentState();
  part("who").replaceChildren(...(command.people || []).map((each) => row([roleOf(each), thenAndNow(each)])));
  const missing = changesOf(command).find((each) => !each.now);
  part("does").textContent = missing
    ? text("It cannot be sent as it is: nobody is at {place} now.", { place: roleOf(missing) })
    : doesOf(command);
  part("behind").replaceChildren(...behind.map((each) => Object.assign(document.createElement("li"), { textContent: isMixed(commands) ? inShort(each) : each.title })));
  part("behind-box").hidden = !behind.length;
  part("all-box").hidden = !behind.length;
  part("again").hidden = foreign || Boolean(missing);
  part("change").hidden = foreign;
  part("again").textContent = isMixed(commands) ? text("Send this entry alone, on the present state") : text("Send it again on the present state");
  const form = formFor(command);
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

/** Who is somewhere else, or gone, since a command was given: its people with who is there `now`, null for nobody. */
const changesOf = (command) => (command.people || []).map((each) => ({ ...each, now: personNow(each, offlineState()) })).filter(({ id, now }) => now?.id !== id);

/** Whether any of the commands names other people than are at the table: each is then decided by itself. */
const isMixed = (commands) => commands.some((command) => changesOf(command).length > 0);

const roleOf = ({ as, seat }) => (as === "dealer" ? text("the dealer on duty") : as === "bank" ? text("the bank, seat {seat}", { seat }) : text("seat {seat}", { seat: as }));

function thenAndNow(each) {
  const now = personNow(each, offlineState());
  if (now?.id === each.id) return each.name;
  return now ? text("{then} when it was given, {now} now", { then: each.name, now: now.name }) : text("{then} when it was given, nobody now", { then: each.name });
}

/** What a command does if it is sent now: what was typed, for those who are there now. */
function doesOf(command) {
  const what = [command.title, ...command.typed.map(([label, value]) => `${label}: ${value}`)].join(" · ");
  const people = (command.people || []).map((each) => `${roleOf(each)} ${personNow(each, offlineState())?.name || "–"}`).join(", ");
  return people ? text("Sent now, it records: {what}, for {people}.", { what, people }) : text("Sent now, it records: {what}.", { what });
}

/** A queued command in the list: what it does, and who has changed. */
const inShort = (command) => [doesOf(command), ...changesOf(command).map((each) => `▲ ${roleOf(each)}: ${thenAndNow(each)}`)].join(" ");

/** A command that is decided to be for those who are at the table now. */
const forThoseNow = (command) => ({ people: (command.people || []).map((each) => ({ ...each, ...personNow(each, offlineState()) })) });

/** The form of the same command on the screen that the server rendered last, if it may be submitted. */
function formFor(command) {
  const button = document.querySelector(`#screen button[data-command="${command.slug}"]`);
  const form = button?.form || document.querySelector(`#screen form[data-command="${command.slug}"]`);
  return form && !form.querySelector("[data-next][aria-disabled=true]") ? form : null;
}

/** The idempotency key of a decided command: a new one, or its own if it is unknown whether it was recorded. */
const keyOf = (command) => (command.refused?.unknown ? command.key : freshKey());

/**
 * Renumber commands from `version` on; the first, which was refused, gets a new key with its new content. Where people have
 * changed those after it are held (`mixed`), each for a decision of its own.
 */
function renumbered(commands, version, first, mixed) {
  return commands.map((command, index) => {
    const { refused, held, ...plain } = index ? command : { ...command, ...first };
    // Later commands keep their offsets: one press may be two commands.
    return { ...plain, version: version + command.version - commands[0].version, ...(index && mixed ? { held: true } : {}) };
  });
}

dialog.querySelector("[data-close-dialog]").addEventListener("click", () => dialog.close());

part("again").addEventListener("click", () => {
  const { commands, version } = decided.present();
  dialog.close();
  decided.again(renumbered(commands, version, { key: keyOf(commands[0]), ...forThoseNow(commands[0]) }, isMixed(commands)));
});

part("change").addEventListener("click", () => {
  const { commands: [command] } = decided.present();
  const form = formFor(command);
  if (!form) return;
  changing = command.order;
  dialog.close();
  const fields = new Map(command.fields);
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden" || field.disabled) continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = fields.get(field.name) === field.value;
    else if (field.type !== "submit") field.value = fields.get(field.name) || "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  screen().querySelector("[data-next]")?.focus();
});

/** Whether `command`, just given on the screen, replaces the refused one. */
export const isChanging = (refused, command) => changing === refused.order && refused.slug === command.slug;

/** The queued commands, with the refused one replaced by the changed one, renumbered from the present version. */
export function changed(commands, command, version) {
  changing = null;
  return renumbered(commands, version, { ...command, order: commands[0].order, pended: true, version: commands[0].version }, isMixed(commands));
}

part("aside").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { commands, version } = decided.present();
  const chosen = part("all").checked || commands.length === 1 ? commands : commands.slice(0, 1);
  const setAside = chosen.map(({ slug, title, typed, at, actor, key, version: on }) => ({ command: slug, title, typed, at, by: actor.name, key, version: on }));
  const form = event.target;
  const fields = [["reason", part("reason").value], ["commands", JSON.stringify(setAside)]];
  const reply = await send({ action: form.getAttribute("action"), fields, key: reportKey, version, actor: { id: form.dataset.actor } });
  if (reply.kind !== "done") {
    part("wrong").textContent = !isAnswer(reply) ? text(text("The server was not reached, or failed. Nothing was set aside; try again when it is back."))
      : reply.kind === "signed-out" ? text(text("Sign in first: what is set aside is reported under your name.")) : plainly(reply.html);
    return;
  }
  await remove(...chosen);
  const left = commands.slice(chosen.length);
  if (left.length) decided.again(isMixed(left) ? left.map((command) => ({ ...command, held: true })) : renumbered(left, version, { key: freshKey() }));
  else decided.settled();
});

function plainly(html) {
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim().slice(0, 200);
}
