// Shows sums of rows and of the whole count while pieces are typed. For display only: the server computes its own.

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" });

/** Cents that a field stands for; null for an invalid number (the server refuses it). */
function cents(field) {
  const typed = field.value.trim().replace(/^\$/, "").replaceAll(",", "");
  if (typed === "") return 0;
  if (field.dataset.worth === "dollars") return /^\d+(\.\d{0,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : null;
  return /^\d{1,6}$/.test(typed) ? Number(typed) * Number(field.dataset.worth) : null;
}

function sum(form) {
  let total = 0;
  for (const field of form.querySelectorAll("[data-worth]")) {
    const worth = cents(field);
    const row = field.closest(".piece").querySelector("output");
    row.textContent = worth ? dollars.format(worth / 100) : "";
    total = worth === null || total === null ? null : total + worth;
  }
  const all = form.querySelector(".counted-sum");
  if (!all) return total;
  all.hidden = false;
  all.querySelector("output").textContent = total === null ? "–" : dollars.format(total / 100);
  return total;
}

addEventListener("input", ({ target }) => {
  const form = target.matches("[data-worth]") && target.closest("form[data-count]");
  if (!form) return;
  const total = sum(form), whole = form.querySelector("input[name=cents]");
  // A count that is asked for as a sum is that of the chips, once these are typed.
  if (whole && total !== null) whole.value = total ? dollars.format(total / 100).replace("$", "") : "";
});
// Enter goes on to the next row, as on a counting machine; only the button submits the count.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("form[data-count] [data-worth]")) return;
  event.preventDefault();
  const fields = [...event.target.form.querySelectorAll("[data-worth], button")];
  fields[fields.indexOf(event.target) + 1].focus();
});
for (const form of document.querySelectorAll("form[data-count]")) sum(form);
