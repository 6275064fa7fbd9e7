// After the cards of a hand that a player banked: what each wager won or lost. The server says how far the bank reaches.

const find = (id) => document.getElementById(id);
const BASE = ["ante", "play", "blind"];
const RESULTS = { loses: "Loses", wins: "Wins", ties: "Ties", folds: "Folds" };

// Whether the hand that runs was not told to its end yet.
export const unsettled = ({ bank, open_round: round }) => Boolean(bank && round && bank.round === round.round && !bank.settled);

export class Settling {
  constructor(table) {
    this.table = table;
    this.box = find("settle-box");
    if (!this.box) return;
    this.side = [...this.box.querySelectorAll("[data-side]")].map((head) => head.dataset.side);
    this.box.addEventListener("change", ({ target }) => target.matches("select, [data-play], #settle-pair") && this.fillAll());
  }

  get rows() {
    return [...find("outcomes").children];
  }

  row(spot) {
    const row = document.createElement("tr");
    const name = document.createElement("th");
    const result = document.createElement("select");
    Object.assign(name, { scope: "row", textContent: `Seat ${spot.seat}` });
    result.setAttribute("aria-label", `Seat ${spot.seat}: the hand`);
    result.replaceChildren(...Object.entries(RESULTS).map(([value, said]) => new Option(said, value)));
    row.dataset.seat = spot.seat;
    row.append(name, cell(result), cell(this.field(spot.seat, "Play", { play: "" })));
    for (const wager of [...BASE, ...this.side]) {
      const lies = BASE.includes(wager) || spot.wagers[wager];
      row.append(lies ? cell(this.field(spot.seat, `${wager.replaceAll("_", " ")} due`, { due: wager })) : cell(document.createTextNode("–")));
    }
    return row;
  }

  field(seat, what, data) {
    const field = document.createElement("input");
    Object.assign(field, { inputMode: "decimal", maxLength: 11, autocomplete: "off" });
    field.setAttribute("aria-label", `Seat ${seat}, ${what}`);
    Object.assign(field.dataset, data);
    return field;
  }

  spotOf(row) {
    return this.table.facts.bank.bets.find((each) => each.seat === Number(row.dataset.seat));
  }

  fillAll() {
    for (const row of this.rows) this.fill(row);
  }

  // What follows from the comparison of the hands; a blind that pays and a bonus that wins are typed over it.
  fill(row) {
    const { wagers } = this.spotOf(row);
    const result = row.querySelector("select").value;
    const play = row.querySelector("[data-play]");
    if (result === "folds") play.value = "";
    play.disabled = result === "folds";
    const stakes = { ...wagers, play: play.value.trim() || "0" };
    const pair = find("settle-pair").checked;
    for (const field of row.querySelectorAll("[data-due]")) {
      const wager = field.dataset.due;
      if (BASE.includes(wager)) field.value = dueOf(result, wager, stakes[wager], pair);
      else if (field.value === "") field.value = lost(stakes[wager]);
    }
  }

  get results() {
    return this.rows.map((row) => {
      const play = row.querySelector("[data-play]").value.trim();
      const due = {};
      for (const field of row.querySelectorAll("[data-due]")) {
        if (field.dataset.due !== "play" || play) due[field.dataset.due] = field.value.trim().replace("−", "-");
      }
      return { seat: Number(row.dataset.seat), ...(play && { play }), due };
    });
  }

  // Stays open until the server accepts what became of the hand or the dealer goes back.
  async tell() {
    const { table } = this;
    if (!unsettled(table.facts)) return table.tell("No hand waits for its end here.");
    const { bank } = table.facts;
    find("outcomes").replaceChildren(...bank.bets.map((spot) => this.row(spot)));
    find("settle-pair").checked = true;
    this.fillAll();
    let problem = "";
    for (;;) {
      find("settle-problem").hidden = !problem;
      find("settle-problem").textContent = problem;
      const answering = table.ask.closed(this.box);
      find("outcomes").querySelector("select").focus();
      if (!(await answering)) return;
      const answer = await table.say({ do: "settle", round: bank.round, results: this.results });
      if (answer?.ok) return this.told(answer.settled);
      problem = answer?.why ?? "Another key has no answer yet. Try again.";
    }
  }

  told(settled) {
    const { table } = this;
    table.takeIn({ bank: { ...table.facts.bank, settled: true, must_settle: false } });
    table.tell(settledSaid(settled, table.money));
  }
}

// What the dealer does with the chips: the bank's sums, and what goes back because the bank does not reach.
export function settledSaid({ paid, collected, order }, money) {
  const back = order.filter((part) => /[1-9]/.test(part.uncovered)).map((part) => `seat ${part.seat} ${part.wager.replaceAll("_", " ")} ${money(part.uncovered)}`);
  const rest = back.length ? ` The bank does not reach: ${back.join(", ")} ${back.length > 1 ? "are" : "is"} not moved.` : "";
  return `The player-dealer pays ${money(paid)} and takes ${money(collected)}.${rest}`;
}

function dueOf(result, wager, stake, pair) {
  if (wager === "ante" && !pair && result !== "folds") return "0";
  if (result === "loses" || result === "folds") return lost(stake);
  return result === "wins" && wager !== "blind" && Number(stake) ? stake : "0";
}

const lost = (stake) => (Number(stake) ? `-${stake}` : "0");

function cell(content) {
  const made = document.createElement("td");
  made.append(content);
  return made;
}
