// The dealer's console: what was touched becomes a message, what the server said becomes the picture.

import { Asker } from "./ask.js";
import { Bank, toTell } from "./bank.js";
import { TappedChips } from "./chips.js";
import { book } from "./help.js";
import { Link } from "./link.js";
import { Menu } from "./menu.js";
import { figures } from "./figures.js";
import { Picture } from "./picture.js";
import { WORDS, listed, markSaid, onlyAsks, phaseOf, players, seatsOf, seatsSaid } from "./say.js";
import { Settling, unsettled } from "./settle.js";
import { shortcuts } from "./shortcuts.js";

const root = document.querySelector("[data-console]");
const NO_ANSWER_YET = "The key before this one has no answer yet. Wait a moment.";
const MIXED_UP = new Set(["clash", "gap", "round_open", "no_round"]); // our picture is old: ask for it anew

class Console {
  constructor() {
    const { console: code, profile, seats, sample } = root.dataset;
    this.code = code;
    this.facts = { profile, seats: Number(seats), state: "closed", why: "", hands: [], meters: {}, open_round: null, next_round: 0, wager: "0", key_at_jph: "", dealer: null };
    this.known = false;
    this.chips = new TappedChips();
    this.seat = null;
    this.choosing = false;
    this.asked = null;
    this.notice = "";
    this.fetching = null;
    this.money = figures(sample);
    this.ask = new Asker();
    this.link = new Link(code, {
      hello: (facts) => this.hello(facts),
      push: (message) => this.pushed(message),
      change: () => this.show(),
    });
    this.bank = new Bank(this);
    this.settling = new Settling(this);
    this.menu = new Menu(this);
    this.picture = new Picture(root, this);
    shortcuts(this);
    book(() => document.getElementById("shortcuts").checked);
    this.link.open();
    this.show();
  }

  get phase() {
    return phaseOf(this.facts);
  }

  get words() {
    return WORDS[this.facts.profile];
  }

  hello(facts) {
    this.known = true;
    this.asked = null;
    this.takeIn(facts);
  }

  pushed({ do: what, id, ...fields }) {
    if (what === "meters") this.takeIn({ meters: fields.meters });
    if (what === "state") this.takeIn(fields);
    if (what === "wagers") this.takeIn({ further: [], ...fields });
    if (what === "table" || what === "config") this.takeIn(fields);
  }

  takeIn(fields) {
    const before = this.facts.open_round?.round;
    Object.assign(this.facts, fields);
    if (this.facts.open_round?.round !== before) Object.assign(this, { seat: null, choosing: false, asked: null });
    if (this.facts.open_round) this.chips.clear();
    if (this.phase !== "asked" || this.toldOtherwise()) this.asked = null;
    if (["asked", "logged"].includes(this.phase)) this.seat = null;
    this.fetchAmounts();
    this.show();
  }

  // An earlier hit of another table was paid or rejected: what this round's hits would be paid is another sum.
  toldOtherwise() {
    const same = (one, other) => ["seat", "hand", "jackpot"].every((word) => one[word] === other[word]) && !other.envy;
    const told = (hit) => this.asked?.hits.find((other) => same(hit, other));
    return this.facts.open_round.hits.some((hit) => hit.amount && told(hit) && told(hit).amount !== hit.amount);
  }

  // After a reload, a restart or a change the closed list is asked for anew: CONFIRM says it again, harmlessly.
  async fetchAmounts() {
    const round = this.facts.open_round?.round;
    if (this.phase !== "asked" || this.asked || this.link.busy || !this.link.greeted) return;
    this.fetching = this.link.say({ do: "confirm", round });
    const answer = await this.fetching;
    this.fetching = null;
    if (answer.ok && this.phase === "asked") this.asked = answer;
    this.show();
  }

  show() {
    this.picture?.draw();
  }

  tell(notice) {
    this.notice = notice;
    this.show();
  }

  // One message, one answer; a refusal is shown as the server said it.
  async say(message) {
    await this.fetching; // our own question is no reason to refuse a key
    if (this.link.busy) return this.waits();
    this.tell("");
    const answer = await this.link.say(message);
    if (!answer.ok) {
      this.tell(answer.why);
      if (MIXED_UP.has(answer.code) && this.link.greeted) this.link.hangUp();
    }
    return answer;
  }

  // Whatever is pressed before an answer is there is heard, and does nothing.
  waits() {
    this.tell(NO_ANSWER_YET);
  }

  refusedByLink(what) {
    if (!this.link.lost && this.known) return false;
    const seconds = Math.round(this.link.silence / 1000);
    const cure = this.link.away ? "Sign in or take the table back first." : "It works again when the link light is green.";
    this.tell(`${what} is refused: no word from the server for ${seconds} s. ${cure}`);
    return true;
  }

  touchWager(wager) {
    this.chips.wager = wager;
    this.tell("");
  }

  // A finger on the chosen seat lets it go; its key chooses it again, so that the same keys undo what they did.
  touchSeat(seat, byKey = false) {
    if (seat > this.facts.seats) return;
    const round = this.facts.open_round;
    if (toTell(this.facts)) return this.lock();
    if (!round) {
      if (this.link.busy) return this.tell("The coin-in was sent. Wait for its answer.");
      this.chips.touch(seat);
      return this.tell("");
    }
    if (!players(round).includes(seat)) return this.tell(`Seat ${seat} has no coin-in in round ${round.round}: no jackpot hand there.`);
    this.seat = this.seat === seat && !byKey ? null : seat;
    this.choosing = false;
    this.tell("");
  }

  async touchHand(hand) {
    const round = this.facts.open_round;
    this.choosing = false;
    if (!round) return this.tell(`No round runs. Press ${this.words.lock} first.`);
    const alone = this.seat === null;
    if (alone && this.facts.profile === "card" && !hand.board) return this.tell("Tap the seat first, then the hand.");
    if (this.facts.key_at_jph) return this.tell(`Key ${this.facts.key_at_jph} stands at JPH: the marks are closed. Turn it to RUN to change them.`);
    if (this.refusedByLink("A mark")) return;
    const lit = round.marks.filter((mark) => mark.hand === hand.code && (alone || mark.seat === this.seat));
    // A hand on the board is everybody's: its key alone is off only when every seat has it.
    const off = alone && this.facts.profile === "card" ? lit.length === players(round).length : lit.length > 0;
    const where = alone ? {} : { seat: this.seat };
    const answer = await this.say({ do: off ? "unmark" : "mark", round: round.round, ...where, hand: hand.code });
    if (answer?.ok) this.marked(answer.marks);
  }

  marked(marks) {
    if (this.facts.open_round) this.takeIn({ open_round: { ...this.facts.open_round, marks } });
  }

  async big() {
    const acts = { bets: "lock", marked: "call", asked: "approve", logged: "toRun", key: "toRun" };
    const act = acts[this.phase];
    if (this.link.away) return this.link.open();
    if (act) return this[act]();
    if (this.link.busy) return this.waits();
    this.tell(`Round ${this.facts.open_round.round} runs. A winning hand: tap its seat. When all is paid: ${this.words.end}.`);
  }

  async lock() {
    if (this.refusedByLink(this.words.lock)) return;
    if (this.facts.state !== "open") return this.tell(`${this.words.lock} is refused: the table is ${this.facts.state}.`);
    if (toTell(this.facts)) return this.bank.tell();
    const round = this.facts.next_round;
    const answer = await this.say({ do: "coin_in", round, ...this.chips.said(this.facts), at: new Date().toISOString() });
    if (!answer?.ok) return;
    const { seats: counted, further } = answer.coin_in;
    const running = { round: answer.round, seats: counted, marks: [], hits: [], signed: [] };
    this.takeIn({ meters: answer.meters, open_round: { ...running, ...(further && { further: seatsOf(further) }) } });
  }

  get openHits() {
    const round = this.facts.open_round;
    if (!round) return [];
    const open = round.hits.filter((hit) => ["asked", "logged"].includes(hit.state)).map((hit) => `${hit.name} at seat ${hit.seat}`);
    return [...new Set([...open, ...round.marks.map(markSaid)])];
  }

  async end() {
    const round = this.facts.open_round;
    const end = this.words.end;
    if (!round && this.link.busy) return this.waits();
    if (!round) return this.tell(`${end} is refused: no round runs.`);
    if (this.facts.key_at_jph) return this.tell(`${end} is refused: key ${this.facts.key_at_jph} stands at JPH. Turn it to RUN.`);
    if (this.openHits.length) return this.tell(`${end} is refused: ${listed(this.openHits)} ${this.openHits.length > 1 ? "are" : "is"} still open. Settle first, or park: Menu.`);
    if (this.facts.bank?.must_settle && unsettled(this.facts)) return this.settling.tell();
    const answer = await this.say({ do: "end", round: round.round });
    if (answer?.ok) this.takeIn({ open_round: null, next_round: answer.next_round });
  }

  async call() {
    if (this.facts.profile === "key") return this.toJph();
    const { round, marks } = this.facts.open_round;
    if (this.refusedByLink("CONFIRM")) return;
    const said = seatsSaid(marks.map((mark) => mark.seat));
    const lines = marks.map((mark) => `Seat ${mark.seat}: ${mark.name}`);
    if (!(await this.ask.confirm(`${said[0].toUpperCase()}${said.slice(1)}, no others?`, lines))) return;
    this.closed(await this.say({ do: "confirm", round }));
  }

  // The marks are closed: the hits are asked for, with their amounts as of now.
  closed(answer) {
    if (!answer?.ok || !this.facts.open_round) return;
    const asked = (answer.hits ?? []).map((hit) => ({ ...hit, state: "asked" }));
    const position = answer.position ? { key_at_jph: answer.position === "JPH" ? answer.key : "" } : {};
    if (asked.length) this.asked = answer;
    this.takeIn({ ...position, open_round: { ...this.facts.open_round, hits: asked } });
  }

  async approve() {
    if (this.facts.profile === "key") return this.jPot();
    if (this.refusedByLink("The card")) return;
    const round = this.facts.open_round.round;
    const why = this.asked ? `${this.money(this.asked.total)}: ${this.asked.card} card${this.asked.people > 1 ? `, ${this.asked.people} people` : ""}` : "";
    const answer = await this.ask.card("Card approves", why, ({ card, pin }) => this.say({ do: "card", round, card, ...(pin && { pin }) }));
    if (answer?.missing) return this.tell(`${answer.who} has signed. Still needed: ${answer.missing}.`);
    if (answer?.wins) this.won(answer.wins);
  }

  won(wins) {
    if (this.facts.open_round) this.takeIn({ open_round: { ...this.facts.open_round, marks: [], hits: wins } });
  }

  async reject() {
    if (this.refusedByLink("REJECT")) return;
    const reason = await this.ask.reason();
    if (!reason) return;
    const answer = await this.say({ do: "reject", round: this.facts.open_round.round, reason });
    if (answer?.ok) this.takeIn({ open_round: { ...this.facts.open_round, marks: answer.marks, hits: [] } });
  }

  async toJph() {
    if (this.facts.key_at_jph) return this.tell(`Key ${this.facts.key_at_jph} stands at JPH already.`);
    if (this.refusedByLink("The key")) return;
    const key = await this.ask.keyNumber();
    if (!key) return;
    const answer = await this.say({ do: "key", key, position: "JPH" });
    if (answer?.ok && this.facts.open_round) this.closed({ ...answer, key });
    else if (answer?.ok) this.takeIn({ key_at_jph: key });
  }

  async toRun() {
    if (this.refusedByLink("The key")) return;
    const answer = await this.say({ do: "key", key: this.facts.key_at_jph, position: "RUN" });
    if (!answer?.ok) return;
    this.takeIn({ key_at_jph: "" });
    if (answer.wins.length) this.won(answer.wins);
    else if (this.facts.open_round) this.takeIn({ open_round: { ...this.facts.open_round, hits: [] } });
  }

  async jPot() {
    if (!this.facts.key_at_jph) return this.toJph();
    if (this.refusedByLink("J-POT")) return;
    const why = `Key ${this.facts.key_at_jph} was typed here: the PIN of the person who signed it out`;
    const press = ({ pin } = {}) => this.say({ do: "j_pot", ...(pin && { pin }) });
    const answer = this.asked && onlyAsks(this.asked) ? await press() : await this.ask.pin("J-POT", why, press);
    if (answer?.missing) this.asked = answer;
    if (answer?.ok && !answer.missing) this.won(answer.wins);
    this.show();
  }
}

new Console();
