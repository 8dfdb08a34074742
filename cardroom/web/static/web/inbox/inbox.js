/* The inbox: the opened item stays in sight in the list; a filter shows what it leaves as soon as it is chosen. */
document.querySelector(".items .chosen")?.scrollIntoView({ block: "nearest" });

const filters = document.querySelector("[data-filters]"), box = filters?.closest("details");
if (box) {
  filters.querySelector("button").hidden = true;
  filters.addEventListener("change", () => filters.requestSubmit());
  const wide = matchMedia("(min-width: 1280px)"), fit = () => { box.open = wide.matches; };
  fit();
  wide.addEventListener("change", fit);
}
