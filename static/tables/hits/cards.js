// The card pad: seven cards by finger or by typing, each card once. It asks the server what they prove; it judges nothing.

const find = (id) => document.getElementById(id);
const RANKS = [..."AKQJT98765432"];
const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
const BOARD = ["flop 1", "flop 2", "flop 3", "turn", "river"];

let pad = {}; // what the page said when the pad opened
let seat = 0;
let slots = []; // { part, name, card }
let at = 0;
let rank = "";
let wanted = ""; // a card that lies elsewhere too, as somebody may say
let twice = false;
let asking = false;
let send;
let done;

const face = (card) => card[0].replace("T", "10") + SUITS[card[1]][0];
const spoken = (card) => `${NAMES[card[0]] ?? card[0]} of ${SUITS[card[1]][1]}`;
const cardsOf = (part) => slots.filter((slot) => slot.part === part).map((slot) => slot.card);
const whole = (cards) => cards.every(Boolean);

function element(tag, facts, ...inner) {
  const made = Object.assign(document.createElement(tag), facts);
  made.append(...inner);
  return made;
}

function say(words) {
  find("pad-says").textContent = words;
}

// Where a card lies already: in a slot of this pad, or at another seat.
function place(card) {
  const slot = slots.find((each) => each.card === card);
  if (slot) return slot.name;
  const other = Object.entries(pad.seats).find(([number, cards]) => Number(number) !== seat && cards.includes(card));
  return other ? `seat ${other[0]}` : "";
}

function choose(number) {
  seat = number;
  const own = pad.seats[seat] ?? [];
  slots = [0, 1].map((each) => ({ part: "own", name: `own card ${each + 1}`, card: own[each] ?? "" }));
  slots.push(...BOARD.map((name, each) => ({ part: "board", name, card: pad.board[each] ?? "" })));
  if (pad.dealer) slots.push(...[0, 1].map((each) => ({ part: "dealer", name: `dealer's card ${each + 1}`, card: pad.dealer[each] ?? "" })));
  rank = "";
  at = Math.max(0, slots.findIndex((slot) => !slot.card));
  if (whole(slots.map((slot) => slot.card))) at = slots.length;
  draw();
}

function press(card) {
  if (at >= slots.length) return say("All cards are there. Tap a card above to change it.");
  const lies = place(card);
  wanted = lies ? card : "";
  find("pad-twice").hidden = !lies;
  if (lies) return say(`The ${spoken(card)} is at ${lies} already. One deck holds it once.`);
  put(card);
}

function put(card) {
  const slot = slots[at];
  slot.card = card;
  const next = slots.findIndex((each) => !each.card);
  at = next < 0 ? slots.length : next;
  say(`${spoken(card)}, ${slot.name}.${next < 0 ? " All cards are there." : ""}`);
  draw();
}

function undo() {
  rank = "";
  const last = at < slots.length && slots[at].card ? at : slots.findLastIndex((slot, each) => slot.card && (each < at || at >= slots.length));
  if (last < 0) return;
  say(`${spoken(slots[last].card)} taken back.`);
  slots[last].card = "";
  at = last;
  draw();
}

function draw() {
  find("pad-seats").replaceChildren(...pad.hits.map(seatKey));
  const groups = [["own", `Seat ${seat}`], ["board", "Board"], ["dealer", "Dealer"]];
  find("pad-slots").replaceChildren(...groups.filter(([part]) => cardsOf(part).length).map(group));
  for (const key of find("pad-keys").children) key.classList.toggle("used", Boolean(place(key.dataset.card)));
  find("pad-check").disabled = !ready();
}

const ready = () => whole(cardsOf("own")) && whole(cardsOf("board")) && whole(cardsOf("dealer"));

function seatKey({ seat: number, name }) {
  const key = element("button", { type: "button", className: "button", textContent: `Seat ${number}` });
  key.setAttribute("aria-pressed", String(number === seat));
  key.setAttribute("aria-label", `Seat ${number}, ${name}${pad.seats[number] ? ", entered" : ""}`);
  key.onclick = () => choose(number);
  return key;
}

function group([part, name]) {
  const list = slots.map((slot, each) => [slot, each]).filter(([slot]) => slot.part === part);
  return element("fieldset", {}, element("legend", { textContent: name }), ...list.map(([slot, each]) => slotKey(slot, each)));
}

function slotKey(slot, each) {
  const suit = slot.card ? SUITS[slot.card[1]][1] : "";
  const key = element("button", { type: "button", className: `slot ${suit}`, textContent: slot.card ? face(slot.card) : "" });
  key.setAttribute("aria-label", `${slot.name}: ${slot.card ? spoken(slot.card) : "empty"}`);
  if (each === at) key.setAttribute("aria-current", "true");
  key.onclick = () => {
    at = each;
    draw();
  };
  return key;
}

function fillKeys() {
  for (const suit of ["s", "h", "d", "c"]) {
    for (const each of RANKS) {
      const card = each + suit;
      const key = element("button", { type: "button", className: `key ${SUITS[suit][1]}`, textContent: face(card) });
      key.dataset.card = card;
      key.setAttribute("aria-label", spoken(card));
      key.onclick = () => replaceOrPress(card);
      find("pad-keys").append(key);
    }
  }
}

// A filled slot that was tapped is changed by the next card.
function replaceOrPress(card) {
  if (at < slots.length && slots[at].card && !place(card)) slots[at].card = "";
  press(card);
}

function typed(event) {
  if (asking || event.ctrlKey || event.altKey || event.metaKey) return;
  const letter = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (letter === "Backspace") undo();
  else if (letter === "Enter" && ready() && !event.target.closest("button:not(.key):not(.slot)")) check();
  else if (rank && event.key.toLowerCase() in SUITS) {
    const card = rank + event.key.toLowerCase();
    rank = "";
    replaceOrPress(card);
  } else if (RANKS.includes(letter) || letter === "1") rank = letter === "1" ? "T" : letter;
  else if (!(letter === "0" && rank === "T")) return;
  event.preventDefault();
}

async function check() {
  if (asking) return;
  asking = true;
  find("pad-check").disabled = true;
  const body = { board: cardsOf("board").join(" "), seats: [{ seat, cards: cardsOf("own").join(" ") }], revision: pad.revision };
  if (pad.dealer) body.dealer = cardsOf("dealer").join(" ");
  if (twice) body.as_it_lies = true;
  const answer = await send("verify", body);
  asking = false;
  if (!answer.ok) {
    find("pad-check").disabled = false;
    find("pad-check").focus();
    return say(answer.why);
  }
  pad = { ...pad, revision: answer.revision, board: answer.board.split(" ").filter(Boolean), seats: {} };
  for (const each of answer.seats) if (each.cards) pad.seats[each.seat] = each.cards.split(" ");
  const open = pad.hits.find((hit) => answer.seats.some((each) => each.seat === hit.seat && each.hits.some((one) => one.proof === "missing")));
  if (open) {
    choose(open.seat);
    find("pad-keys").firstElementChild.focus();
    say(`Kept. Now seat ${open.seat}.`);
  } else find("pad").close();
  await done(answer);
}

export function openPad(start) {
  pad = start;
  twice = false;
  find("pad-twice").hidden = true;
  const first = pad.hits.find((hit) => !pad.seats[hit.seat]) ?? pad.hits[0];
  say("Tap the cards, or type them: ah kh.");
  find("pad").showModal();
  choose(first.seat);
  find("pad-keys").firstElementChild.focus();
}

export function preparePad(sends, isDone) {
  [send, done] = [sends, isDone];
  fillKeys();
  find("pad-undo").onclick = undo;
  find("pad-check").onclick = check;
  find("pad-close").onclick = () => find("pad").close();
  find("pad-twice").onclick = () => {
    twice = true;
    find("pad-twice").hidden = true;
    put(wanted);
  };
  find("pad").addEventListener("keydown", typed);
}
