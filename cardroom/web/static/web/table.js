/* Small comforts of the table page. Everything works without them. Bound anew whenever #screen was replaced. */
const CARD = /(10|[2-9tjqka])([cdhs♣♦♥♠])/gi;
const GLYPHS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/* "ah kd2c" becomes "Ah Kd 2c"; what cannot be read stays as it is, for the server to name. */
const word = (typed) => {
  const found = [...typed.matchAll(CARD)];
  if (found.map((match) => match[0]).join("") !== typed) return typed;
  return found.map(([, rank, suit]) => (rank === "10" ? "T" : rank.toUpperCase()) + (GLYPHS[suit] || suit.toLowerCase())).join(" ");
};
const hand = (typed) => typed.split(/[\s,;.-]+/).filter(Boolean).map(word).join(" ");

function bind() {
  [...document.querySelectorAll("input.hand")].forEach((input, index, all) => {
    input.addEventListener("blur", () => { input.value = hand(input.value); });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      input.value = hand(input.value);
      /* Enter moves on to the next hand that is empty; after the last it settles, as Enter does in any form. */
      const next = all.slice(index + 1).find((other) => !other.value);
      if (next) { event.preventDefault(); next.focus(); }
    });
  });

  /* Wagers that were typed and not yet placed are marked on the button that places them. */
  const felt = document.getElementById("felt");
  const place = document.getElementById("place-bets");
  if (felt && place) felt.addEventListener("input", () => place.classList.add("dirty"));

  /* A button that says its amount. */
  document.querySelectorAll("button[data-amount]").forEach((button) => {
    const input = document.getElementById(button.dataset.amount);
    const says = button.querySelector(".says");
    const plain = says.textContent;
    const say = () => {
      const amount = input.value.trim().replace(/^\$/, "");
      says.textContent = amount ? button.dataset.says.replace("{}", `$${amount}`) : plain;
    };
    input.addEventListener("input", say);
    say();
  });

  /* One menu is open at a time; Escape and a touch elsewhere close it. */
  const menus = [...document.querySelectorAll("details.menu")];
  menus.forEach((menu) => menu.addEventListener("toggle", () => {
    if (!menu.open) return;
    menus.forEach((other) => { if (other !== menu) other.open = false; });
    const first = menu.querySelector(".menu-box input:not([type=hidden]), .menu-box select, .menu-box button");
    if (first) first.focus();
  }));
  const refusal = document.querySelector(".banner[role=alert]");
  const wrong = document.querySelector("[aria-invalid=true]");
  const hands = [...document.querySelectorAll("input.hand:not(:disabled)")];
  if (wrong) wrong.focus();
  else if (refusal) refusal.focus();
  else if (hands.length) (hands.find((input) => !input.value) || hands[0]).focus();
}

const menusOpen = () => [...document.querySelectorAll("details.menu[open]")];
document.addEventListener("click", (event) => menusOpen().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; }));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menusOpen().forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
});
bind();
document.addEventListener("screen:shown", bind);
