// The service worker of the site: keeps the files of the pages and the last page of each table, so that a tablet can be
// opened again while the server cannot be reached. It answers from what it kept only when the server cannot be reached, and it never
// touches what is sent.
const KNOWN = {{ known|safe }};
const FILES = "files-{{ name }}";
const PAGES = "tables";
const TABLE = /^\/tables\/\d+\/$/;
/** A file whose name carries its content never changes. */
const STAMPED = /\.[0-9a-f]{12}\.\w+$/;
const PATIENCE = 5000;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(KNOWN.files)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== FILES && name !== PAGES) await caches.delete(name);
    await clients.claim();
    // A page that was there before the worker was: from now on it is kept.
    for (const client of await clients.matchAll()) {
      const { pathname } = new URL(client.url);
      if (TABLE.test(pathname)) await keep(new Request(pathname), await fetch(pathname, { redirect: "manual" }));
    }
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  // Nobody finds the tables of whoever was signed in before.
  if (pathname === KNOWN.signOut || pathname === KNOWN.signIn) return void event.waitUntil(caches.delete(PAGES));
  if (request.method !== "GET") return;
  if (pathname.startsWith(KNOWN.static)) event.respondWith(file(request));
  else if (TABLE.test(pathname)) event.respondWith(table(request, pathname));
});

async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept && STAMPED.test(new URL(request.url).pathname)) return kept;
  return fetch(request).catch((fault) => kept || Promise.reject(fault));
}

async function table(request, pathname) {
  let answer;
  try {
    answer = await Promise.race([fetch(request), new Promise((_, reject) => setTimeout(reject, PATIENCE, new Error("no answer")))]);
  } catch (fault) {
    return (await kept(pathname)) || Promise.reject(fault);
  }
  if (answer.status >= 500) return (await kept(pathname)) || answer;
  await keep(new Request(pathname), answer.clone());
  return answer;
}

async function keep(request, answer) {
  // What does not come from the product itself (a portal's page, a proxy's) is no page of a table.
  if (answer.ok && !answer.redirected && answer.headers.get("X-Answer") === "done") await (await caches.open(PAGES)).put(request, answer);
}

/** The last page of a table, marked as kept. */
async function kept(pathname) {
  const page = await caches.match(pathname, { ignoreVary: true, cacheName: PAGES });
  if (!page) return null;
  const headers = new Headers(page.headers);
  headers.set("X-Kept", "1");
  return new Response(page.body, { status: page.status, headers });
}
