// The line to the books: it comes back by itself, and it knows how long it has heard nothing.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const DEAD_AFTER = 12000; // a line that is open and mute is cut and made anew

export class Link {
  constructor(code, hear) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.url = `${scheme}//${location.host}/ws/signs/${encodeURIComponent(code)}`;
    this.hear = hear;
    this.wait = FIRST_WAIT;
    this.heardAt = performance.now();
    this.open();
    setInterval(() => this.watch(), 1000);
  }

  get silentFor() {
    return performance.now() - this.heardAt;
  }

  open() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.openedAt = performance.now();
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heardAt = performance.now();
      this.wait = FIRST_WAIT;
      this.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket === this.socket) this.later();
    };
  }

  later() {
    this.socket = null;
    const jitter = 0.5 + Math.random();
    setTimeout(() => this.open(), Math.min(LONGEST_WAIT, this.wait * jitter));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  watch() {
    if (!this.socket || this.silentFor < DEAD_AFTER || performance.now() - this.openedAt < DEAD_AFTER) return;
    const mute = this.socket;
    this.later();
    mute.close();
  }

  say(words) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(words));
  }
}
