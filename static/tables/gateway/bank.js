// Where a player banks: who banks, what lies on each seat before the cards, and what is collected. The server judges.

const find = (id) => document.getElementById(id);
const UNITS = /^\d{1,7}$/; // before the deal whole units lie there

// Whether the next key tells the action: it was not told for the round that comes.
export const toTell = ({ bank, open_round: round, next_round: next }) => Boolean(bank) && !round && bank.round !== next;

export function bankSaid({ bank, open_round: round }, money, end) {
  const hand = `Seat ${bank.seat} banks, hand ${bank.in_a_row} of 2. Total action ${money(bank.action)}`;
  const collect = /[1-9]/.test(bank.fee) ? `${money(bank.fee)} from the player-dealer into the drop box` : "nothing is collected";
  const ends = bank.must_settle ? `${end} asks what became of the hand` : `When all is settled: ${end}`;
  return round ? `${hand}: ${collect}, then deal. ${ends}.` : `${hand}: ${collect}. Now lock the chips.`;
}

export function offerSaid({ bank }) {
  const start = bank.next_seat ? `The bank is offered to seat ${bank.next_seat}.` : "Who banks first?";
  return `${start} No more bets? Then ACTION: what lies on each seat.`;
}

export class Bank {
  constructor(table) {
    this.table = table;
    this.box = find("action-box");
    if (!this.box) return;
    this.side = [...this.box.querySelectorAll("[data-side]")].map((head) => head.dataset.side);
    find("bank-seat").replaceChildren(...this.seats.map((seat) => new Option(`Seat ${seat}`, seat)));
    find("spots").replaceChildren(...this.seats.map((seat) => this.row(seat)));
    this.box.addEventListener("input", () => this.sum());
  }

  get seats() {
    return Array.from({ length: this.table.facts.seats }, (_, at) => at + 1);
  }

  row(seat) {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    Object.assign(name, { scope: "row", textContent: `Seat ${seat}` });
    const cells = ["ante", ...this.side].map((wager) => {
      const cell = document.createElement("td");
      const field = document.createElement("input");
      Object.assign(field, { inputMode: "numeric", maxLength: 7, autocomplete: "off", pattern: "[0-9]*" });
      field.setAttribute("aria-label", `Seat ${seat}, ${wager.replaceAll("_", " ")}`);
      field.dataset.wager = wager;
      cell.append(field);
      return cell;
    });
    row.dataset.seat = seat;
    row.append(name, ...cells);
    return row;
  }

  // The last hand stands in the form: most players bet the same again.
  fill(bank) {
    find("bank-seat").value = bank.next_seat ?? 1;
    find("bank-wager").value = bank.wager ? whole(bank.wager) : "";
    for (const field of this.fields) {
      const spot = bank.bets.find((each) => each.seat === seatOf(field));
      field.value = spot?.wagers[field.dataset.wager] ? whole(spot.wagers[field.dataset.wager]) : "";
    }
    this.sum();
  }

  get fields() {
    return [...find("spots").querySelectorAll("input")];
  }

  get banker() {
    return Number(find("bank-seat").value);
  }

  sum() {
    for (const row of find("spots").children) row.hidden = Number(row.dataset.seat) === this.banker;
    const total = this.bets.flatMap((spot) => Object.values(spot.wagers)).reduce((sum, text) => sum + BigInt(text), 0n);
    find("action-sum").textContent = `Total action ${this.table.money(String(total))}`;
  }

  // Ante and blind are equal, so they are typed once.
  get bets() {
    const spots = new Map();
    for (const field of this.fields) {
      const text = field.value.trim();
      if (!UNITS.test(text) || Number(text) === 0 || seatOf(field) === this.banker) continue;
      const wagers = spots.get(seatOf(field)) ?? {};
      wagers[field.dataset.wager] = text;
      if (field.dataset.wager === "ante") wagers.blind = text;
      spots.set(seatOf(field), wagers);
    }
    return [...spots].map(([seat, wagers]) => ({ seat, wagers }));
  }

  // Stays open until the server accepts the hand or the dealer goes back.
  async tell() {
    const { table } = this;
    this.fill(table.facts.bank);
    let problem = "";
    for (;;) {
      find("action-problem").hidden = !problem;
      find("action-problem").textContent = problem;
      const answering = table.ask.closed(this.box);
      (problem ? find("bank-seat") : find("bank-wager")).focus();
      if (!(await answering)) return;
      const bank = { seat: this.banker, wager: find("bank-wager").value.trim() };
      const answer = await table.say({ do: "action", round: table.facts.next_round, bank, bets: this.bets });
      if (answer?.ok) return this.told(answer);
      problem = answer?.why ?? "Another key has no answer yet. Try again.";
    }
  }

  told({ round, bank }) {
    const { meters } = this.table.facts;
    const running = { round, seats: [], marks: [], hits: [], signed: [] };
    this.table.takeIn(Object.keys(meters).length ? { bank } : { bank, open_round: running });
  }
}

const seatOf = (field) => Number(field.closest("tr").dataset.seat);
const whole = (amount) => amount.split(".")[0];
