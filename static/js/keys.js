// Single-key shortcuts of the office, and the switch that turns them off on this computer.
const KEPT_AS = "fairmeter-page-keys";
const box = document.getElementById("single-keys");

// A key that nobody is typing into a field, pressed alone, while such keys are on.
export function single(event) {
  const typing = event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
  return !typing && !event.ctrlKey && !event.metaKey && !event.altKey && localStorage.getItem(KEPT_AS) !== "off";
}

if (box) {
  box.checked = localStorage.getItem(KEPT_AS) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEPT_AS, box.checked ? "on" : "off"));
}
