// The acts that were given on this tablet and that the server has not answered yet: kept in the browser (IndexedDB), so
// that they outlive a page, a tab and a tablet that is switched off. They stand in the order in which they were given.
//
// An act: {order, key, table, slug, action, fields: [[name, value]…], version, at, actor: {id, name}, title, pended,
// refused?}. `key` is its idempotency key: an act is sent as often as it takes and is carried out once. `version` is the
// one that the table will have come to when the acts before it are done. `pended` says that it has waited for the line.

const ACTS = "acts";
const bell = "BroadcastChannel" in window ? new BroadcastChannel("acts") : null;
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("cardroom", 1);
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore(ACTS, { keyPath: "order", autoIncrement: true });
      store.createIndex("key", "key", { unique: true });
      store.createIndex("table", "table");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Run `work` on the store in one transaction; resolve with what it asked for once that is written for good. */
async function inStore(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(ACTS, mode, { durability: "strict" });
    const request = work(transaction.objectStore(ACTS));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Return the acts that wait at a table, the first first. */
export const waiting = (table) => inStore("readonly", (store) => store.index("table").getAll(table));

/** Return the acts of every table of this tablet. */
export const waitingAnywhere = () => inStore("readonly", (store) => store.getAll());

/** Put an act behind those that wait; answers false for one that is there already: a button pressed twice. */
export async function add(act) {
  try {
    await inStore("readwrite", (store) => store.add(act));
  } catch (fault) {
    if (fault?.name === "ConstraintError" || fault?.name === "AbortError") return false;
    throw fault;
  }
  ring();
  return true;
}

/** Write acts that have changed in the place of what they were; all of them or none. */
export async function put(...acts) {
  await inStore("readwrite", (store) => acts.map((act) => store.put(act)).at(-1));
  ring();
}

/** Forget acts that are done with. */
export async function remove(...acts) {
  await inStore("readwrite", (store) => acts.map((act) => store.delete(act.order)).at(-1));
  ring();
}

/** Call `heard` when another tab of this browser has changed what waits. */
export function onElsewhere(heard) {
  bell?.addEventListener("message", heard);
}

function ring() {
  bell?.postMessage("changed");
}

/** A new idempotency key. Not `crypto.randomUUID`, which plain http does not have. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
