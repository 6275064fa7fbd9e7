// The book of the game at the table: a button, or “?”, opens it; Escape closes it.

const box = document.getElementById("help-box");

export function book(wanted) {
  if (!box) return;
  document.getElementById("help-key").onclick = () => box.showModal();
  box.querySelector("[data-close]").onclick = () => box.close();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || !wanted() || event.target.closest("input, textarea, select")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (box.open) box.close();
    else if (!document.querySelector("dialog[open]")) box.showModal();
    event.preventDefault();
  });
}
