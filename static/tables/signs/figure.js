// The figure as wheels: one cell a character, so that only what changed is drawn anew and nothing around it moves.

const FASTEST_ROLL = 7; // changes a second; a quicker wheel only swaps its figure
const FROM_BELOW = [{ transform: "translateY(100%)" }, { transform: "none" }];
const WIDTHS = { wheel: 1, mark: 0.45, unit: 0.62 }; // in wheels, as in sign.css

export class Writing {
  constructor({ prefix, suffix, group, point, groups }) {
    const [first, further] = groups.split(",").map(Number);
    Object.assign(this, { prefix, suffix, group, point, first, further });
  }

  characters(minor, digits) {
    const all = String(minor).padStart(digits + 1, "0");
    const cents = digits ? this.point + all.slice(-digits) : "";
    return this.grouped(digits ? all.slice(0, -digits) : all) + cents;
  }

  grouped(whole) {
    const parts = [whole.slice(-this.first)];
    for (let rest = whole.slice(0, -this.first); rest; rest = rest.slice(0, -this.further)) {
      parts.unshift(rest.slice(-this.further));
    }
    return parts.join(this.group);
  }

  text(minor, digits) {
    return this.prefix + this.characters(minor, digits) + this.suffix;
  }
}

export class Figure {
  constructor(element, writing, digits, still) {
    Object.assign(this, { element, writing, digits, still });
    this.characters = "";
    this.minor = null;
  }

  // `rate` is in minor units a second: it decides which wheels can be seen to turn.
  show(minor, rate = 0) {
    if (minor === this.minor) return;
    const characters = this.writing.characters(minor, this.digits);
    if (this.characters.length !== characters.length) this.build(characters);
    else this.turn(characters, rate);
    this.characters = characters;
    this.minor = minor;
  }

  label(minor) {
    this.element.setAttribute("aria-label", this.writing.text(minor, this.digits));
  }

  build(characters) {
    const { prefix, suffix } = this.writing;
    const kind = (character) => (character >= "0" && character <= "9" ? "wheel" : "mark");
    const pieces = [...characters].map((character) => [kind(character), character]);
    if (prefix) pieces.unshift(["unit", prefix]);
    if (suffix) pieces.push(["unit", suffix]);
    const cells = pieces.map(([name, text]) => cell(name, text));
    this.element.replaceChildren(...cells);
    this.faces = cells.filter((_, place) => pieces[place][0] !== "unit").map((one) => one.firstChild);
    const wheels = pieces.reduce((sum, [name, text]) => sum + WIDTHS[name] * (name === "unit" ? text.length : 1), 0);
    this.element.style.setProperty("--wheels", wheels.toFixed(2));
    this.element.style.setProperty("--unit", String(Math.max(prefix.length, suffix.trim().length)));
  }

  turn(characters, rate) {
    let place = 0; // counted from the right, wheels only
    for (let at = characters.length - 1; at >= 0; at -= 1) {
      const face = this.faces[at];
      const speed = rate / 10 ** place;
      if (characters[at] >= "0" && characters[at] <= "9") place += 1;
      if (characters[at] !== this.characters[at]) this.swap(face, this.characters[at], characters[at], speed);
    }
  }

  swap(face, before, after, speed) {
    face.textContent = after;
    if (this.still || speed > FASTEST_ROLL || speed <= 0) return;
    face.dataset.before = before;
    const duration = Math.min(420, 850 / speed);
    const wheel = face.parentElement;
    wheel.classList.add("rolling");
    const roll = face.animate(FROM_BELOW, { duration, easing: "cubic-bezier(.3,.1,.2,1)" });
    roll.onfinish = () => wheel.classList.remove("rolling");
  }
}

function cell(name, text) {
  const outer = document.createElement("span");
  const face = document.createElement("span");
  outer.className = name;
  face.className = "face";
  face.textContent = text;
  outer.append(face);
  return outer;
}
