// Number keys: the steps to choose from, or the seats. They can be switched off; the choice is remembered here.
const KEPT_AS = "fairmeter-training-keys";

function wanted() {
  return localStorage.getItem(KEPT_AS) !== "off";
}

function setBox() {
  const box = document.getElementById("keys");
  if (box) box.checked = wanted();
}

document.addEventListener("change", (event) => {
  if (event.target.id === "keys") localStorage.setItem(KEPT_AS, event.target.checked ? "on" : "off");
});

document.addEventListener("keydown", (event) => {
  if (!wanted() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  if (!/^[1-9]$/.test(event.key)) return;
  const button = document.querySelector(`[data-key="${event.key}"]:not(:disabled)`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});

// A new picture of the table: whoever works with the keyboard goes on where the next act is.
document.addEventListener("htmx:afterSettle", (event) => {
  setBox();
  const next = event.target.querySelector?.(".settle input[type=radio], .choices button, .place button:not(:disabled), .go");
  if (next && document.activeElement === document.body) next.focus({ preventScroll: true });
});

setBox();
