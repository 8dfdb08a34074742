// Client of the server-sent events, which also detects a lost stream.

/** Seconds of silence after which the stream counts as lost: the server sends `here` every 15. */
const SILENCE = 40;
/** Milliseconds before a refused stream is retried; the browser reconnects a broken one by itself. */
const AGAIN = 3000;

/**
 * Follow the stream at `address`. `hear.change(event, data)` is called for each `table`, `alert`, `room`, `line_up` and `meter`
 * with how far it has come; on connecting, once for everything; and for each `card` of a table, drawn. `hear.connection(live)` is
 * called when the connection is lost or found again.
 */
export function follow(address, hear) {
  let source = null;
  let heardAt = 0;
  let live = null;

  function connection(now) {
    if (now !== live) hear.connection((live = now));
  }

  function open() {
    source?.close();
    heardAt = Date.now();
    source = new EventSource(address);
    source.addEventListener("here", () => (heardAt = Date.now()));
    source.addEventListener("connection", (event) => {
      heardAt = Date.now();
      connection(JSON.parse(event.data).live);
    });
    for (const name of ["room", "table", "meter", "alert", "card", "line_up"])
      source.addEventListener(name, (event) => {
        heardAt = Date.now();
        hear.change(name, JSON.parse(event.data));
      });
    source.addEventListener("error", () => {
      connection(false);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN);
    });
  }

  // A dead connection raises no error in the browser: events just stop.
  setInterval(() => {
    if (source.readyState === EventSource.OPEN && Date.now() - heardAt > SILENCE * 1000) {
      connection(false);
      open();
    }
  }, 5000);
  addEventListener("offline", () => connection(false));
  addEventListener("online", open);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
}
