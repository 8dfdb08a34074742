// What the server tells as it happens (server-sent events), and whether it is still telling.

/** Seconds of silence after which the line is taken for lost: the server says `here` every 15. */
const SILENCE = 40;
/** Milliseconds after which a stream that was refused is asked for again; one that broke off asks by itself. */
const AGAIN = 3000;

/**
 * Follow the stream at `address`. `hear.change(event, data)` is called for each `table`, `alert` and `room` with how far
 * it has come; on connecting, once for everything; and for each `card` of a table, drawn. `hear.line(live)` is called
 * when the line is lost or found again.
 */
export function follow(address, hear) {
  let source = null;
  let heardAt = 0;
  let live = null;

  function line(now) {
    if (now !== live) hear.line((live = now));
  }

  function open() {
    source?.close();
    heardAt = Date.now();
    source = new EventSource(address);
    source.addEventListener("here", () => (heardAt = Date.now()));
    source.addEventListener("line", (event) => {
      heardAt = Date.now();
      line(JSON.parse(event.data).live);
    });
    for (const name of ["room", "table", "alert", "card"])
      source.addEventListener(name, (event) => {
        heardAt = Date.now();
        hear.change(name, JSON.parse(event.data));
      });
    source.addEventListener("error", () => {
      line(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN);
    });
  }

  // A line that just goes dead is no error to the browser: nothing comes, and nothing more is said.
  setInterval(() => {
    if (source.readyState === EventSource.OPEN && Date.now() - heardAt > SILENCE * 1000) {
      line(false);
      open();
    }
  }, 5000);
  addEventListener("offline", () => line(false));
  addEventListener("online", open);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}
