// What the console tells the dealer: one sentence for every state a table can stand in, and what the next key is.

import { bankSaid, offerSaid, toTell } from "./bank.js";

export function phaseOf(facts) {
  const round = facts.open_round;
  if (!round) return facts.key_at_jph ? "key" : "bets";
  const states = new Set(round.hits.map((hit) => hit.state));
  if (states.has("logged")) return "logged";
  if (states.has("asked")) return "asked";
  if (facts.key_at_jph) return "key";
  return round.marks.length ? "marked" : "running";
}

export const listed = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

// Seats with a chip on any wager of the round.
export const players = (round) => [...new Set([...round.seats, ...Object.values(round.further ?? {}).flat()])].sort();

// The further wagers of an answer as the table's facts have them: seats by code.
export const seatsOf = (further) => Object.fromEntries(Object.entries(further).map(([code, each]) => [code, each.seats]));

export function seatsSaid(seats) {
  const each = [...new Set(seats)].sort();
  return each.length === 1 ? `seat ${each[0]}` : `seats ${listed(each)}`;
}

// What the two generations of controllers call the same keys.
export const WORDS = {
  card: { lock: "START GAME", end: "END GAME" },
  key: { lock: "COIN IN", end: "GAME OVER" },
};

export function sentence({ facts, link, chips, asked, money }) {
  const said = { facts, chips: chips.seats, asked, money };
  return awaySaid(link) ?? waitingSaid(link) ?? closedSaid(facts) ?? SAID[phaseOf(facts)](said);
}

function awaySaid({ away }) {
  if (!away) return null;
  if (away.code === 4409) return "Another controller speaks for this table now. Take it back only if that one is yours.";
  return away.why || "The server does not hear this page any more. Sign in and badge in again.";
}

function waitingSaid(link) {
  if (!link.busy || !(link.lost || link.silence > 2_000)) return null;
  const what = { coin_in: "The coin-in", end: "The end", action: "The action", settle: "The end of the hand" }[link.unanswered.body.do] ?? "Your last key";
  return `${what} has no answer yet. It is said again by itself and counts once.`;
}

function closedSaid(facts) {
  if (facts.state === "open" || facts.open_round) return null;
  if (facts.state === "held") return `Held: ${facts.why || "a supervisor looks at it"}. A supervisor releases it on the pit page.`;
  if (facts.state === "maintenance") return "In maintenance: keys answer, nothing is counted.";
  return "Closed. A supervisor opens this table on the pit page.";
}

const SAID = {
  bets: ({ facts, chips, money }) => {
    if (toTell(facts)) return offerSaid(facts);
    return (facts.bank ? bankSaid(facts, money) + " " : "") + betsSaid(facts, chips);
  },
  running: ({ facts, money }) => {
    const won = facts.open_round.hits;
    const { end } = WORDS[facts.profile];
    if (won.length) return `The meter has moved. Pay by the win page, then ${end}.`;
    if (facts.bank?.round === facts.open_round.round) return bankSaid(facts, money, end);
    const how = facts.profile === "key" ? "press its hand key, or tap the seat first" : "tap its seat, then the hand";
    return `Winning hand: ${how}. When all is paid: ${end}.`;
  },
  marked: ({ facts }) => {
    const lit = unassigned(facts);
    if (lit.length) return `Lit: ${listed(lit)}. The supervisor says on the pit page which seats hold ${lit.length > 1 ? "them" : "it"}, then turns the key to JPH.`;
    const marks = facts.open_round.marks.map(markSaid);
    const next = facts.profile === "key" ? "Supervisor: turn the key to JPH." : "More? Mark them too. Then CONFIRM.";
    return `${marks.length > 1 ? `${marks.length} hits marked` : `Marked: ${marks[0]}`}. ${next}`;
  },
  asked: ({ facts, asked, money }) => (facts.profile === "key" ? askedByKey(facts, asked, money) : askedByCard(facts, asked, money)),
  logged: ({ facts }) => `The win is logged. Turn key ${facts.key_at_jph || "of the supervisor"} to RUN: then the meter moves.`,
  key: ({ facts }) =>
    unassigned(facts).length
      ? `Key ${facts.key_at_jph} stands at JPH. Say on the pit page which seats hold ${listed(unassigned(facts))}; then J-POT.`
      : `Key ${facts.key_at_jph} stands at JPH and no hand is lit. Turn it to RUN, mark the hand, then JPH again.`,
};

function betsSaid(facts, chips) {
  const { lock } = WORDS[facts.profile];
  const seats = chips.size ? `Bets down at ${seatsSaid([...chips])}? Then` : "Tap every seat with a chip, then";
  return `${parkedSaid(facts)}${seats} ${lock}.`;
}

function askedByCard(facts, asked, money) {
  const signed = facts.open_round.signed;
  if (signed.length) return `${listed(signed)} signed. A second person’s card is needed, here or on the pit page.`;
  if (!asked) return "The marks are closed. The supervisor’s card approves, here or on the pit page.";
  const people = asked.people > 1 ? ` from ${asked.people} people` : "";
  return `${money(asked.total)} in all: needs ${article(asked.card)} ${asked.card} card${people}, here or on the pit page.`;
}

function askedByKey(facts, asked, money) {
  const signed = facts.open_round.signed;
  if (asked?.missing) return `${money(asked.total)} in all: ${article(asked.missing)} ${asked.missing}. The key stays at JPH.`;
  if (signed.length) return `${listed(signed)} signed. A second person’s card is needed on the pit page.`;
  if (!facts.key_at_jph) return "Asked for on the pit page. Turn the key to JPH, then J-POT.";
  const sum = asked ? `${money(asked.total)} in all. ` : "";
  if (asked && onlyAsks(asked)) return `${sum}J-POT asks for ${article(asked.card)} ${asked.card} card on the pit page. The key stays at JPH.`;
  return `${sum}J-POT logs the win. Key back to RUN without J-POT changes nothing.`;
}

// What an executive or two people approve is never approved by a key.
export const onlyAsks = ({ card, people }) => card === "executive" || people > 1;

// Hands whose key is lit while nobody has said their seats.
export const unassigned = (facts) => (facts.open_round?.marks ?? []).filter((mark) => mark.seat === null).map((mark) => mark.name);

export const markSaid = (mark) => (mark.seat === null ? `${mark.name}, seats not said` : `${mark.name} at seat ${mark.seat}`);

function parkedSaid({ parked = [] }) {
  if (!parked.length) return "";
  const each = [...new Set(parked.map((hit) => `${markSaid(hit)}, round ${hit.round}`))];
  return `Parked for the pit: ${listed(each)}. `;
}

const article = (word) => ("aeiou".includes(word[0]) ? "an" : "a");
