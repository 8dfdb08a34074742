// Queue of commands that the server has not answered yet, in IndexedDB, so that it survives a closed page or tab and a
// restart of the tablet. In the order in which the commands were given.
//
// A command: {order, key, table, slug, action, fields: [[name, value]…], version, at, offset, actor: {id, name}, people,
// title, pended, refused?, held?}. `people` are those for whom it was given (`peopleFor`); `held` waits for a decision of its own.
// `key` is its idempotency key: a command may be sent repeatedly and is carried out once. `version` is the
// table's version after the commands before it. `pended` says that it was queued while offline.

const COMMANDS = "commands";
const bell = "BroadcastChannel" in window ? new BroadcastChannel("commands") : null;
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("cardroom", 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore(COMMANDS, { keyPath: "order", autoIncrement: true });
      store.createIndex("key", "key", { unique: true });
      store.createIndex("table", "table");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Run `work` on the store in one transaction; resolve with its result once the transaction is complete. */
async function inStore(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(COMMANDS, mode, { durability: "strict" });
    const request = work(transaction.objectStore(COMMANDS));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Return the queued commands of a table, oldest first. */
export const waiting = (table) => inStore("readonly", (store) => store.index("table").getAll(table));

/** Return the queued commands of all tables on this tablet. */
export const waitingAnywhere = () => inStore("readonly", (store) => store.getAll());

/** Append a command to the queue; returns false if it is there already: a button pressed twice. */
export async function add(command) {
  try {
    await inStore("readwrite", (store) => store.add(command));
  } catch (fault) {
    if (fault?.name === "ConstraintError" || fault?.name === "AbortError") return false;
    throw fault;
  }
  ring();
  return true;
}

/** Replace changed commands, in one transaction. */
export async function put(...commands) {
  await inStore("readwrite", (store) => commands.map((command) => store.put(command)).at(-1));
  ring();
}

/** Delete commands that are done. */
export async function remove(...commands) {
  await inStore("readwrite", (store) => commands.map((command) => store.delete(command.order)).at(-1));
  ring();
}

/** Call `listener` when another tab of this browser has changed the queue. */
export function onElsewhere(listener) {
  bell?.addEventListener("message", listener);
}

function ring() {
  bell?.postMessage("changed");
}

/** A new idempotency key. Not `crypto.randomUUID`, which plain http does not have. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
