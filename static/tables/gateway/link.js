// The line to the server: one message at a time, answered after the commit; what was not answered is said again.

const SILENT_AFTER = 5_000;
const BEAT_EVERY = 1_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;
const REPEATABLE = new Set(["coin_in", "end", "action", "settle", "mark", "unmark", "confirm", "key", "j_pot"]);
const KEPT = new Set(["coin_in", "end", "action", "settle"]); // harmless to repeat by their names, so they survive a reload too
const STAYS_AWAY = new Set([4401, 4403, 4409, 4410]);

export class Link {
  // `on` hears: hello(facts), push(message), change().
  constructor(tableCode, on) {
    this.path = `/ws/tables/${tableCode}`;
    this.storeKey = `fairmeter-unanswered-${tableCode}`;
    this.on = on;
    this.unanswered = this.restored();
    this.wait = FIRST_WAIT;
    this.heardAt = Date.now();
    this.greeted = false;
    this.away = null; // {code, why}: the server will not hear this page until somebody does something
    this.nextId = Date.now();
    setInterval(() => this.tick(), BEAT_EVERY);
  }

  open() {
    Object.assign(this, { away: null, refused: null, greeted: false });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onmessage = (event) => this.socket === socket && this.heard(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.closed(event);
  }

  get silence() {
    return Date.now() - this.heardAt;
  }

  get lost() {
    return this.silence > SILENT_AFTER || this.away !== null;
  }

  get busy() {
    return this.unanswered !== null;
  }

  // The answer, or after a broken link: {ok: false, code: "unanswered"} where repeating could do a thing twice.
  say(message) {
    return new Promise((resolve) => {
      this.nextId += 1;
      this.unanswered = { body: { id: this.nextId, ...message }, resolve };
      if (KEPT.has(message.do)) sessionStorage.setItem(this.storeKey, JSON.stringify(this.unanswered.body));
      this.flush();
      this.on.change();
    });
  }

  flush() {
    if (this.greeted && this.unanswered) this.send(this.unanswered.body);
  }

  send(body) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(body));
  }

  heard(message) {
    this.heardAt = Date.now();
    if (message.do === "challenge") this.send({ id: "hello", do: "hello", version: "page", console: true });
    else if (message.id === "hello") this.greet(message);
    else if (message.id === "beat") this.beating = false;
    else if (this.unanswered && message.id === this.unanswered.body.id) this.answered(message);
    else if (message.do) this.on.push(message);
    this.on.change();
  }

  greet(facts) {
    this.refused = facts.code; // the server says why once more as it closes
    if (!facts.ok) return;
    Object.assign(this, { greeted: true, wait: FIRST_WAIT, rounds: 0, coinIns: 0, beating: false });
    this.on.hello(facts);
    this.flush();
  }

  answered(message) {
    const { body, resolve } = this.unanswered;
    this.unanswered = null;
    sessionStorage.removeItem(this.storeKey);
    if (message.ok && body.do === "coin_in") this.coinIns += 1;
    if (message.ok && body.do === "end") this.rounds += 1;
    resolve(message);
  }

  closed(event) {
    this.greeted = false;
    // A server without its database refuses everybody: that passes, so the page goes on trying.
    if (STAYS_AWAY.has(event.code) && this.refused !== "unknown") this.away = { code: event.code, why: event.reason };
    const left = this.unanswered;
    if (left && (!REPEATABLE.has(left.body.do) || this.away)) {
      this.unanswered = null;
      left.resolve({ ok: false, code: "unanswered", why: "The link broke before the answer came. See what stands, then go on." });
    }
    if (!this.away) {
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT) * (0.8 + 0.4 * Math.random());
    }
    this.on.change();
  }

  // The counters are compared with the server's, so a beat never overtakes an unanswered message.
  tick() {
    if (this.greeted && !this.busy && !this.beating) {
      this.beating = true;
      this.send({ id: "beat", do: "beat", rounds: this.rounds, coin_ins: this.coinIns });
    }
    if (this.greeted && this.silence > SILENT_AFTER) this.hangUp();
    this.on.change();
  }

  // A line that is open and silent is dead: waiting for its own end can take minutes.
  hangUp() {
    const dead = this.socket;
    this.socket = null;
    dead.close();
    this.closed({ code: 0, reason: "" });
  }

  restored() {
    const kept = sessionStorage.getItem(this.storeKey);
    return kept ? { body: JSON.parse(kept), resolve: () => {} } : null;
  }
}
