// Texts of the scripts in the page's language: the page brings along what is not English (cardroom/web/table/script_texts.py).

const known = JSON.parse(document.getElementById("texts")?.content.textContent || "{}");

/** A text by its English template, with `parts` put in for their names in braces. */
export const text = (english, parts = {}) =>
  (known[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? parts[name] : whole));

/** The singular or plural text for a number, which fills {n}. */
export const texts = (one, many, n, parts = {}) => text(n === 1 ? one : many, { n, ...parts });
