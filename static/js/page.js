// The clock of the property, and "/" to the search box. Nothing here is needed to read a page.
const clock = document.querySelector("[data-clock]");

function show(format, ahead) {
  clock.textContent = format.format(new Date(Date.now() + ahead));
}

if (clock) {
  const ahead = Date.parse(clock.dateTime) - Date.now(); // the server's time counts, not this computer's
  const format = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: clock.dataset.clock,
  });
  show(format, ahead);
  setInterval(() => show(format, ahead), 1000);
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.querySelector("[data-search]");
  if (search) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});
