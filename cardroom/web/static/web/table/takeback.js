/* "No more bets" can be taken back in one touch for some seconds: counts them down on the button, and takes it away when
   they are over. The remaining time comes with the screen; the server decides whether it is in time. */
let timer = 0;

function count() {
  window.clearTimeout(timer);
  const form = document.querySelector("form.take-back");
  if (!form) return;
  form.dataset.until ??= performance.now() + Number(form.dataset.left);
  const left = Number(form.dataset.until) - performance.now();
  if (left <= 0) {
    const hadFocus = form.contains(document.activeElement);
    form.remove();
    if (hadFocus) document.querySelector("[data-next]")?.focus({ preventScroll: true });
    return;
  }
  form.querySelector(".count").textContent = Math.ceil(left / 1000);
  timer = window.setTimeout(count, left % 1000 || 1000);
}

count();
document.addEventListener("screen:shown", count);
