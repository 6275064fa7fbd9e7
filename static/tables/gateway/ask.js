// The console's questions. Each opens its dialog and answers with what was chosen, or with nothing.

const find = (id) => document.getElementById(id);

export class Asker {
  constructor() {
    this.waits = false;
    this.fillPad();
    for (const key of document.querySelectorAll("dialog [data-back]")) key.onclick = () => key.closest("dialog").close("");
    find("menu-key").onclick = () => find("menu-box").showModal();
  }

  get open() {
    return document.querySelector("dialog[open]");
  }

  closed(box) {
    box.returnValue = "";
    box.showModal();
    return new Promise((resolve) => {
      box.addEventListener("close", () => resolve(box.returnValue === "yes"), { once: true });
    });
  }

  confirm(title, lines) {
    find("confirm-title").textContent = title;
    find("confirm-list").replaceChildren(...lines.map(item));
    const answer = this.closed(find("confirm-box"));
    find("confirm-box").querySelector("[value=yes]").focus();
    return answer;
  }

  async keyNumber() {
    find("key-number").value = "";
    return (await this.closed(find("key-box"))) ? find("key-number").value.trim() : "";
  }

  async reason() {
    find("reject-reason").value = "";
    return (await this.closed(find("reject-box"))) ? find("reject-reason").value.trim() : "";
  }

  // Seats to count again: the confirm box with one box to tick per seat.
  async seats(last, counted, wager = "") {
    find("confirm-title").textContent = wager ? `Which seats have a chip on ${wager}?` : "Which seats have a chip?";
    const boxes = Array.from({ length: last }, (_, at) => seatBox(at + 1, counted.includes(at + 1)));
    find("confirm-list").replaceChildren(...boxes);
    if (!(await this.closed(find("confirm-box")))) return null;
    return boxes.filter((box) => box.querySelector("input").checked).map((box) => Number(box.dataset.seat));
  }

  // The card box without a card: who is meant is known, and shows to be there.
  async pin(title, why, send) {
    const number = find("card-number");
    number.required = false;
    number.parentElement.hidden = true;
    const answer = await this.card(title, why, send);
    number.required = true;
    number.parentElement.hidden = false;
    return answer;
  }

  // Stays open until the card is accepted or the person goes back; numbers and PINs are forgotten at once.
  async card(title, why, send, reasons = "") {
    const [number, pin, box] = [find("card-number"), find("card-pin"), find("card-box")];
    find("card-title").textContent = title;
    find("card-why").textContent = why;
    find("void-part").hidden = !reasons;
    find("card-reason").required = Boolean(reasons);
    find("card-reason").setAttribute("list", reasons);
    let problem = "";
    let typed = "";
    for (;;) {
      find("card-problem").hidden = !problem;
      find("card-problem").textContent = problem;
      number.value = typed;
      pin.value = "";
      const answering = this.closed(box);
      (typed || !number.required ? pin : number).focus();
      if (!(await answering)) break;
      this.waits = true; // the box is closed: a PIN that is typed on must touch no seat
      const answer = await send({ card: number.value, pin: pin.value, reason: find("card-reason").value.trim() });
      this.waits = false;
      if (answer?.ok) return this.forget(answer);
      problem = answer?.why ?? "Another key has no answer yet. Try again.";
      const needsPin = answer?.code === "pin_needed" || answer?.code === "pin_wrong";
      typed = needsPin ? number.value : "";
    }
    return this.forget(null);
  }

  forget(answer) {
    for (const id of ["card-number", "card-pin", "card-reason"]) find(id).value = "";
    return answer;
  }

  fillPad() {
    const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"].map((face) => {
      const key = document.createElement("button");
      Object.assign(key, { type: "button", textContent: face, className: "button" });
      if (face === "⌫") key.setAttribute("aria-label", "Take the last digit back");
      key.onclick = () => {
        const pin = find("card-pin");
        pin.value = face === "⌫" ? pin.value.slice(0, -1) : pin.value + face;
        pin.focus();
      };
      return key;
    });
    find("pin-pad").replaceChildren(...keys);
  }
}

function item(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}

function seatBox(seat, checked) {
  const line = item("");
  const label = document.createElement("label");
  const box = document.createElement("input");
  Object.assign(box, { type: "checkbox", checked });
  label.className = "check";
  label.append(box, `Seat ${seat}`);
  line.dataset.seat = seat;
  line.append(label);
  return line;
}
