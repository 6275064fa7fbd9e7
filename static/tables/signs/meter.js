// One meter on the page: its name, figure, limit and lines, and how it changes before people's eyes.

import { Climb, minorOf, textOf } from "./climb.js";
import { Figure } from "./figure.js";

const REASON_SHOWN = 8000;
const REASON_INSTEAD = 3000; // where there is room for nothing but figures
const SCENE_CHANGE = 450;
const LABEL_EVERY = 1000;
const WORDS_TURN_EVERY = 4000;

export class Meter {
  constructor(section, writing, still, speak) {
    Object.assign(this, { section, writing, still, speak });
    this.code = section.dataset.meter;
    this.digits = Number(section.dataset.digits);
    const part = (name) => section.querySelector(`.${name}`);
    this.parts = { name: part("name").firstChild, reason: part("reason"), limit: part("limit"), lines: part("lines") };
    this.window = part("window");
    this.instead = part("instead");
    const amount = minorOf(section.dataset.amount, this.digits);
    this.climb = new Climb(amount, Number(section.dataset.version));
    this.figure = new Figure(part("figure"), writing, this.digits, still);
    this.figure.show(amount);
    this.bare = document.body.classList.contains("digits");
    this.readUntil = 0;
    this.doubtedAt = null;
    this.wordedAt = null;
    this.labelledAt = 0;
    this.linesTold = null;
  }

  // `paid` is what the wall says of the last win, in words.
  hear(told, paid) {
    const meaning = this.climb.hear(minorOf(told.amount, this.digits), told.version, told.reason);
    if (meaning === "older" || meaning === "unexplained") {
      this.doubtedAt ??= performance.now();
      return;
    }
    this.doubtedAt = null;
    this.section.dataset.version = told.version;
    this.describe(told);
    if (meaning === "fall") this.fall(worded(told.reason, paid));
    else if (this.still) this.climb.arrive();
  }

  describe({ name, limit, lines }) {
    if (this.parts.name.textContent !== name) this.parts.name.textContent = name;
    const posted = limit === null ? "" : this.writing.text(minorOf(limit, this.digits), this.digits);
    const label = this.parts.limit.querySelector("b");
    if (label.textContent !== posted) label.textContent = posted;
    this.parts.limit.hidden = !posted;
    const told = JSON.stringify(lines);
    if (this.linesTold !== null && this.linesTold !== told) this.parts.lines.replaceChildren(...lines.map(line));
    this.linesTold = told;
  }

  // The old figure leaves, the reason is read, the new figure comes: no number in between is ever shown.
  fall(words) {
    this.parts.reason.textContent = words;
    this.parts.reason.hidden = false;
    this.speak(`${this.parts.name.textContent}. ${words}`);
    this.readUntil = performance.now() + REASON_INSTEAD;
    clearTimeout(this.reading);
    this.reading = setTimeout(() => {
      this.parts.reason.hidden = true;
    }, REASON_SHOWN);
    this.newScene();
  }

  newScene() {
    this.leaving = true;
    this.window.classList.add("leaving");
    setTimeout(() => {
      this.leaving = false;
      this.figure.show(this.climb.whole);
      this.figure.label(this.climb.whole);
      this.window.classList.remove("leaving");
    }, SCENE_CHANGE);
  }

  // Returns whether there is more to do.
  step(seconds, now) {
    if (this.leaving) return true;
    const rate = this.climb.rate;
    this.figure.show(this.climb.step(seconds), rate);
    if (now - this.labelledAt > LABEL_EVERY || !this.climb.moving) {
      this.labelledAt = now;
      this.figure.label(this.climb.whole);
    }
    return this.climb.moving;
  }

  report() {
    const shown = textOf(this.climb.whole, this.digits);
    return { code: this.code, shown: shown.includes(".") ? shown : `${shown}.00`, version: this.climb.version };
  }

  // How long the books have been saying something that this sign may not show.
  doubtedFor(now) {
    return this.doubtedAt === null ? 0 : now - this.doubtedAt;
  }

  // Words take turns with the figure: "not current", or what is wrong.
  say(words, now) {
    this.wordedAt = words ? this.wordedAt ?? now : null;
    const turn = words && Math.floor((now - this.wordedAt) / WORDS_TURN_EVERY) % 2 === 0 ? words : "";
    const spoken = this.bare && now < this.readUntil ? this.parts.reason.textContent : turn;
    if (spoken && this.instead.textContent !== spoken) {
      this.instead.textContent = spoken;
      this.instead.classList.toggle("long", spoken.length > 16);
    }
    if (this.instead.hidden === Boolean(spoken)) {
      this.instead.hidden = !spoken;
      this.window.classList.toggle("worded", Boolean(spoken));
    }
  }
}

// A guest is told what was paid; of anything else, why the figure is lower.
function worded(reason, paid) {
  if (reason === "won" && paid) return paid;
  if (reason === "verifying") return "A win is being verified";
  return `Lower because: ${reason}`;
}

function line({ name, pays }) {
  const item = document.createElement("li");
  for (const [part, text] of [["hand", name], ["dots", ""], ["pays", pays]]) {
    const span = document.createElement("span");
    span.className = part;
    span.textContent = text;
    item.append(span);
  }
  return item;
}
