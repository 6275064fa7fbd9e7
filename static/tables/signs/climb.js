// One meter's figure on its way to the books: up at a constant rate, never above them, down only with a reason.
// Amounts are whole minor units (cents); only the way between two of them has fractions, and it is always cut.

const ARRIVES_IN = 2.5; // seconds

export class Climb {
  constructor(amount, version) {
    this.shown = amount;
    this.target = amount;
    this.version = version;
    this.rate = 0;
  }

  // What these words mean here: "older", "same", "rise", "fall" or "unexplained".
  hear(amount, version, reason) {
    if (version < this.version) return "older";
    const raised = version > this.version;
    if (!raised && amount !== this.target) return "unexplained";
    if (amount < this.whole && !reason) return "unexplained";
    this.version = version;
    if (amount < this.whole) {
      this.restart(amount);
      return "fall";
    }
    if (amount === this.target) return "same";
    this.target = amount;
    this.rate = (this.target - this.shown) / ARRIVES_IN;
    return "rise";
  }

  // A new scene begins from its own base; nobody sees figures run backwards.
  restart(amount) {
    this.shown = this.target = amount;
    this.rate = 0;
  }

  step(seconds) {
    this.shown = Math.min(this.target, this.shown + this.rate * seconds);
    return this.whole;
  }

  arrive() {
    this.shown = this.target;
  }

  get whole() {
    return Math.min(this.target, Math.floor(this.shown + 1e-6));
  }

  get moving() {
    return this.shown < this.target;
  }
}

export function minorOf(text, digits) {
  const [whole, rest = ""] = text.split(".");
  return Number(whole + rest.padEnd(digits, "0").slice(0, digits));
}

export function textOf(minor, digits) {
  const all = String(minor).padStart(digits + 1, "0");
  return digits ? `${all.slice(0, -digits)}.${all.slice(-digits)}` : all;
}
