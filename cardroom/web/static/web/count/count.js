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
  all.hidden = false;
  all.querySelector("output").textContent = total === null ? "–" : dollars.format(total / 100);
}

for (const form of document.querySelectorAll("form[data-count]")) {
  form.addEventListener("input", () => sum(form));
  // Enter goes on to the next row, as on a counting machine; only the button submits the count.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("[data-worth]")) return;
    event.preventDefault();
    const fields = [...form.querySelectorAll("[data-worth], button")];
    fields[fields.indexOf(event.target) + 1].focus();
  });
  sum(form);
}
