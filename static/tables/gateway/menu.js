// What the menu holds: a round counted again, parked or voided, each on the card of somebody above the dealer.

import { spots } from "./chips.js";
import { listed } from "./say.js";

export class Menu {
  constructor(table) {
    this.table = table;
  }

  async recount() {
    const { table } = this;
    const round = table.facts.open_round;
    if (!round) return table.tell("No round runs: tap the seats and lock them.");
    const counted = await this.countAgain(round);
    if (!counted) return;
    const { seats, further } = counted;
    const message = { do: "recount", round: round.round, seats, spots: spots(new Set(seats), table.facts.seats), ...(further && { further }) };
    const answer = await table.ask.card("Count again", `Round ${round.round}: supervisor’s card`, ({ card, pin }) => table.say({ ...message, card, ...(pin && { pin }) }));
    if (answer) table.takeIn({ meters: answer.meters, open_round: { ...round, ...counted } });
  }

  // One question for each wager; a table with one asks what it always asked.
  async countAgain(round) {
    const { table } = this;
    const wagers = table.facts.further ?? [];
    const seats = await table.ask.seats(table.facts.seats, round.seats, wagers.length ? table.facts.wager_name : "");
    if (!seats || !wagers.length) return seats && { seats };
    const further = {};
    for (const each of wagers) {
      const chosen = await table.ask.seats(table.facts.seats, round.further?.[each.wager] ?? [], each.name);
      if (!chosen) return null;
      if (chosen.length) further[each.wager] = chosen;
    }
    return { seats, further };
  }

  async park() {
    const { table } = this;
    const round = table.facts.open_round;
    if (!table.openHits.length) return table.tell("No hit is open: there is nothing to park.");
    if (table.facts.key_at_jph) return table.tell(`Key ${table.facts.key_at_jph} stands at JPH. Turn it to RUN, then park the hit.`);
    if (table.refusedByLink("Parking")) return;
    const why = `${listed(table.openHits)}: stays open and frozen, the pit settles it later. Executive’s card`;
    const send = (words) => table.say({ do: "park", round: round.round, ...words });
    const answer = await table.ask.card("Park: the table plays on", why, send, "park-reasons");
    if (answer) table.takeIn({ open_round: null, next_round: answer.next_round });
  }

  async voidRound() {
    const { table } = this;
    const round = table.facts.open_round;
    if (!round) return table.tell("No round runs. A round that is over is voided on the pit page.");
    const why = `Round ${round.round}: all its hands are void, its coin-in is taken back`;
    const send = ({ card, pin, reason }) => table.say({ do: "void", round: round.round, reason, card, ...(pin && { pin }) });
    const answer = await table.ask.card("Void the round", why, send, "reasons");
    if (answer) table.takeIn({ meters: answer.meters, open_round: null, next_round: round.round + 1 });
    if (answer && table.facts.bank) table.link.hangUp(); // a voided hand was none: hello says who has the bank
  }
}
