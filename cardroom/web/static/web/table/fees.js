// Parses typed money, and quotes the fees before the deal while offline: as cardroom/web/parts/money.py and fees/quote.py do,
// from the schedule that came with the page. Cents are whole numbers.

import { text } from "./texts.js";

const TYPED = /^\$? ?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{0,2}))?$/;

/** The cents that typed dollars mean; null for nothing or 0, NaN for an invalid amount. */
export function centsOf(typed) {
  if (!typed.trim()) return null;
  const match = TYPED.exec(typed.trim());
  if (!match) return NaN;
  const dollars = match[1].replaceAll(",", "");
  return dollars.length > 10 ? NaN : Number(dollars) * 100 + Number((match[2] || "").padEnd(2, "0")) || null;
}

/** Format cents with their unit, "$1,240" or "$7.50". */
export function dollarsOf(cents) {
  const part = cents % 100;
  return `$${Math.floor(cents / 100).toLocaleString("en-US")}${part ? `.${String(part).padStart(2, "0")}` : ""}`;
}

/** Cents as they would be typed into a field. */
export const typedOf = (cents) => (cents ? dollarsOf(cents).slice(1).replaceAll(",", "") : "");

/**
 * What antes ([{place, cents, wagers, mains}…], `wagers` by kind, `mains` the cents of each main wager) cost under a schedule: {action, players, bank, drop, jackpot,
 * collected, band}, in cents. `waived` lists whose fees are waived: {players, places, bank}; the jackpot's never are.
 * A fee by bands is that of the highest band whose lower bound is not above the amount. {problem} for a main wager
 * that the schedule does not take, each by itself (ruling 56); wagers that stand without one have no table limit. Without antes, or without a
 * schedule, nothing is due.
 */
export function quote(schedule, antes, waived = null) {
  const action = antes.reduce((sum, ante) => sum + ante.cents, 0);
  const none = { action, players: 0, bank: 0, drop: 0, jackpot: 0, collected: 0, band: "" };
  if (!schedule || !antes.length) return none;
  const limited = antes.filter(({ cents, wagers }) => cents || !anyWager(wagers))
    .flatMap(({ place, cents, mains }) => (mains?.length ? mains : [cents]).map((each) => ({ place, cents: each })));
  const outside = limited.find(({ cents }) => cents < schedule.least || (schedule.most !== null && cents > schedule.most));
  if (outside) return { ...none, problem: text("Seat {seat}: {amount} is outside the table limit {limit}.", { seat: outside.place, amount: dollarsOf(outside.cents), limit: schedule.limit }) };
  const bank = ofRound(schedule.bank, action, antes);
  if (!bank) return { ...none, problem: text("{amount} is below the first band of the schedule.", { amount: dollarsOf(action) }) };
  const due = antes.filter(({ place }) => !(waived?.players || waived?.places.includes(place)));
  const players = due.reduce((sum, ante) => sum + schedule.players.reduce((own, charge) => own + ofPosition(charge, ante), 0), 0);
  const fee = waived?.bank ? 0 : bank.fee;
  const jackpot = schedule.jackpot.reduce((sum, charge) => sum + (charge.payer === "bank"
    ? ofRound(charge, action, antes).fee : antes.reduce((own, ante) => own + ofPosition(charge, ante), 0)), 0);
  return { action, players, bank: fee, drop: players + fee, jackpot, collected: players + fee + jackpot, band: bank.label };
}

const anyWager = (wagers) => Object.values(wagers || {}).some(Boolean);

const bandOf = (charge, cents) => charge.bands.findLast(({ lower }) => lower <= cents);

/** What a position owes by one of the players' charges. */
function ofPosition(charge, ante) {
  if (charge.bands) return bandOf(charge, ante.cents)?.fee ?? 0;
  if (charge.per === "ante" && !ante.cents) return 0;
  return charge.wager && !ante.wagers?.[charge.wager] ? 0 : charge.fee;
}

/** What the player-dealer owes, and its basis; nothing below the first band. */
function ofRound(charge, action, antes) {
  if (charge.bands) return bandOf(charge, action);
  const times = { round: 1, ante: antes.filter(({ cents }) => cents).length }[charge.per] ?? antes.length;
  return { fee: charge.fee * times, label: text(`per ${charge.per}`) };
}
