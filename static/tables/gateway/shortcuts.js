// Single keys: 1–9 seats, Enter the big key, 0 end, * the hands of the seat. They can be switched off in the menu.

const KEPT_AS = "fairmeter-console-keys";

export function shortcuts(table) {
  const box = document.getElementById("shortcuts");
  box.checked = localStorage.getItem(KEPT_AS) !== "off";
  box.onchange = () => localStorage.setItem(KEPT_AS, box.checked ? "on" : "off");
  // A finger leaves no focus behind: the next Enter is meant for the big key, not for the seat touched last.
  document.addEventListener("click", (event) => {
    if (event.detail > 0 && !table.ask.open) event.target.closest("button")?.blur();
  });
  document.addEventListener("keydown", (event) => {
    if (!box.checked || table.ask.open || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (table.ask.waits ? done(table.waits()) : pressed(table, event)) event.preventDefault();
  });
}

function pressed(table, event) {
  const { key } = event;
  if (key >= "1" && key <= "9" && key.length === 1) return digit(table, Number(key));
  if (key === "0") return done(table.end());
  if (key === "*") return done(star(table));
  if (key === "Escape" && table.choosing) return done(choose(table, false));
  // A button that has the focus takes Enter for itself.
  if (key === "Enter" && !event.target.closest("button, a, input")) return done(table.big());
  // A card swiped anywhere: readers begin with one of these; the dialog takes what follows.
  if ((key === "%" || key === ";") && table.phase === "asked" && table.facts.profile === "card") return done(table.approve());
  return false;
}

function digit(table, number) {
  if (!table.choosing) return done(table.touchSeat(number, true));
  const hand = table.facts.hands[number - 1];
  return done(hand ? table.touchHand(hand) : table.tell(`There is no hand ${number}.`));
}

// With a seat: its hands get numbers. Without: the marks are called.
function star(table) {
  if (table.phase === "marked" && table.seat === null) return table.call();
  if (!table.facts.open_round) return table.tell(`No round runs. Press ${table.words.lock} first.`);
  if (table.seat === null && table.facts.profile === "card") return table.tell("Press the number of the seat first, then *.");
  return choose(table, !table.choosing);
}

function choose(table, choosing) {
  table.choosing = choosing;
  table.show();
}

const done = () => true;
