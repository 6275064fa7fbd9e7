// The supervisor's word: hold to approve, then the card, and the PIN where it is asked for. A wrong card learns at once.

import { look } from "../pit/board.js";
import { openPad, preparePad } from "./cards.js";

const find = (id) => document.getElementById(id);
const FORMS = ["decide-idle", "card-form", "reject-form", "pass-form"];
const HOLD = 1_000;
const TWO_PEOPLE = {
  reject: { label: "Reason to reject the claim", yes: "Reject the claim", said: "Rejected. Nothing moved." },
  pass: { label: "Reason to pass the earlier hit", yes: "Let it pass", said: "It may pass. Now approve it.", file: true },
  rejoin: { label: "Reason why it is not settled first after all", yes: "Withdraw it", said: "Withdrawn. It waits again where its mark ranks it." },
  override: { label: "Reason to pay it in spite of the cards", yes: "Override the cards", said: "The cards are overridden. Now approve it.", file: true },
};
let question = "pass"; // what the two people are asked
let mine = false; // the own password instead of a card
let key = ""; // one per intention: a repeat over a broken line is the same word, not a second one

function state() {
  return find("win-state").dataset;
}

function show(part) {
  for (const id of FORMS) find(id).hidden = id !== part;
  find("win-problem").hidden = true;
  if (part === "decide-idle") for (const input of document.querySelectorAll(".decide input:not([type=hidden])")) input.value = "";
  if (part === "card-form") byPassword(false);
  if (part !== "decide-idle") find("win-answer").hidden = true;
  key = freshKey();
  find(part).querySelector("input, button")?.focus();
}

function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tell(id, words) {
  find(id).textContent = words;
  find(id).hidden = !words;
}

async function send(act, body, thing = `wins/${state().win}`) {
  const token = document.querySelector(".decide [name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token, "Idempotency-Key": key };
  try {
    const answered = await fetch(`/api/v1/${thing}/${act}/`, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await answered.json();
    if (answer.ok) key = freshKey(); // what is pressed next is another act; without an answer it is the same one again
    return answer;
  } catch {
    return { ok: false, code: "unanswered", why: "No answer from the server. Press again: your word counts once." };
  }
}

async function decide(act, body, said) {
  tell("win-problem", "");
  const answer = await send(act, body);
  if (!answer.ok) return refused(answer);
  show("decide-idle");
  tell("win-answer", said(answer));
  await look();
  allow();
}

function refused(answer) {
  tell("win-problem", answer.why);
  find("win-problem").className = answer.code === "pin_needed" ? "tell" : "problem";
  const needsPin = answer.code === "pin_needed" || answer.code === "pin_wrong";
  find("pin").value = "";
  if (find("password")) find("password").value = "";
  if (!needsPin && answer.code !== "unanswered") find("card").value = "";
  (mine ? find("password") : needsPin && find("card").value ? find("pin") : find("card")).focus();
}

// Whoever is signed in here may give the own password instead of card and PIN.
function byPassword(wanted) {
  if (!find("own-part")) return;
  mine = wanted;
  find("own-part").hidden = !wanted;
  find("card-part").hidden = wanted;
  find("card").required = !wanted;
  find("password").required = wanted;
  find("own").textContent = wanted ? "Use a card instead" : "Use my password instead";
  for (const id of ["card", "pin", "password"]) find(id).value = "";
}

function approved(answer) {
  if (answer.missing) return `${answer.who} has signed. Still needed: ${answer.missing}.`;
  const slips = answer.wins.map((win) => win.slip).join(", ");
  return `${answer.who} approved ${answer.wins.length === 1 ? "it" : "all of it"}. Slip ${slips}.`;
}

// Which keys make sense now follows from the facts, which are fetched anew each second.
function allow() {
  const asked = state().state === "asked";
  const waits = state().first === "yes";
  const step = state().step;
  if (find("approve")) find("approve").disabled = !asked || waits || step !== "";
  if (find("seen")) find("seen").hidden = step !== "seen";
  if (find("enter")) {
    find("enter").hidden = !state().pad;
    find("enter").classList.toggle("first", step === "cards");
    find("enter").textContent = state().entered ? "Change the cards" : "Enter the cards";
    find("follow").hidden = !state().differs;
    find("follow").textContent = state().differs === "no_line" ? "Take the mark back" : "Mark what the cards prove";
  }
  if (find("override")) find("override").hidden = !(asked && step === "held");
  if (find("reject")) find("reject").disabled = !asked;
  if (find("pass")) find("pass").hidden = !(asked && waits);
  const front = state().front === "yes";
  if (find("rejoin")) find("rejoin").hidden = !front;
  if (!asked && !front && find("decide-idle").hidden) show("decide-idle");
}

function holdable(button, act) {
  let timer = 0;
  const begin = (event) => {
    if (button.disabled || timer || (event.type === "keydown" && ![" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    button.focus();
    button.classList.add("holding");
    timer = setTimeout(() => {
      end();
      act();
    }, HOLD);
  };
  const end = (event) => {
    if (timer && ["pointerup", "keyup"].includes(event?.type)) tell("win-problem", "Hold the key for a second. A short touch approves nothing.");
    clearTimeout(timer);
    timer = 0;
    button.classList.remove("holding");
  };
  for (const name of ["pointerdown", "keydown"]) button.addEventListener(name, begin);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) button.addEventListener(name, end);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}

function fillPad() {
  for (const face of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"]) {
    const pad = document.createElement("button");
    Object.assign(pad, { type: "button", className: "button", textContent: face });
    if (face === "⌫") pad.setAttribute("aria-label", "Take the last digit back");
    pad.onclick = () => {
      find("pin").value = face === "⌫" ? find("pin").value.slice(0, -1) : find("pin").value + face;
    };
    find("pin-pad").append(pad);
  }
}

// The file of an override goes along as base64; a withdrawal and a rejection take none.
async function chosenFile() {
  const file = find("pass-file").files[0];
  if (!file || !TWO_PEOPLE[question].file) return {};
  const reader = new FileReader();
  const read = new Promise((done) => (reader.onload = done));
  reader.readAsDataURL(file);
  await read;
  return { file: { name: file.name, content: reader.result.slice(reader.result.indexOf(",") + 1) } };
}

function askTwo(what) {
  question = what;
  find("pass-evidence").hidden = !TWO_PEOPLE[what].file;
  find("pass-label").textContent = TWO_PEOPLE[what].label;
  find("pass-yes").textContent = TWO_PEOPLE[what].yes;
  show("pass-form");
}

function submits(form, act, body, said) {
  find(form).addEventListener("submit", (event) => {
    event.preventDefault();
    (async () => decide(typeof act === "function" ? act() : act, await body(), said))();
  });
}

fillPad();
if (find("approve")) holdable(find("approve"), () => show("card-form"));
if (find("reject")) find("reject").onclick = () => (state().claimed ? askTwo("reject") : show("reject-form"));
if (find("pass")) find("pass").onclick = () => askTwo("pass");
if (find("rejoin")) find("rejoin").onclick = () => askTwo("rejoin");
if (find("override")) find("override").onclick = () => askTwo("override");
if (find("seen")) find("seen").onclick = () => decide("verify", { seen: true }, () => "Cards seen. Hold to approve.");
if (find("follow")) find("follow").onclick = () => decide("follow", {}, (answer) => (answer.marks.length ? "The mark is what the cards prove. Another person approves it." : "The mark is taken back."));
if (find("enter")) find("enter").onclick = () => openPad(JSON.parse(state().pad));
preparePad(send, async (answer) => {
  tell("win-answer", answer.missing.length ? "" : "The cards are entered. Hold to approve.");
  await look();
  allow();
  if (!find("pad").open && find("approve")?.disabled === false) find("approve").focus();
});
for (const back of document.querySelectorAll("[data-idle]")) back.onclick = () => show("decide-idle");
submits("card-form", "approve", () => (mine ? { password: find("password").value } : { card: find("card").value, pin: find("pin").value }), approved);
if (find("own")) find("own").onclick = () => {
  byPassword(!mine);
  find(mine ? "password" : "card").focus();
};
submits("reject-form", "reject", () => ({ reason: find("why").value }), () => "Rejected. Nothing moved; the table plays on.");
submits("pass-form", () => question, async () => ({
  reason: find("pass-why").value,
  cards: ["first", "second"].map((who) => ({ card: find(`${who}-card`).value, pin: find(`${who}-pin`).value })),
  ...(await chosenFile()),
}), () => TWO_PEOPLE[question].said);
// One press prints the page of a slip: the original once; a further copy is asked for on the slip's record, with its reason.
document.addEventListener("click", async ({ target }) => {
  const slip = target.closest("[data-print]")?.dataset.print;
  if (!slip) return;
  tell("win-problem", "");
  tell("win-answer", "");
  const answer = await send("copies", {}, `slips/${slip}`);
  if (answer.ok) tell("win-answer", `${answer.copy} of slip ${slip} was sent to ${answer.printer}.`);
  else tell("win-problem", answer.why);
});
document.addEventListener("board", allow);
allow();
