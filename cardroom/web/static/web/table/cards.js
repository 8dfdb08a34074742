/* Cards of the round: a picker of four rows of thirteen, one touch a card, the bank last; or typed.
   The form's fields hold the state: the picker writes into them and renders their values. */
import { isResting, rest } from "./press_delay.js";
import { offlineState } from "./screen.js";
import { text } from "./texts.js";

const RANKS = "AKQJT98765432";
const SUITS = [["s", "♠", "spades"], ["h", "♥", "hearts"], ["d", "♦", "diamonds"], ["c", "♣", "clubs"]];
const GLYPHS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
const NAMES = { A: "Ace", K: "King", Q: "Queen", J: "Jack", T: "10" };
const CARD = /(10|[2-9tjqka])([cdhs♣♦♥♠])/gi;

let current = "";
/** Whether the next card that is touched is the one that the bank shows: it is recorded at once, by a form of its own. */
let showing = false;

/** What was entered before the deal was recorded, of the round `round`: the first of it records the deal, and the cards follow. */
let early = { round: "", entries: [] };

const screen = () => document.getElementById("screen");
const isDealt = () => screen().dataset.phase === "cards";
const picker = () => document.getElementById("picker");
/** How many cards a hand has, and decks there are: the game says so, and the page carries it. */
const least = (hand) => Number(inputOf(hand).dataset.least);
const most = (hand) => Number(inputOf(hand).dataset.most);
const decks = () => Number(picker().dataset.decks);
const order = () => picker().dataset.order.split(",");
/* A hand is that of a seat, by its number, or one of the table, by the name of its field. */
const isSeat = (hand) => /^\d+$/.test(hand);
const fieldOf = (hand) => (hand === picker().dataset.bank ? "bank_hand" : isSeat(hand) ? `hand-${hand}` : hand);
const inputOf = (hand) => document.querySelector(`input[name="${fieldOf(hand)}"]`);
const seatCard = (hand) => (isSeat(hand) ? document.querySelector(`.seat[data-seat="${hand}"]`) : null);
const called = (hand) => {
  if (hand === picker().dataset.bank) return text("the bank, seat {seat}", { seat: hand });
  return isSeat(hand) ? text("seat {seat} · {name}", { seat: hand, name: seatCard(hand).dataset.name }) : inputOf(hand).labels[0].firstChild.textContent.toLowerCase();
};

/* "ah kd2c" becomes ["Ah", "Kd", "2c"]; an invalid word stays as typed, for the server's message. */
function cardsIn(typed) {
  return typed.split(/[\s,;.-]+/).filter(Boolean).flatMap((word) => {
    const found = [...word.matchAll(CARD)];
    if (found.map((match) => match[0]).join("") !== word) return [word];
    return found.map(([, rank, suit]) => (rank === "10" ? "T" : rank.toUpperCase()) + (GLYPHS[suit] || suit.toLowerCase()));
  });
}
const cardsOf = (seat) => cardsIn(inputOf(seat).value);
const isCard = (card) => /^[2-9TJQKA][cdhs]$/.test(card);
const isWhole = (hand) => cardsOf(hand).every(isCard) && cardsOf(hand).length >= least(hand) && cardsOf(hand).length <= most(hand);
/* A hand that may have more cards than it has, though it is whole. */
const hasRoom = (hand) => isWhole(hand) && cardsOf(hand).length < most(hand);
/* A folded hand on which no wager depends is mucked unseen: its cards are not asked for. */
const isUnseen = (seat) => seatCard(seat)?.matches("[data-folds-unseen]:has(.decision [data-gives-up] input:checked)") && !cardsOf(seat).length;
const missing = () => order().filter((seat) => !isWhole(seat) && !isUnseen(seat));
const glyphed = (card) => `${card[0] === "T" ? "10" : card[0]}${SUITS.find(([suit]) => suit === card[1])[1]}`;
const nameOf = (card) => text("{rank} of {suit}", { rank: text(NAMES[card[0]] || card[0]), suit: text(SUITS.find(([suit]) => suit === card[1])[2]) });

function write(seat, cards) {
  const input = inputOf(seat);
  input.value = cards.join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/* What the cards of a hand of the table count, by the game's own count; nothing where there are none. */
function pointsOf(hand) {
  const cards = cardsOf(hand).filter(isCard), { byRank, figure } = offlineState().count;
  return cards.length ? cards.reduce((sum, card) => sum + byRank[card[0]], 0) % figure : "";
}

function face(card, further) {
  const drawn = document.createElement("span");
  drawn.className = "card";
  drawn.classList.toggle("further", further);
  if (!card) { drawn.classList.add("none"); return drawn; }
  if (!isCard(card)) { drawn.textContent = card; return drawn; }
  drawn.classList.add(`suit-${SUITS.find(([suit]) => suit === card[1])[2]}`);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", nameOf(card));
  const rank = document.createElement("b");
  rank.textContent = glyphed(card).slice(0, -1);
  const suit = document.createElement("i");
  suit.textContent = glyphed(card).slice(-1);
  drawn.append(rank, suit);
  return drawn;
}

function draw() {
  const used = new Map();
  order().forEach((seat) => {
    const cards = cardsOf(seat);
    cards.filter(isCard).forEach((card) => used.set(card, [...(used.get(card) || []), seat]));
    const place = document.querySelector(`[data-cards="${seat}"]`);
    if (place && isUnseen(seat)) place.replaceChildren(Object.assign(document.createElement("span"), { className: "tag", textContent: text("not exposed") }));
    else if (place) place.replaceChildren(...Array.from({ length: Math.max(least(seat), cards.length) }, (_, at) => face(cards[at], at >= least(seat))));
    const points = document.querySelector(`[data-points="${seat}"]`);
    if (points) points.textContent = pointsOf(seat);
    place?.closest(".table-hand")?.classList.toggle("lit", seat === current);
  });
  document.querySelectorAll(".deck button").forEach((button) => {
    const by = (used.get(button.dataset.card) || []).length >= decks() ? used.get(button.dataset.card)[0] : "";
    button.toggleAttribute("data-used", Boolean(by));
    if (by) {
      button.setAttribute("aria-disabled", "true");
      button.dataset.why = text("The {card} is in the hand of {hand}.", { card: nameOf(button.dataset.card), hand: called(by) });
    } else {
      button.removeAttribute("aria-disabled");
      delete button.dataset.why;
    }
  });
  /* While the shown card is asked for, the bank's seat is highlighted. */
  const lit = showing ? picker().dataset.bank : current;
  document.querySelectorAll(".seat").forEach((card) => card.classList.toggle("chosen", card.dataset.seat === lit));
  document.querySelectorAll(".seat-panel").forEach((panel) => panel.classList.toggle("shown", panel.dataset.panel === lit));
  sayNext();
}

function sayNext() {
  const left = missing();
  const prompt = document.getElementById("asked-hand");
  if (prompt) {
    if (showing) prompt.textContent = text("Touch the player-dealer’s exposed card");
    else if (current && !left.length) prompt.textContent = text("A further card of {hand}, or settle", { hand: called(current) });
    else if (current) prompt.textContent = text("Cards of {hand}", { hand: called(current) });
    else prompt.textContent = text("All hands are in: settle");
  }
  const settle = document.getElementById("settle");
  if (!settle || "forbidden" in settle.dataset) return;
  if (left.length) {
    settle.setAttribute("aria-disabled", "true");
    settle.dataset.why = text("Cards are missing: {hands}.", { hands: left.map((hand) => (hand === picker().dataset.bank ? text("the bank") : isSeat(hand) ? text("seat {seat}", { seat: hand }) : called(hand))).join(", ") });
  } else {
    /* The key that entered the last card must not settle as well. */
    if (settle.dataset.why) rest();
    settle.removeAttribute("aria-disabled");
    delete settle.dataset.why;
  }
}

/* The next incomplete hand, clockwise from the one that was just entered, the bank last. */
function goOn() {
  showing = false;
  const after = order().indexOf(current);
  const left = missing();
  current = left.find((seat) => order().indexOf(seat) > after) || left[0] || "";
  if (!current) current = order().find((hand, at) => at > after && hasRoom(hand)) || "";
  draw();
  if (!left.length) document.getElementById("settle").focus();
}

/* The hand after this one, whether it is whole or not: a hand may stand on fewer cards than it may have. */
function step() {
  showing = false;
  current = order()[(order().indexOf(current) + 1) % order().length];
  draw();
}

/* Record the card that the bank shows. */
function show(card) {
  const form = document.getElementById("shown");
  showing = false;
  form.elements.card.value = card;
  form.requestSubmit();
}

/** How many cards lie on the board at each point of a round, as texts; none for another hand. */
function boardSizes(hand) {
  const form = document.getElementById("board-cards");
  return form && hand === form.dataset.hand ? form.dataset.sizes.split(",") : [];
}

/** Record the board once a point's cards lie there: who decides from then on, decides at that point. */
function recordBoard(hand) {
  const form = document.getElementById("board-cards"), cards = cardsOf(hand);
  if (!boardSizes(hand).includes(String(cards.length)) || !cards.every(isCard) || cards.join(" ") === form.dataset.lies) return;
  form.elements.cards.value = cards.join(" ");
  form.requestSubmit();
}

/** Record a decision as it is made; that of another point is not open. */
function recordDecision(radio, decision = radio.value.split(" ").at(-1)) {
  const form = document.getElementById("decide");
  if (!form) return;
  form.elements.seat.value = radio.name.replace("decision-", "");
  form.elements.decision.value = decision;
  form.requestSubmit();
}

/** Record the deal, since its first card is here; what was entered is carried out once the hands may be entered. */
function dealFirst(entry) {
  const form = document.getElementById("step");
  if (early.round !== screen().dataset.round) early = { round: screen().dataset.round, entries: [] };
  early.entries.push(entry);
  if ("dealing" in form.dataset) return;
  form.dataset.dealing = "";
  form.requestSubmit();
}

/** Enter what came before the deal was recorded. */
function enterEarly() {
  const { round, entries } = early;
  early = { round: "", entries: [] };
  if (round !== screen().dataset.round) return;
  for (const entry of entries) {
    if (entry.card) pick(entry.card);
    else enterLine(entry);
    if (entry.wrong) document.dispatchEvent(new CustomEvent("command:refused", { detail: entry }));
  }
}

/** Why a line records no deal: it names no cards; "" if it does. */
function whyNoDeal(line) {
  const words = line.trim().split(/\s+/).filter((word) => !/^(\d+|b|shown?)$/i.test(word) && !onFelt(word));
  const odd = cardsIn(words.join(" ")).find((card) => !isCard(card));
  return words.length && !odd ? "" : text("“{typed}” is no card. Write rank and suit: ah, 10d, 2c.", { typed: odd ?? line });
}

function pick(card) {
  if (showing) return void show(card);
  if (!current) return;
  const cards = cardsOf(current);
  if (cards.length >= most(current)) return;
  const hand = current;
  write(hand, [...cards, card]);
  const count = cards.length + 1;
  if (count === most(current) || (count === least(current) && missing().length)) goOn();
  else if (count === least(current)) drawOn();
  recordBoard(hand);
}

/** Every hand has the least that it may have: further cards are those of the first hand that has room. */
function drawOn() {
  current = order().find(hasRoom) || "";
  draw();
}

function takeBack() {
  showing = false;
  let seat = current;
  if (!seat || !cardsOf(seat).length) {
    const before = order().slice(0, seat ? order().indexOf(seat) : undefined).filter((other) => cardsOf(other).length);
    seat = before.at(-1) || "";
  }
  if (!seat) return;
  current = seat;
  write(seat, cardsOf(seat).slice(0, -1));
  recordBoard(seat);
}

function choose(seat) {
  if (!isDealt() || !order().includes(String(seat))) return;
  showing = false;
  current = String(seat);
  draw();
}

function buildDeck() {
  const deck = picker().querySelector(".deck");
  SUITS.forEach(([suit, glyph, name]) => [...RANKS].forEach((rank) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.card = rank + suit;
    button.className = `suit-${name}`;
    button.setAttribute("aria-label", nameOf(rank + suit));
    button.textContent = `${rank === "T" ? "10" : rank}${glyph}`;
    deck.append(button);
  }));
}

document.addEventListener("click", (event) => {
  if (!picker()) return;
  const card = event.target.closest(".deck [data-card]");
  if (card && !isDealt()) { if (!isResting()) dealFirst({ card: card.dataset.card }); }
  else if (card && !card.hasAttribute("data-used")) pick(card.dataset.card);
  const key = event.target.closest("[data-pick]");
  if (!key) return;
  if (key.dataset.pick === "back") takeBack();
  else if (key.dataset.pick === "next") step();
  else { showing = !showing; draw(); }
});
/* A decision that is touched again is taken back: the seat decides at the next point. */
document.addEventListener("click", (event) => {
  const passing = document.getElementById("decide")?.dataset.passing;
  if (passing && event.isTrusted && event.target.matches?.(".decision input") && event.target.defaultChecked) recordDecision(event.target, passing);
});
document.addEventListener("cards:seat", (event) => choose(event.detail));
document.addEventListener("input", (event) => {
  if (!picker() || !isDealt() || !event.target.matches("input.hand, .decision input")) return;
  draw();
  if (!event.target.matches(".decision input")) return;
  if (event.isTrusted || "typed" in event.target.dataset) recordDecision(event.target);
  /* The seat that was asked for has folded unseen, or one that had folded plays after all. */
  if (!current || isUnseen(current)) goOn();
});
document.addEventListener("change", (event) => { if (event.target.matches("input.hand")) event.target.value = cardsIn(event.target.value).join(" "); });
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !picker() || !event.target.matches("input.hand")) return;
  event.preventDefault();
  event.target.value = cardsIn(event.target.value).join(" ");
  current = event.target.closest(".seat-panel")?.dataset.panel || event.target.name;
  goOn();
  if (current) inputOf(current).focus();
});

/* A typed line: "kh" or "shown kh" for the card that the bank shows, cards for the seat whose turn it is, "4" and cards or a
   decision for seat 4, "b" and the bank's cards, or the name of a hand on the felt and its cards.
   Sets `event.detail` to what was done, or to the error. */
document.addEventListener("cards:line", (event) => {
  if (!picker()) event.detail.wrong = text("No cards are entered here.");
  else if (isDealt()) enterLine(event.detail);
  else {
    event.detail.wrong = whyNoDeal(event.detail.line);
    event.detail.done = "";
    if (!event.detail.wrong) dealFirst({ line: event.detail.line });
  }
});

/** The hand on the felt that a word names, by its field or without its "_hand". */
function onFelt(word = "") {
  const named = word.toLowerCase();
  return isSeat(named) ? undefined : order().find((hand) => hand === named || hand === `${named}_hand`);
}

/** The decisions of that name: a whole path ("check 2x"), or else its last word ("2x"). */
function decidedAs(where, typed) {
  const radios = [...(where?.querySelectorAll(".decision input") || [])];
  const whole = radios.filter(({ value }) => value === typed);
  return whole.length ? whole : radios.filter(({ value }) => value.split(" ").at(-1) === typed);
}

function enterLine(entry) {
  const words = entry.line.trim().split(/\s+/);
  let seat = current;
  const shown = /^shown?$/i.test(words[0]) ? cardsIn(words.slice(1).join(" ")) : showing ? cardsIn(words.join(" ")) : [];
  if (shown.length === 1 && isCard(shown[0])) {
    if (!document.getElementById("shown")) return void (entry.wrong = text("No card of the bank is recorded here."));
    const holder = order().find((other) => other !== picker().dataset.bank && cardsOf(other).includes(shown[0]));
    if (holder) return void (entry.wrong = text("{card} is in the hand of {hand}.", { card: glyphed(shown[0]), hand: called(holder) }));
    show(shown[0]);
    return void (entry.done = text("The bank shows {card}", { card: glyphed(shown[0]) }));
  }
  if (/^(\d+|b)$/i.test(words[0])) {
    const isBank = /^b$/i.test(words[0]);
    /* The bank's hand lies at its seat, or before no seat: the house's own, the banker's. */
    seat = isBank ? picker().dataset.bank || order().find((hand) => /^bank(er)?_hand$/.test(hand)) : words[0];
    words.shift();
    if (isBank && !seat) return void (entry.wrong = text("No card of the bank is recorded here."));
    if (!order().includes(seat)) return void (entry.wrong = text("Seat {seat} has no wagers in this round.", { seat }));
  }
  /* A hand of the felt by its name: "player ah kd", "board ah kd 2c 9s 5h". */
  if (onFelt(words[0])) seat = onFelt(words.shift());
  if (!seat) return void (entry.wrong = text("All hands are in. Name the seat to change one: 4 {cards}.", { cards: inputOf(order().find(isSeat) || order()[0]).placeholder }));
  const decision = words.join(" ").toLowerCase();
  if (decidedAs(document, decision).length) {
    const radios = decidedAs(document.querySelector(`.decision:has(input[name="decision-${seat}"])`), decision);
    if (radios.length !== 1 || radios[0].disabled) return void (entry.wrong = text("Seat {seat} has no decision to make.", { seat }));
    radios[0].checked = true;
    radios[0].dataset.typed = "";
    radios[0].dispatchEvent(new Event("input", { bubbles: true }));
    return void (entry.done = text("Seat {seat}: {done}", { seat, done: decision }));
  }
  const cards = cardsIn(words.join(" "));
  const odd = cards.find((card) => !isCard(card));
  if (odd) return void (entry.wrong = text("“{typed}” is no card. Write rank and suit: ah, 10d, 2c.", { typed: odd }));
  const fewest = least(seat), greatest = most(seat);
  if ((cards.length < fewest || cards.length > greatest) && !boardSizes(seat).includes(String(cards.length))) return void (entry.wrong = text("A hand is {cards} cards; this is {typed}.", { cards: fewest === greatest ? greatest : `${fewest}–${greatest}`, typed: cards.length }));
  const twice = decks() === 1 && cards.find((card, at) => cards.indexOf(card) !== at);
  if (twice) return void (entry.wrong = text("{card} is typed twice.", { card: glyphed(twice) }));
  const holder = decks() === 1 && order().find((other) => other !== seat && cardsOf(other).some((card) => cards.includes(card)));
  if (holder) return void (entry.wrong = text("{card} is in the hand of {hand}.", { card: glyphed(cards.find((card) => cardsOf(holder).includes(card))), hand: called(holder) }));
  current = seat;
  write(seat, cards);
  recordBoard(seat);
  entry.done = `${called(seat)}: ${cards.map(glyphed).join(" ")}`;
  goOn();
}

function bind(event) {
  if (!picker()) return;
  if (!isDealt()) {
    picker().hidden = false;
    buildDeck();
    return;
  }
  picker().hidden = inputOf(order()[0]).disabled;
  if (picker().hidden) return;
  buildDeck();
  document.querySelectorAll(".decision [data-later] input").forEach((radio) => { radio.disabled = true; });
  const wrong = document.querySelector(".seat-panel[data-wrong]");
  /* A confirmed screen goes on with the hand that was being entered. */
  if (!event?.detail?.confirms || !order().includes(current)) {
    current = wrong ? wrong.dataset.panel : missing()[0] || "";
    showing = "shownDue" in picker().dataset && !wrong;
  }
  draw();
  enterEarly();
}

bind();
document.addEventListener("screen:shown", bind);
