// The console as it is seen. Everything is drawn from the facts, each time anew, on elements that stay.

import { toTell } from "./bank.js";
import { times } from "./figures.js";
import { players, seatsSaid, sentence } from "./say.js";

const find = (id) => document.getElementById(id);
const STATES = { open: "●", closed: "○", held: "▲", maintenance: "◆" };
const LINKS = { up: ["●", "link up"], late: ["◐", "link late"], down: ["○", "no link"] };
const SEAT_MARKS = { waiting: "○", in: "●", locked: "■", out: "–", banks: "◉", bets: "■" };
const FOOT = 0.06; // where the arc of seats begins, as a part of the half circle
const HIT_WORDS = { marked: "marked", asked: "waiting for approval", logged: "approved", owed: "to be paid", paid: "paid" };

export class Picture {
  constructor(root, table) {
    Object.assign(this, { root, table });
    this.seats = Array.from({ length: table.facts.seats }, (_, at) => this.seat(at + 1));
    find("seats").replaceChildren(...this.seats.map((seat) => seat.parentElement));
    find("big-key").onclick = () => table.big();
    find("end-key").onclick = () => table.end();
    find("back-key").onclick = () => table.reject();
    find("recount-key").onclick = () => this.fromMenu(() => table.menu.recount());
    find("park-key").onclick = () => this.fromMenu(() => table.menu.park());
    const settle = find("settle-key");
    if (settle) settle.onclick = () => this.fromMenu(() => table.settling.tell());
    find("void-key").onclick = () => this.fromMenu(() => table.menu.voidRound());
    if (find("key-jph")) {
      find("key-jph").onclick = () => table.toJph();
      find("key-run").onclick = () => (table.facts.key_at_jph ? table.toRun() : table.tell("The key stands at RUN already."));
    }
  }

  // Seats lie on an arc; seat 1 is at the dealer's left.
  seat(number) {
    const place = document.createElement("li");
    const key = document.createElement("button");
    const last = this.table.facts.seats;
    const turn = last === 1 ? 0.5 : (number - 1) / (last - 1);
    const angle = Math.PI * (FOOT + (1 - 2 * FOOT) * turn);
    place.style.setProperty("--x", String((1 - Math.cos(angle)) / 2));
    place.style.setProperty("--y", String((Math.sin(angle) - Math.sin(Math.PI * FOOT)) / (1 - Math.sin(Math.PI * FOOT))));
    key.type = "button";
    key.onclick = () => this.table.touchSeat(number);
    place.append(key);
    return key;
  }

  fromMenu(act) {
    find("menu-box").close();
    act();
  }

  draw() {
    const { table } = this;
    this.strip();
    this.seats.forEach((key, at) => this.drawSeat(key, at + 1));
    set(find("says"), table.known ? sentence(table) : table.link.away?.why || "Connecting to the server.");
    set(find("notice"), table.notice);
    find("notice").hidden = !table.notice;
    this.wagers();
    this.count();
    this.hits();
    this.hands();
    this.keySwitch();
    this.keys();
  }

  strip() {
    const { facts, link, known } = this.table;
    const light = link.lost || link.away ? "down" : link.silence > 2_500 || !link.greeted ? "late" : "up";
    this.root.dataset.link = light;
    set(find("state").firstElementChild, STATES[facts.state] ?? "○");
    set(find("state").lastElementChild, known ? facts.state : "connecting");
    find("state").className = `chip ${facts.state === "open" ? "ok" : "late"}`;
    find("link").dataset.link = light;
    set(find("link").firstElementChild, LINKS[light][0]);
    const silent = light === "down" && !link.away ? ` ${Math.round(link.silence / 1000)} s` : "";
    set(find("link-words"), LINKS[light][1] + silent);
    set(find("dealer"), facts.dealer ?? "nobody");
    this.meters();
  }

  meters() {
    const { facts, money } = this.table;
    const shown = Object.entries(facts.meters).map(([code, amount]) => `${code} ${money(amount)}`);
    if (find("meters").dataset.shown === shown.join()) return;
    find("meters").dataset.shown = shown.join();
    find("meters").replaceChildren(
      ...Object.entries(facts.meters).map(([code, amount]) => group(made("dt", code), made("dd", money(amount)))),
    );
  }

  drawSeat(key, number) {
    const { facts, chips, seat } = this.table;
    const round = facts.open_round;
    const state = this.atBank(number) ?? (round ? (players(round).includes(number) ? "locked" : "out") : chips.seats.has(number) ? "in" : "waiting");
    const marks = round?.marks.filter((mark) => mark.seat === number).map((mark) => mark.name) ?? [];
    const won = round?.hits.filter((hit) => hit.seat === number && hit.amount && !["marked", "asked"].includes(hit.state)).map((hit) => this.table.money(hit.amount)) ?? [];
    const hit = (won.length ? won : marks).join(", ");
    key.dataset.state = state;
    key.dataset.hit = won.length ? "won" : marks.length ? "marked" : "";
    key.setAttribute("aria-pressed", String(round ? seat === number : state === "in"));
    lines(key, [String(number), `${SEAT_MARKS[state]} ${state}`, this.played(number).join(" · "), hit && `★ ${hit}`]);
  }

  // Where a table takes several wagers, a seat says on which of them it has a chip.
  played(number) {
    const { facts, chips } = this.table;
    if (!facts.further?.length) return [];
    const round = facts.open_round;
    const codes = facts.further.map((each) => each.wager);
    const there = (code) => (round ? (round.further?.[code] ?? []).includes(number) : chips.on(code).has(number));
    const first = round ? round.seats.includes(number) : chips.first.has(number);
    return [...(first ? [facts.wager_name] : []), ...codes.filter(there)];
  }

  wagers() {
    const { facts } = this.table;
    const all = facts.further?.length ? [{ wager: "", name: facts.wager_name, chip: facts.wager }, ...facts.further] : [];
    find("wagers").hidden = !all.length || Boolean(facts.open_round);
    find("wagers").replaceChildren(...all.map((each) => this.wagerKey(each)));
  }

  wagerKey({ wager, name, chip }) {
    const key = made("button", `${name} ${this.table.money(chip)}`);
    key.type = "button";
    key.setAttribute("aria-pressed", String(this.table.chips.wager === wager));
    key.addEventListener("click", () => this.table.touchWager(wager));
    return key;
  }

  // Where a player banks and no chip is counted, a seat shows the bank and the bets of the hand.
  atBank(number) {
    const { bank, open_round: round } = this.table.facts;
    if (!bank || (round && (round.seats.length || bank.round !== round.round))) return null;
    if (!round) return bank.next_seat === number ? "banks" : null;
    if (bank.seat === number) return "banks";
    return bank.bets.some((spot) => spot.seat === number) ? "bets" : null;
  }

  count() {
    const { facts, chips, money } = this.table;
    const round = facts.open_round;
    const deck = this.deck(round ? round.round : facts.next_round);
    if (facts.bank && round && !round.seats.length && facts.bank.round === round.round) {
      return set(find("count"), `Round ${round.round}${deck} · action ${money(facts.bank.action)} · fee ${money(facts.bank.fee)}`);
    }
    if (toTell(facts)) return set(find("count"), `Next round ${facts.next_round || "–"}${deck} · no action told yet`);
    const seats = round ? round.seats.length : chips.first.size;
    const beside = (facts.further ?? []).map((each) => this.besides(each, round)).filter(Boolean);
    const own = beside.length ? `${facts.wager_name} ` : "";
    const what = [`${own}${seats} ${seats === 1 ? "seat" : "seats"} · ${money(times(facts.wager, seats))}`, ...beside].join(" + ");
    set(find("count"), round ? `Round ${round.round}${deck} · ${what}` : `Next round ${facts.next_round || "–"}${deck} · ${what}`);
  }

  // The decks go in turn [001:23]; each round stands in the books with the one that is named here.
  deck(number) {
    const colours = this.table.facts.deck_colours ?? [];
    return colours.length && number ? ` · ${colours[number % colours.length]} deck` : "";
  }

  besides({ wager, name, chip }, round) {
    const seats = round ? (round.further?.[wager] ?? []).length : this.table.chips.on(wager).size;
    return seats && `${name} ${seats} ${seats === 1 ? "seat" : "seats"} · ${this.table.money(times(chip, seats))}`;
  }

  hits() {
    const { facts, asked, money, phase } = this.table;
    const round = facts.open_round;
    const closed = phase === "asked" && asked ? asked.hits.map((hit) => ({ ...hit, state: "asked" })) : null;
    const shown = closed ?? (round?.hits.some((hit) => hit.state !== "marked") ? round.hits : (round?.marks ?? []).map((mark) => ({ ...mark, state: "marked" })));
    const texts = shown.map((hit) => [
      hit.seat === null ? "Seats?" : `Seat ${hit.seat}`,
      `${hit.envy ? "Envy: " : ""}${hit.name}`,
      hit.amount ? money(hit.amount) : "",
      HIT_WORDS[hit.state] + (hit.slip ? `, slip ${hit.slip}` : ""),
    ]);
    const words = JSON.stringify(texts);
    if (find("hits").dataset.shown === words) return;
    find("hits").dataset.shown = words;
    find("hits").replaceChildren(...texts.map((line, at) => hitLine(line, shown[at].state)));
  }

  hands() {
    const { facts, seat, choosing, phase } = this.table;
    const box = find("hands");
    if (box.dataset.codes !== facts.hands.map((hand) => hand.code).join()) {
      box.dataset.codes = facts.hands.map((hand) => hand.code).join();
      box.replaceChildren(...facts.hands.map((hand) => this.handKey(hand)));
    }
    const marks = facts.open_round?.marks ?? [];
    [...box.children].forEach((key, at) => {
      const lit = marks.filter((mark) => mark.hand === facts.hands[at].code).map((mark) => mark.seat);
      const where = lit.includes(null) ? "★ lit" : lit.length ? `★ ${seatsSaid(lit)}` : "";
      key.setAttribute("aria-pressed", String(seat === null ? lit.length > 0 : lit.includes(seat)));
      key.classList.toggle("dark", !facts.open_round);
      lines(key, [facts.hands[at].name, where, choosing ? String(at + 1) : ""]);
    });
    find("hint").hidden = Boolean(facts.open_round);
    box.hidden = !facts.open_round || ["asked", "logged"].includes(phase);
  }

  handKey(hand) {
    const key = document.createElement("button");
    key.type = "button";
    key.onclick = () => this.table.touchHand(hand);
    return key;
  }

  keySwitch() {
    if (!find("key-jph")) return;
    const number = this.table.facts.key_at_jph;
    set(find("key-at"), number ? `Key ${number}` : "Key");
    find("key-run").setAttribute("aria-pressed", String(!number));
    find("key-jph").setAttribute("aria-pressed", String(Boolean(number)));
  }

  keys() {
    const { table } = this;
    const key = table.facts.profile === "key";
    const faces = { bets: toTell(table.facts) ? "ACTION" : table.words.lock, running: "ROUND RUNS", marked: key ? "KEY TO JPH" : "CONFIRM", asked: key ? (table.facts.key_at_jph ? "J-POT" : "KEY TO JPH") : "CARD", logged: "KEY TO RUN", key: "KEY TO RUN" };
    set(find("big-words"), table.link.away ? "CONNECT AGAIN" : faces[table.phase]);
    find("big-key").classList.toggle("dark", table.phase === "running" && !table.link.away);
    find("end-key").classList.toggle("dark", !table.facts.open_round);
    find("back-key").hidden = key || table.phase !== "asked";
  }
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function made(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

function group(...parts) {
  const box = document.createElement("div");
  box.append(...parts);
  return box;
}

// Lines of a key stay elements of their own, so that nothing is drawn that did not change.
function lines(key, texts) {
  while (key.children.length < texts.length) key.append(document.createElement("span"));
  texts.forEach((text, at) => set(key.children[at], text || ""));
}

function hitLine(texts, state) {
  const line = document.createElement("li");
  line.dataset.state = state;
  line.append(...texts.map((text) => made("span", text)));
  return line;
}
