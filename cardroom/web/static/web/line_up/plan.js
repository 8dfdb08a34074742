// The plan of the line-up by touch: tables and dealers are chips that are put into strings in order. The form's fields hold the
// plan; what is touched is written into them, and without this script they are filled in themselves.

const form = document.querySelector("form.plan");
const board = document.getElementById("plan-board");
const fields = form.querySelector(".plan-fields");
const known = JSON.parse(document.getElementById("plan-chips").textContent);
const strings = [...form.querySelectorAll("[data-string]")].map((each) => each.dataset.string);

/** The string to whose end a touch on a chip beside the strings puts it, and the chip of a string that was touched last. */
let current = strings[0];
let picked = null;

const field = (name) => form.elements[name];
const nameOf = (string) => field(`name-${string}`).value.trim() || "–";
const tablesOf = (string) => (field(`tables-${string}`).value.match(/\d+/g) ?? []).map(Number);
const order = () => (field("order").value.match(/\d+/g) ?? []).map(Number);

function dealersOf(string) {
  const there = known.dealers.filter((each) => field(`dealer-${each.id}`).value === string).map((each) => each.id);
  const place = (id) => (order().includes(id) ? order().indexOf(id) : order().length);
  return there.sort((a, b) => place(a) - place(b));
}

/** What kind of chip is where: its ids in a string, in their order. */
const KINDS = {
  table: {
    all: known.tables.map((each) => each.number),
    of: tablesOf,
    write: (string, ids) => (field(`tables-${string}`).value = ids.join(" ")),
  },
  dealer: {
    all: known.dealers.map((each) => each.id),
    of: dealersOf,
    write(string, ids) {
      for (const each of known.dealers) {
        const its = field(`dealer-${each.id}`);
        if (ids.includes(each.id)) its.value = string;
        else if (its.value === string) its.value = "";
      }
      const others = order().filter((id) => !ids.includes(id));
      field("order").value = [...others, ...ids].join(" ");
    },
  },
};

const stringOf = (kind, id) => strings.find((string) => KINDS[kind].of(string).includes(id));

function put(kind, id, string, place = Infinity) {
  const from = stringOf(kind, id);
  if (from !== undefined) KINDS[kind].write(from, KINDS[kind].of(from).filter((each) => each !== id));
  if (string === undefined) return;
  const ids = KINDS[kind].of(string).filter((each) => each !== id);
  ids.splice(place, 0, id);
  KINDS[kind].write(string, ids);
}

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const clock = (time) => {
  const [hours, minutes] = time.split(":").map(Number);
  return `${hours % 12 || 12}:${String(minutes).padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
};

function chip(kind, id, place) {
  const is = picked?.kind === kind && picked.id === id;
  const made = make("button", { type: "button", class: `put ${kind}`, "data-kind": kind, "data-id": id, "aria-pressed": is });
  if (kind === "table") {
    const table = known.tables.find((each) => each.number === id);
    made.append(make("span", { class: "unseen" }, "Table "), String(id));
    if (!table.open) made.append(make("small", {}, "closed"));
  } else {
    const dealer = known.dealers.find((each) => each.id === id);
    const start = field(`start-${id}`).value;
    made.append(make("span", { class: `face ${dealer.tone}`, "aria-hidden": "true" }, dealer.initials), make("b", {}, dealer.name));
    if (start) made.append(make("small", {}, clock(start)));
  }
  if (place !== undefined) made.prepend(make("span", { class: "nth", "aria-hidden": "true" }, String(place + 1)));
  return made;
}

function lane(kind, ids, numbered) {
  const label = kind === "table" ? "Tables" : "Dealers";
  const none = make("span", { class: "sub" }, kind === "table" ? "no table" : "no dealer");
  return make("div", { class: "lane", role: "group", "aria-label": label }, ...(ids.length ? ids.map((id, place) => chip(kind, id, numbered ? place : undefined)) : [none]));
}

/** What may be done with the chip that was touched: in a bar of its own, so that no chip moves when it is touched. */
function bar() {
  const made = make("div", { class: "put-bar", role: "toolbar", "aria-label": "The chip that was touched" });
  if (picked === null) {
    made.append(make("span", { class: "sub" }, `Touch a table or dealer in no string: it goes to the end of string ${nameOf(current)}. Touch one in a string to move it.`));
    return made;
  }
  const { kind, id } = picked;
  const string = stringOf(kind, id);
  const ids = KINDS[kind].of(string);
  const at = ids.indexOf(id);
  const name = kind === "table" ? `Table ${id}` : known.dealers.find((each) => each.id === id).name;
  made.append(make("b", {}, name));
  const act = (does, text, off) => made.append(make("button", { type: "button", "data-does": does, ...(off ? { disabled: "" } : {}) }, text));
  act("earlier", "◂ Earlier", at === 0);
  act("later", "Later ▸", at === ids.length - 1);
  for (const other of strings) if (other !== string && inUse(other)) act(`to-${other}`, `To ${nameOf(other)}`);
  act("out", "Take out");
  if (kind === "dealer") {
    const starts = make("input", { type: "time", "aria-label": `${name} starts at`, "data-starts": id });
    starts.value = field(`start-${id}`).value;
    made.append(make("label", { class: "starts" }, "starts at ", starts));
  }
  return made;
}

/** Strings that hold something, the current one, and the next that is free. */
function inUse(string) {
  const holds = (each) => tablesOf(each).length + dealersOf(each).length > 0;
  return holds(string) || string === current || strings.find((each) => !holds(each)) === string;
}

function draw() {
  const focus = document.activeElement?.closest("#plan-board [data-kind], #plan-board [data-does], #plan-board [data-current]");
  const key = focus && ["kind", "id", "does", "current"].map((name) => focus.dataset[name] ?? "").join(" ");
  const inStrings = strings.filter(inUse).map((string) => {
    const name = make("input", { type: "text", value: field(`name-${string}`).value, maxlength: 20, "aria-label": "Name of the string", "data-name": string, autocomplete: "off" });
    const choose = make("button", { type: "button", class: "choose", "data-current": string, "aria-pressed": string === current }, string === current ? "Filled now" : "Fill this one");
    return make("section", { class: `panel string-board${string === current ? " current" : ""}`, "aria-label": `String ${nameOf(string)}` }, make("header", {}, make("span", { class: "sub" }, "String"), name, choose), lane("table", tablesOf(string), true), lane("dealer", dealersOf(string), true));
  });
  const beside = ["table", "dealer"].map((kind) => lane(kind, KINDS[kind].all.filter((id) => stringOf(kind, id) === undefined), false));
  board.replaceChildren(...inStrings, bar(), make("section", { class: "panel beside", "aria-label": "In no string" }, make("header", {}, make("b", {}, "In no string")), ...beside));
  if (key) [...board.querySelectorAll("[data-kind], [data-does], [data-current]")].find((each) => ["kind", "id", "does", "current"].map((name) => each.dataset[name] ?? "").join(" ") === key)?.focus({ preventScroll: true });
}

function touched(kind, id) {
  if (stringOf(kind, id) === undefined) {
    put(kind, id, current);
    picked = null;
  } else {
    picked = picked?.kind === kind && picked.id === id ? null : { kind, id };
    current = stringOf(kind, id);
  }
}

function done(does) {
  const { kind, id } = picked;
  const string = stringOf(kind, id);
  const at = KINDS[kind].of(string).indexOf(id);
  if (does === "earlier") put(kind, id, string, at - 1);
  else if (does === "later") put(kind, id, string, at + 1);
  else if (does === "out") {
    put(kind, id);
    picked = null;
  } else {
    current = does.slice(3);
    put(kind, id, current);
  }
}

board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.kind) touched(button.dataset.kind, Number(button.dataset.id));
  else if (button.dataset.does) done(button.dataset.does);
  else [current, picked] = [button.dataset.current, null];
  draw();
});
board.addEventListener("change", (event) => {
  const { name, starts } = event.target.dataset;
  if (name !== undefined) field(`name-${name}`).value = event.target.value;
  if (starts !== undefined) field(`start-${starts}`).value = event.target.value;
  draw();
});
fields.addEventListener("change", draw);

/** Minutes by touch: five less, five more, within what the field takes; it may still be typed into. */
for (const input of form.querySelectorAll(".minutes input")) {
  const called = form.querySelector(`label[for="${input.id}"]`).firstChild.textContent.trim();
  const step = (by, sign, says) => {
    const made = make("button", { type: "button", "aria-label": `${called}: five minutes ${says}` }, `${sign}5`);
    made.addEventListener("click", () => {
      const least = Number(input.min || 0), most = Number(input.max || Infinity);
      input.value = Math.min(most, Math.max(least, Number(input.value) + by));
    });
    return made;
  };
  const row = make("span", { class: "five" });
  input.before(row);
  row.append(step(-5, "−", "less"), input, step(5, "+", "more"));
}

// The order of the plan in force: each string's dealers are listed in it.
fields.open = fields.querySelector(".field-error") !== null;
board.hidden = false;
draw();
