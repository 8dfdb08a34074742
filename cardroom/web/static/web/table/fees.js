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
 * What antes ([{place, cents, counts, wagers, mains}…], `counts` toward total table action, `wagers` by kind, `mains` the cents of each
 * main wager) cost under a schedule: {action, players, bank, drop, jackpot, collected, band}, in cents. `waived` lists whose fees are waived: {covers, place, portion}, the first that covers a fee counts, and
 * a portion of null is all of it; the jackpot's never are.
 * A fee by bands is that of the highest band whose lower bound is not above the amount. {problem} for a main wager
 * that the schedule does not take, each by itself (ruling 56), and for a wager outside the bands of its own; wagers that stand
 * without a main one have no table limit. Without antes, or without a schedule, nothing is due.
 */
export function quote(schedule, antes, waived = []) {
  const action = antes.reduce((sum, ante) => sum + (ante.counts ?? ante.cents), 0);
  const none = { action, players: 0, bank: 0, drop: 0, jackpot: 0, collected: 0, band: "" };
  if (!schedule || !antes.length) return none;
  const limited = antes.filter(({ cents, wagers }) => cents || !anyWager(wagers))
    .flatMap((ante) => eachMain(ante).map((each) => ({ place: ante.place, cents: each })));
  const outside = limited.find(({ cents }) => cents < schedule.least || (schedule.most !== null && cents > schedule.most));
  if (outside) return { ...none, problem: text("Seat {seat}: {amount} is outside the table limit {limit}.", { seat: outside.place, amount: dollarsOf(outside.cents), limit: schedule.limit }) };
  const beyond = antes.flatMap((ante) => schedule.players.filter((charge) => isBeyond(charge, ante)).map((charge) => ({ ante, charge })))[0];
  if (beyond) return { ...none, problem: text("Seat {seat}: {amount} is outside {limit}, for which the schedule has a fee.", { seat: beyond.ante.place, amount: dollarsOf(beyond.ante.wagers[beyond.charge.wager]), limit: beyond.charge.limit }) };
  const parts = schedule.bank.map((charge) => ofRound(charge, action, antes));
  if (parts.some((part) => !part)) return { ...none, problem: text("{amount} is below the first band of the schedule.", { amount: dollarsOf(action) }) };
  const players = antes.reduce((sum, ante) => {
    const due = schedule.players.reduce((own, charge) => own + ofPosition(charge, ante), 0);
    return sum + unwaived(due, waived, (rule) => rule.covers === "players" || rule.covers === "all" || rule.place === ante.place);
  }, 0);
  const fee = unwaived(parts.reduce((sum, part) => sum + part.fee, 0), waived, (rule) => rule.covers === "bank" || rule.covers === "all");
  const jackpot = schedule.jackpot.reduce((sum, charge) => sum + (charge.payer === "bank"
    ? ofRound(charge, action, antes).fee : antes.reduce((own, ante) => own + ofPosition(charge, ante), 0)), 0);
  return { action, players, bank: fee, drop: players + fee, jackpot, collected: players + fee + jackpot, band: parts.map((part) => part.label).join(" + ") };
}

const anyWager = (wagers) => Object.values(wagers || {}).some(Boolean);

/** What is left of a fee when the first waiver that covers it has let go of all or a portion of it. */
function unwaived(due, waived, isCovered) {
  const rule = waived.find(isCovered);
  return rule ? due - Math.min(rule.portion ?? due, due) : due;
}

/** Whether a position has a wager outside the bands of its own amount. */
function isBeyond(charge, ante) {
  const cents = (charge.bands && charge.wager && ante.wagers?.[charge.wager]) || 0;
  return cents > 0 && (cents < charge.bands[0].lower || (charge.most !== null && cents > charge.most));
}

/** The cents of each main wager of a position, by itself (ruling 56). */
const eachMain = ({ cents, mains }) => (mains?.length ? mains : [cents]);

const bandOf = (charge, cents) => charge.bands.findLast(({ lower }) => lower <= cents);

/** What a position owes by one of the players' charges. */
function ofPosition(charge, ante) {
  if (charge.bands) return (charge.wager ? [ante.wagers?.[charge.wager] || 0] : eachMain(ante)).reduce((sum, cents) => sum + (bandOf(charge, cents)?.fee ?? 0), 0);
  if (charge.per === "ante" && !ante.cents) return 0;
  return charge.wager && !ante.wagers?.[charge.wager] ? 0 : charge.fee;
}

/** What the player-dealer owes by one of its charges, and its basis; nothing below the first band. */
function ofRound(charge, action, antes) {
  const mains = antes.filter(({ cents }) => cents).flatMap(eachMain);
  if (charge.bands && charge.per === "own_ante") {
    return { fee: mains.reduce((sum, cents) => sum + (bandOf(charge, cents)?.fee ?? 0), 0), label: text("per main wager, by band") };
  }
  if (charge.bands) {
    const amounts = { positions: () => antes.length, largest_ante: () => Math.max(0, ...mains) };
    return bandOf(charge, (amounts[charge.per] ?? (() => action))());
  }
  const times = { round: 1, ante: antes.filter(({ cents }) => cents).length }[charge.per] ?? antes.length;
  const basis = charge.per === "ante" ? "per main wager" : `per ${charge.per}`;
  return { fee: charge.fee * times, label: text(basis) };
}
