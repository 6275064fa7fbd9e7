// How far the books were when this sign saw them: kept over a reload, given back with each report. The number stands
// in front; the rest is the server's own.

const KEPT_AS = "fairmeter marks";

const entryOf = (mark) => Number(mark.split(":", 1)[0]);

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS)) ?? {};
  } catch {
    return {}; // a screen without a memory is no alarm
  }
}

export class Marks {
  constructor() {
    this.highest = kept();
  }

  hear(code, mark) {
    if (!mark || (this.highest[code] && entryOf(this.highest[code]) >= entryOf(mark))) return;
    this.highest[code] = mark;
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify(this.highest));
    } catch {
      // the sign goes on with what it has in memory
    }
  }

  of(code) {
    return this.highest[code] ?? "";
  }
}
