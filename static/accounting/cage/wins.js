// P goes to the printing buttons; a form that pays or prints is sent once. Nothing here is needed to use a page.
import { single } from "../../js/keys.js";

const press = document.querySelector("[data-press]");

document.addEventListener("keydown", (event) => {
  if (!press || event.key.toLowerCase() !== "p" || !single(event)) return;
  event.preventDefault();
  (press.querySelector("#reason") ?? press.querySelector(".button.first")).focus();
});

for (const form of document.querySelectorAll("[data-once], [data-press]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// A page brought back from the browser's memory may be sent again; the server settles the rest.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});
