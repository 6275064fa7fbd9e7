// The clock of the property, ages, the end of the session, and "/" to the search box. Nothing here is needed to read a page.
import { single } from "./keys.js";

const clock = document.querySelector("[data-clock]");
const UNITS = [[86_400, "d"], [3_600, "h"], [60, "min"]];
const WARNED_BEFORE = 5 * 60_000;

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

// A bar longer than the screen begins where the page that is shown stands in it.
const rail = document.querySelector(".rail"), here = rail?.querySelector("[aria-current]");
function toHere() {
  rail.scrollLeft = here.offsetLeft + here.offsetWidth + 40 - rail.clientWidth - rail.offsetLeft;
}

if (here) {
  toHere();
  addEventListener("resize", toHere);
}

function ages() {
  for (const time of document.querySelectorAll("[data-age]")) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time.dateTime)) / 1000));
    const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, "s"];
    const text = `for ${Math.floor(seconds / size)} ${unit}`;
    if (time.textContent !== text) time.textContent = text;
  }
}

ages();
setInterval(ages, 1000);

// Who wants every column of one list wants those of the next one too.
const COLUMNS = "fairmeter-all-columns";
function columns() {
  for (const box of document.querySelectorAll("[data-all-columns]")) box.checked = localStorage.getItem(COLUMNS) === "on";
}

columns();
addEventListener("htmx:afterSettle", columns);
addEventListener("change", (event) => {
  if (event.target.matches?.("[data-all-columns]")) localStorage.setItem(COLUMNS, event.target.checked ? "on" : "off");
});

// Whoever is signed out leaves nothing to read behind; what another window prolonged stays.
async function leave() {
  try {
    const answer = await fetch("/me/", { method: "HEAD", redirect: "manual" });
    if (answer.type === "opaqueredirect") location.reload();
  } catch {
    // without an answer nobody knows; the next look asks again
  }
}

// The warning comes in time to read it, and leaves again once the server has prolonged the session.
const ending = document.getElementById("session-end");

if (ending) {
  const ahead = Date.parse(ending.dataset.now) - Date.now();
  const look = () => {
    const left = Date.parse(ending.dataset.ends) - Date.now() - ahead;
    ending.hidden = left > WARNED_BEFORE;
    if (left < 0) leave();
  };
  look();
  setInterval(look, 5_000);
  ending.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const answer = await fetch(ending.action, { method: "POST", body: new FormData(ending), headers: { Accept: "application/json" } });
      ending.dataset.ends = (await answer.json()).ends;
      look();
    } catch {
      ending.submit(); // without an answer the whole page asks, and says what is wrong
    }
  });
}

// A page without a box of its own sends the key to the one above, which finds everything.
const search = document.querySelector("main [data-search]") ?? document.querySelector("[data-search]");
const keyList = document.getElementById("key-list"); // missing where "?" belongs to the page itself

document.addEventListener("keydown", (event) => {
  if (!single(event)) return;
  if (event.key === "/" && search) {
    event.preventDefault();
    seek();
  } else if (event.key === "?" && keyList && !keyList.open) {
    event.preventDefault();
    keyList.showModal();
  }
});

function seek() {
  search.focus();
  search.select();
}

if (search && location.hash === "#search") seek();
