// Client of the server-sent events, which also detects a lost stream.

/** Seconds of silence after which the stream counts as lost: the server sends `here` every 15. */
const SILENCE = 40;
/** Milliseconds before a refused stream is retried; the browser reconnects a broken one by itself. */
const AGAIN = 3000;

/**
 * Follow the stream at `address`. `hear.change(event, data)` is called for each `table`, `alert`, `room` and `meter` with
 * how far it has come; on connecting, once for everything; and for each `card` of a table, drawn. `hear.line(live)` is
 * called when the line is lost or found again.
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
    for (const name of ["room", "table", "meter", "alert", "card"])
      source.addEventListener(name, (event) => {
        heardAt = Date.now();
        hear.change(name, JSON.parse(event.data));
      });
    source.addEventListener("error", () => {
      line(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN);
    });
  }

  // A dead connection raises no error in the browser: events just stop.
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
