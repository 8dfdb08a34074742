// What a bettor on the back line of a seat shows on their button.

/** Say on the button of a bettor on the back line what lies there for them: [spot, amount] each. */
export function sayBehind(button, bets) {
  const label = button.querySelector("[data-behind-bets]");
  const whole = (name, textContent) => Object.assign(document.createElement(name), { textContent });
  label.replaceChildren(...bets.flatMap(([spot, amount]) => {
    const bet = Object.assign(document.createElement("span"), { className: "behind-bet" });
    bet.append(whole("small", spot), " ", whole("b", amount));
    return [bet, " "];
  }), ...(bets.length ? [] : [whole("b", "–")]));
}
