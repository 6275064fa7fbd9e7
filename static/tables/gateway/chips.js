// Chips that were tapped and are not locked yet: of each wager of the table, and which wager is being tapped.

export class TappedChips {
  constructor() {
    this.first = new Set(); // of the first wager, which has no code
    this.further = new Map(); // of each further one, by its code
    this.wager = ""; // whose chips are tapped
  }

  on(wager) {
    if (!wager) return this.first;
    if (!this.further.has(wager)) this.further.set(wager, new Set());
    return this.further.get(wager);
  }

  touch(seat) {
    const chips = this.on(this.wager);
    if (!chips.delete(seat)) chips.add(seat);
  }

  clear() {
    this.first.clear();
    this.further.clear();
    this.wager = "";
  }

  // Seats with a chip on any wager.
  get seats() {
    return new Set([this.first, ...this.further.values()].flatMap((chips) => [...chips]));
  }

  // What a coin-in says of them; a table with one wager says what it always said.
  said({ seats: last, further = [] }) {
    const first = { seats: inOrder(this.first), spots: spots(this.first, last) };
    const played = further.map((each) => [each.wager, this.on(each.wager)]).filter(([, chips]) => chips.size);
    if (!played.length) return first;
    const each = (told) => Object.fromEntries(played.map(([code, chips]) => [code, told(chips)]));
    return { ...first, further: each(inOrder), further_spots: each((chips) => spots(chips, last)) };
  }
}

const inOrder = (chips) => [...chips].sort();

// The sensors of all seats, as a controller would see them.
export const spots = (chips, last) => Array.from({ length: last }, (_, at) => (chips.has(at + 1) ? "1" : "0")).join("");
