// What this tablet is called, and by how much its clock differs from the server's: kept by its browser.

const NAME = "screen", OFFSET = "clock-offset";

/** The name of this tablet: the same after it was switched off. */
export function tabletName() {
  let given = localStorage.getItem(NAME);
  if (!given) localStorage.setItem(NAME, (given = Math.random().toString(36).slice(2, 12)));
  return given;
}

/** The server's clock less this tablet's in milliseconds, as it was measured last; null before. */
export const clockOffset = () => JSON.parse(localStorage.getItem(OFFSET) ?? "null");

/** Measure that by the `Date` of an answer, in whole seconds, to what was asked at `asked` by this tablet's clock. */
export function measureClock(date, asked) {
  const server = Date.parse(date || "");
  if (Number.isFinite(server)) localStorage.setItem(OFFSET, Math.round(server + 500 - (asked + Date.now()) / 2));
}
