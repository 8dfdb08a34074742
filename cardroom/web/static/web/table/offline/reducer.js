// Reducer of the offline state: applies queued commands to the server's last state (cardroom/web/table/offline_state.py).
// It does not validate: the server accepts or refuses a command when it gets it.

import { centsOf, dollarsOf, quote } from "../fees.js";
import { text } from "../texts.js";

/**
 * The state of the server's page, before any queued command: {base, version, phase, turn, live, last, offers, bankWager,
 * played}. `base` stays the version of that page; `played` counts the rounds that were finished since. `phase` is one of
 * the page's own, or `waits` where nothing more can be done offline.
 */
export const initialState = ({ version, phase, turn, live, last, offers, bankWager }) =>
  ({ base: version, version, phase, turn, live, last, offers, bankWager, played: 0 });

/** The seat that banks next; null where the house banks. */
export const bankOf = (now, offlineState) => (offlineState.house ? null : now.turn.seat);

/** The state after all of `commands`. */
export const offlineResult = (offlineState, commands) => commands.reduce((now, command) => after(now, command, offlineState), initialState(offlineState));

/** The state after one more command. */
export function after(now, command, offlineState) {
  const fields = new Map(command.fields);
  const next = { ...now, version: now.version + 1 };
  switch (command.slug) {
    case "bank": {
      const bank = bankOf(now, offlineState), bets = fields.has("repeat_bets") ? repeated(now, offlineState, bank) : [];
      const wager = centsOf(fields.get("bank_wager_cents") || "");
      return { ...next, phase: "betting", bankWager: wager, live: { bank, wager, bets, actionSeat: null, shown: "" } };
    }
    case "repeat-bets":
      return { ...next, live: { ...now.live, bets: merged(now.live.bets, withTips(repeated(now, offlineState, now.live.bank), now.live.bets)) } };
    case "bets":
      return { ...next, live: { ...now.live, bets: betsIn(fields, now.live, offlineState) } };
    case "no-more-bets": {
      const bets = betsIn(fields, now.live, offlineState);
      // Changed wagers are placed first: a separate command of the same press.
      const version = next.version + (isSame(bets, now.live.bets) ? 0 : 1);
      const actionSeat = Number(fields.get("action_seat")) || null;
      return { ...next, version, phase: "dropped", closedAt: command.at, live: { ...now.live, bets, actionSeat } };
    }
    case "reopen-bets":
      return { ...next, phase: "betting", closedAt: null };
    case "deal":
      return { ...next, phase: offlineState.byEye ? "by_eye" : "cards" };
    case "card-up":
      return { ...next, live: { ...now.live, shown: fields.get("card") } };
    case "later-bets":
      return next; // what follows from them is the server's to say
    case "finish":
    case "settle": {
      const turn = now.turn && { ...now.turn, rounds: now.turn.rounds + 1 };
      return between({ ...next, turn, last: now.live.bets, bankWager: now.live.wager, live: null, played: now.played + 1 }, offlineState);
    }
    case "answer":
      return answered(next, Number(fields.get("seat")), fields.get("answer"));
    case "all-declined": {
      const taker = Number(fields.get("accepted_by")) || null;
      if (taker) return answered(next, taker, "accepted");
      const { then, renews } = now.offers;
      if (then === "renew" && renews) return renewed(next);
      return asking({ ...next, offers: { ...now.offers, order: [] } });
    }
    case "renew":
      return renewed(next);
  }
  throw new Error(`nothing is known here of what comes after “${command.slug}”`);
}

function between(now, offlineState) {
  const mayWinMeter = now.last.some(({ wagers }) => offlineState.meterSpots.some((spot) => wagers[spot]));
  if (mayWinMeter) return { ...now, phase: "waits", why: text("Whether the meter was won is known once back online: no other round begins before.") };
  if (offlineState.house) return { ...now, phase: "ready" };
  if (offlineState.stops || !now.turn) return { ...now, phase: "waits", why: offlineState.stops };
  if (now.turn.rounds < offlineState.turnRounds) return { ...now, phase: "ready" };
  return asking({ ...now, offers: offlineState.offersAfter[now.turn.seat] });
}

function answered(now, seat, answer) {
  if (answer === "accepted") return { ...now, phase: "ready", turn: { seat, rounds: now.offers.counted?.[seat] ?? 0 }, offers: null, bankWager: null };
  return asking({ ...now, offers: { ...now.offers, order: now.offers.order.filter((other) => other !== seat) } });
}

const renewed = (now) => ({ ...now, phase: "ready", turn: { ...now.turn, rounds: 0 }, offers: null });

function asking(now) {
  if (now.offers.order.length) return { ...now, phase: "offer" };
  if (now.offers.then === "renew") return { ...now, phase: "renew" };
  return { ...now, phase: "waits", why: text("Every seat has answered. The server decides who banks next once back online.") };
}

/**
 * Whom `command`, given in the state `now`, is for: [{as, seat, id, name}…]. `as` is "dealer", "bank" or a place ("3", "3b"),
 * as cardroom/floor/execution/given_for.py reads them.
 */
export function peopleFor(now, command, offlineState) {
  const fields = new Map(command.fields);
  const bank = now.live?.bank ?? now.turn?.seat ?? null;
  const isOffer = ["answer", "all-declined"].includes(command.slug);
  const roles = [{ as: "dealer" }, ...(bank === null || isOffer ? [] : [{ as: "bank", seat: bank }])];
  for (const place of placesOf(now, command, fields, bank, offlineState)) roles.push({ as: place });
  return roles.flatMap((role) => {
    const person = personNow(role, offlineState);
    return person ? [{ ...role, ...person }] : [];
  });
}

/** The places, each once, of the players whose answers, wagers or hands a command records. */
function placesOf(now, command, fields, bank, offlineState) {
  const of = (bets) => bets.map(({ place }) => place);
  switch (command.slug) {
    case "answer":
      return [fields.get("seat")];
    case "all-declined": {
      const order = (now.offers?.order || []).map(String), taker = order.indexOf(fields.get("accepted_by"));
      return taker < 0 ? order : order.slice(0, taker + 1);
    }
    case "bank":
      return fields.has("repeat_bets") ? of(repeated(now, offlineState, bank)) : [];
    case "repeat-bets":
      return of(repeated(now, offlineState, bank));
    case "bets":
    case "no-more-bets":
      return now.live ? [...new Set([...of(now.live.bets), ...of(betsIn(fields, now.live, offlineState))])] : [];
  }
  return now.live ? of(now.live.bets) : [];
}

/** Who is there in this state: {id, name}; null for nobody. Who banks is told by the seat. */
export function personNow({ as, seat }, offlineState) {
  if (as === "dealer") return offlineState.dealer;
  const there = offlineState.places.find(({ place }) => place === (as === "bank" ? String(seat) : as));
  return there ? { id: there.id, name: there.player } : null;
}

/** The wagers in a form's fields, as they lie on the table: [{place, seat, player, wagers, tips}…] of the places that have any. */
export function betsIn(fields, live, offlineState) {
  const bets = offlineState.places.filter(({ seat }) => seat !== live.bank).map(({ place, seat, player }) => {
    const bet = { place, seat, player, wagers: {}, tips: {} };
    for (const { id, tip } of offlineState.spots)
      for (const kind of tip ? ["wagers", "tips"] : ["wagers"]) {
        const cents = centsOf(fields.get(`${kind}-${place}-${id}`) || "");
        if (cents) bet[kind][id] = cents;
      }
    return bet;
  });
  return bets.filter((bet) => Object.keys(bet.wagers).length || Object.keys(bet.tips).length);
}

/** The cents of each main wager of a bet. */
const mainWagers = (bet, offlineState) => offlineState.spots.filter(({ id, main }) => main && bet.wagers[id]).map(({ id }) => bet.wagers[id]);
const mainCents = (bet, offlineState) => mainWagers(bet, offlineState).reduce((sum, cents) => sum + cents, 0);

/** What a bet counts toward total table action, in cents; a spot counts as often as it and what equals it do. */
const actionCents = (bet, offlineState) => offlineState.spots.reduce((sum, { id, action }) => sum + action * (bet.wagers[id] || 0), 0);

/** Whether a bet without a main wager has one that needs it, or a tip alone. */
const lacksMain = (bet, offlineState) => !mainCents(bet, offlineState)
  && !(Object.keys(bet.wagers).length && offlineState.spots.every(({ id, needs }) => !bet.wagers[id] || needs === "nothing"));

/** The names of the main wagers: "Player / Banker". */
const mainNames = (offlineState) => offlineState.spots.filter(({ main }) => main).map(({ name }) => name).join(" / ");

/**
 * Whether `command`, given in the state `now`, will do what this reducer says: its input is one that the server takes, as far
 * as this tablet knows. Then its result may be shown before the server has answered.
 */
export function isSure(now, command, offlineState) {
  const fields = new Map(command.fields);
  const mayBank = (seat) => !offlineState.places.find((each) => each.seat === seat)?.mayNotBank;
  switch (command.slug) {
    case "bank":
      return offlineState.house || centsOf(fields.get("bank_wager_cents") || "") >= (offlineState.leastBank ?? 1);
    case "answer":
      if (!now.offers) return false;
      if (fields.get("answer") === "accepted") return mayBank(Number(fields.get("seat")));
      return fields.get("answer") !== "ineligible" || Boolean(fields.get("reason")?.trim());
    case "all-declined":
      return Boolean(now.offers) && mayBank(Number(fields.get("accepted_by")) || null);
    case "bets":
      return !whyNotBets(fields, betsIn(fields, now.live, offlineState), offlineState);
    case "no-more-bets": {
      // With other fees than the button named the server places the wagers, and closes nothing.
      const bets = betsIn(fields, now.live, offlineState);
      const said = Number(fields.get("quoted_cents")) || 0;
      return !whyNotClose(fields, bets, offlineState) && quoteOf(bets, offlineState, now.live).collected === said;
    }
    case "settle": // its money is the server's alone
      return false;
  }
  return true;
}

/** The error in a form's wagers, as far as it is known offline; "" for none. */
export function whyNotBets(fields, bets, offlineState) {
  for (const [name, typed] of fields)
    if (/^(wagers|tips)-/.test(name) && Number.isNaN(centsOf(typed))) return text("“{typed}” is no amount in dollars. Write 10 or 7.50.", { typed });
  for (const bet of bets) {
    const seat = bet.place;
    if (lacksMain(bet, offlineState)) return text("Seat {seat}: bonus wagers and tips need a wager on {main}.", { seat, main: mainNames(offlineState) });
    for (const [kind, amounts] of [["wagers", bet.wagers], ["tips", bet.tips || {}]]) {
      for (const [spot, cents] of Object.entries(amounts)) {
        const why = cents ? outside(cents, offlineState.limits[kind === "tips" ? kind : spot]) : "";
        if (why) return text("Seat {seat}: {amount} is {why}.", { seat, amount: dollarsOf(cents), why });
      }
    }
  }
  return offlineState.noBox || quoteOf(bets, offlineState).problem || (bets.length ? "" : text("No wager has been placed. A round needs at least a wager on {main}.", { main: mainNames(offlineState) }));
}

/** The error in a form of "no more bets", as far as it is known offline; "" for none. */
export const whyNotClose = (fields, bets, offlineState) => whyNotBets(fields, bets, offlineState)
  || (offlineState.namedStart && !fields.get("action_seat") ? text("Choose the seat at which the action starts.") : "");

/** The least and most in cents of a wager, or of the tip beside one: the table's own limits, or a main wager's by the schedule; null for none. */
export function limitsOf(kind, spot, { limits, schedule, spots }) {
  const own = limits[kind === "tips" ? kind : spot];
  if (own || kind === "tips" || !schedule || !spots.find(({ id }) => id === spot)?.main) return own || null;
  return [schedule.least, schedule.most];
}

/** Where an amount lies outside limits ([least, most], most null for none), as text; "" within them, or without any. */
export function outside(cents, limits) {
  const [least, most] = limits || [0, null];
  if (most !== null && cents > most) return text("above the limit here, {most}", { most: dollarsOf(most) });
  return cents < least ? text("below the limit here, {least}", { least: dollarsOf(least) }) : "";
}

/** The fees on wagers of the round `live`, if its waivers matter; see `quote`. */
export const quoteOf = (bets, offlineState, live = null) =>
  quote(offlineState.schedule, bets.filter((bet) => Object.values(bet.wagers).some(Boolean)).map((bet) => ({ place: bet.place, cents: mainCents(bet, offlineState), counts: actionCents(bet, offlineState), wagers: bet.wagers, mains: mainWagers(bet, offlineState) })), live?.waived ?? []);

/** The last round's wagers, of players who are where they were and do not bank now; of a back line only behind a player. Tips do not repeat. */
export const repeated = (now, offlineState, bank) =>
  now.last.map((bet) => ({ ...bet, tips: {} })).filter((bet) => bet.seat !== bank
    && offlineState.places.some(({ place, player }) => place === bet.place && player === bet.player)
    && offlineState.places.some(({ place }) => place === String(bet.seat)));

/** `bets` with the tips that are already beside the same wagers. */
const withTips = (bets, placed) => bets.map((bet) => {
  const tips = Object.entries(placed.find(({ place }) => place === bet.place)?.tips || {});
  return { ...bet, tips: Object.fromEntries(tips.filter(([spot]) => bet.wagers[spot])) };
});

function merged(bets, over) {
  const byPlace = new Map([...bets, ...over].map((bet) => [bet.place, bet]));
  return [...byPlace.values()].sort((one, other) => one.seat - other.seat || one.place.localeCompare(other.place));
}

const plain = (bets) =>
  JSON.stringify(merged(bets, []).map(({ place, wagers, tips }) => [place, Object.entries(wagers).sort(), Object.entries(tips || {}).sort()]));
const isSame = (bets, others) => plain(bets) === plain(others);
