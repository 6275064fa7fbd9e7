// The live part of a pit page: fetched anew each second, drawn only where it changed; ages run on in between.

import { morph } from "./morph.js";

const EVERY = 1_000;
const OLD_AFTER = 5_000;
const UNITS = [[86_400, "d"], [3_600, "h"], [60, "min"]];

const board = document.querySelector("[data-board]");
let heardAt = Date.now();

export async function look() {
  try {
    const answer = await fetch(board.dataset.board, { headers: { "X-Board": "1" }, redirect: "error", signal: AbortSignal.timeout(4_000) });
    if (!answer.ok) throw new Error(String(answer.status));
    morph(board, await answer.text());
    heardAt = Date.now();
    document.dispatchEvent(new CustomEvent("board"));
  } catch {
    // The notice below says it; the next look may succeed.
  }
  document.getElementById("stale").hidden = Date.now() - heardAt < OLD_AFTER;
  ages();
}

function age(since) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000));
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${unit}`;
}

function ages() {
  for (const time of document.querySelectorAll("[data-since]")) {
    const text = age(time.getAttribute("datetime"));
    if (time.textContent !== text) time.textContent = text;
  }
}

// A card swiped anywhere leads to the first hit; readers begin with one of these.
document.addEventListener("keydown", (event) => {
  const first = document.querySelector("[data-hit]");
  if (first && (event.key === "%" || event.key === ";") && !event.target.closest("input")) first.click();
});

async function keepLooking() {
  if (!document.hidden) await look();
  setTimeout(keepLooking, EVERY);
}

if (board) {
  ages();
  setTimeout(keepLooking, EVERY);
}
