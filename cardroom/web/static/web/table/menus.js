/* Menus that open over the page: one at a time; Escape and a touch elsewhere close it. Notices can be closed too. */
import { closable } from "./screen.js";

const open = () => [...document.querySelectorAll("details.menu[open]")];

document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!(menu instanceof HTMLDetailsElement) || !menu.matches("details.menu") || !menu.open) return;
  open().forEach((other) => { if (!other.contains(menu) && !menu.contains(other)) other.open = false; });
  const first = menu.querySelector(".menu-box [aria-invalid=true], .menu-box input:not([type=hidden]), .menu-box select, .menu-box button, .menu-box summary");
  if (first) first.focus();
}, true);

/* What is asked on a sheet over the page is asked of the menu beneath it, which stays open. */
const isOnSheet = (event) => event.target.closest?.("dialog") != null;

document.addEventListener("click", (event) => {
  if (isOnSheet(event)) return;
  open().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
  const closer = event.target.closest("[data-dismiss]");
  if (closer) closer.parentElement.remove();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || isOnSheet(event)) return;
  open().forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
});

/* Notices that came with the page. A confirmation goes by itself. */
function bind() {
  document.querySelectorAll(".notices .note, .notices .banner").forEach((notice) => {
    closable(notice);
    if (notice.matches(".note-success")) window.setTimeout(() => notice.remove(), 4000);
  });
}

bind();
document.addEventListener("screen:shown", bind);
