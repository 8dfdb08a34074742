/* The inbox: the opened item stays in sight in the list; a filter shows what it leaves as soon as it is chosen. */
document.querySelector(".items .chosen")?.scrollIntoView({ block: "nearest" });

const filters = document.querySelector("[data-filters]");
filters?.addEventListener("change", () => filters.requestSubmit());
const box = filters?.closest("details"), wide = matchMedia("(min-width: 1280px)");
const fit = () => { if (wide.matches) box.open = true; };
if (box) { fit(); wide.addEventListener("change", fit); }
