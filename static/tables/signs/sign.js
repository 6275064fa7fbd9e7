// The sign on the wall. The page comes with its figures; this keeps them true, or says that they are not.

import { minorOf } from "./climb.js";
import { Writing } from "./figure.js";
import { Link } from "./link.js";
import { Marks } from "./marks.js";
import { Meter } from "./meter.js";

const LATE_AFTER = 5000;
const NOT_CURRENT_AFTER = 30000;
const REPORTS_EVERY = 10000;
const CELEBRATES_FOR = 30000;
const PAID_FOR = 15000; // a smaller award
const NEWS_FOR = 60000; // a win older than this is no news for a sign that has just come back
const DRIFTS_BY = 6; // pixels
const DRIFTS_ROUND_IN = 19 * 60000;
const FRESH_PAGE_AFTER = 24 * 3600 * 1000;

const page = document.body;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches || page.classList.contains("digits");
const writing = new Writing(page.dataset);
const spoken = document.getElementById("spoken");
const find = (name) => document.querySelector(`.${name}`);
const meters = [...document.querySelectorAll("[data-meter]")].map((section) => new Meter(section, writing, still, speak));
const marks = new Marks();
const bornAt = performance.now();

let fault = null;
let late = false;
let celebrated = "";
let paying = 0;
let frame = 0;
let framedAt = 0;

function speak(words) {
  spoken.textContent = words;
}

function hear(told) {
  if (!told.meters) return;
  fault = told.fault;
  if (!fault && told.meters.map((meter) => meter.code).join() !== meters.map((meter) => meter.code).join()) {
    location.reload();
    return;
  }
  const paid = told.won ? paidWords(told.won) : "";
  for (const words of told.meters) {
    marks.hear(words.code, words.mark);
    meters.find((meter) => meter.code === words.code).hear(words, paid);
  }
  page.dataset.scene = told.scene;
  post(find("notice"), told.notice);
  verify(told.verifying);
  if (told.won) celebrate(told.won, told.at);
  remember(told.last);
  if (told.page !== page.dataset.edition) refresh();
  page.dataset.linked = "yes";
  watch();
  climb();
}

function post(element, words) {
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}

function money(text) {
  const digits = meters.length ? meters[0].digits : 2;
  return writing.text(minorOf(text, digits), digits);
}

function verify(hits) {
  const words = grouped(hits).map(([table, of]) => `${table}: ${counted(of.map(({ amount }) => money(amount)))} being verified`).join("  ·  ");
  const line = find("verifying");
  if (words && line.textContent !== words) speak(words);
  post(line, words);
}

function grouped(hits) {
  const tables = new Map();
  for (const hit of hits) tables.set(hit.table, [...(tables.get(hit.table) ?? []), hit]);
  return [...tables];
}

// "7 × $3,000.00": what several seats are paid alike is said once.
function counted(amounts) {
  const alike = [...new Set(amounts)];
  return alike.map((amount) => {
    const times = amounts.filter((other) => other === amount).length;
    return times > 1 ? `${times} × ${amount}` : amount;
  }).join(" and ");
}

function paidWords({ line, amount, table }) {
  return `${line} paid ${money(amount)} at ${table}`;
}

function remember(last) {
  const day = last?.day && new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(last.day));
  post(find("last"), last ? ["Last won: " + money(last.amount), last.line, last.table, day].filter(Boolean).join("  ·  ") : "");
}

// A part of the meter has the whole wall; any other award has a line of its own, and the room hears of it too.
function celebrate(won, at) {
  const name = `${won.table} ${won.at}`;
  if (name === celebrated || Date.parse(at) - Date.parse(won.at) > NEWS_FOR) return;
  celebrated = name;
  if (won.part !== false) return jackpotWon(won);
  const words = paidWords(won);
  post(find("paid"), words);
  speak(words);
  clearTimeout(paying);
  paying = setTimeout(() => post(find("paid"), ""), PAID_FOR);
}

function jackpotWon(won) {
  const amount = money(won.amount);
  find("won-amount").textContent = amount;
  find("won-amount").style.setProperty("--letters", amount.length);
  find("won-where").textContent = [won.line, won.table].filter(Boolean).join("  ·  ");
  find("won").hidden = false;
  speak(`Jackpot won: ${amount}, ${won.table}`);
  setTimeout(() => {
    find("won").hidden = true;
    for (const meter of meters) meter.newScene();
  }, CELEBRATES_FOR);
}

function climb() {
  if (!frame) {
    framedAt = performance.now();
    frame = requestAnimationFrame(step);
  }
}

function step(now) {
  const seconds = Math.max(0, now - framedAt) / 1000;
  framedAt = Math.max(framedAt, now);
  const moving = meters.map((meter) => meter.step(seconds, now)).some(Boolean);
  frame = moving ? requestAnimationFrame(step) : 0;
}

// Silence is told, never hidden: dim with a dot at first, then the figure gives way to words every other moment.
function watch() {
  const now = performance.now();
  let longest = link.silentFor;
  for (const meter of meters) {
    const silence = Math.max(link.silentFor, meter.doubtedFor(now));
    longest = Math.max(longest, silence);
    meter.say(fault ?? (silence > NOT_CURRENT_AFTER ? "not current" : ""), now);
  }
  mark(Boolean(fault) || longest > LATE_AFTER);
}

function mark(isLate) {
  if (isLate === late) return;
  late = isLate;
  page.classList.toggle("silent", late);
  speak(late ? fault ?? "The line to the books is silent." : "The line to the books is back.");
}

// Changed files or a day's running: the page starts afresh, with its figure in the first paint, when nothing is going on.
function refresh() {
  if (!find("won").hidden || late) return;
  if (performance.now() - bornAt > 60000 + Math.random() * 60000) location.reload();
}

async function stayAwake() {
  if (document.visibilityState !== "visible" || !navigator.wakeLock) return;
  await navigator.wakeLock.request("screen").catch(() => {});
}

// Two pixels a minute around a small circle, so that no edge burns in.
function drift() {
  const angle = (performance.now() / DRIFTS_ROUND_IN) * 2 * Math.PI;
  const [x, y] = [Math.sin(angle), Math.cos(angle)].map((part) => Math.round(part * DRIFTS_BY));
  find("stage").style.transform = `translate(${x}px, ${y}px)`;
}

const link = new Link(page.dataset.sign, hear);
setInterval(watch, 250);
setInterval(drift, 30000);
setInterval(() => meters.forEach((meter) => link.say({ ...meter.report(), mark: marks.of(meter.code) })), REPORTS_EVERY);
setInterval(() => performance.now() - bornAt > FRESH_PAGE_AFTER && refresh(), 60000);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
