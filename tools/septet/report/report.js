"use strict";

// The style: as the system says until the button is pressed.
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  document.dispatchEvent(new Event("restyle"));
});

// Tooltips of whatever has data-tip.
const tip = document.getElementById("tip");
function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = !text;
  const left = Math.min(x + 12, innerWidth - tip.offsetWidth - 8);
  tip.style.left = Math.max(8, left) + "px";
  const below = y + 18 + tip.offsetHeight <= innerHeight;
  tip.style.top = (below ? y + 16 : y - tip.offsetHeight - 8) + "px";
}
document.addEventListener("pointermove", event => {
  const of = event.target.closest ? event.target.closest("[data-tip]") : null;
  if (of) showTip(of.dataset.tip, event.clientX, event.clientY);
  else if (event.target.tagName !== "CANVAS") tip.hidden = true;
});
document.addEventListener("focusin", event => {
  if (!event.target.dataset || !event.target.dataset.tip) return;
  const box = event.target.getBoundingClientRect();
  showTip(event.target.dataset.tip, box.left, box.bottom);
});
document.addEventListener("focusout", () => { tip.hidden = true; });

// Tables sort by the column that is pressed, and the other way when it is pressed again.
function keyOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
}
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", {numeric: true});
}
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (up ? 1 : -1) * compare(keyOf(a, column), keyOf(b, column)));
    table.tBodies[0].append(...rows);
  }));
}

// Timelines. Data: {span, names, tracks: [{group, name, start, length, name_of, count}]}; times are
// whole nanoseconds, starts as differences.
const ROW = 20, LABELS = 150, AXIS = 26, GROUP = 20;

function unpack(track) {
  let at = 0;
  track.begin = track.start.map(step => at += step);
  return track;
}

class Timeline {
  constructor(figure) {
    this.figure = figure;
    this.canvas = figure.querySelector("canvas");
    this.status = figure.querySelector("[role=status]");
    this.data = JSON.parse(figure.querySelector("script").textContent);
    this.data.tracks.forEach(unpack);
    this.from = 0;
    this.to = this.data.span;
    this.layOut();
    this.listen();
    this.draw();
  }

  layOut() {
    let y = AXIS;
    let group = null;
    for (const track of this.data.tracks) {
      if (track.group !== group) {
        group = track.group;
        track.head = y;
        y += GROUP;
      }
      track.y = y;
      y += ROW;
    }
    this.height = y + 6;
    this.canvas.style.height = this.height + "px";
  }

  labels() { return this.canvas.clientWidth < 520 ? 84 : LABELS; }
  x(time) {
    const width = this.canvas.clientWidth - this.labels();
    return this.labels() + (time - this.from) / (this.to - this.from) * width;
  }
  time(x) {
    const width = this.canvas.clientWidth - this.labels();
    return this.from + (x - this.labels()) / width * (this.to - this.from);
  }

  // Keeps the time `at` where it is.
  zoom(factor, at) {
    const span = Math.min(this.data.span, Math.max(20, (this.to - this.from) * factor));
    const share = (at - this.from) / (this.to - this.from);
    this.show(at - share * span, span);
  }
  show(from, span) {
    this.from = Math.max(0, Math.min(from, this.data.span - span));
    this.to = this.from + span;
    this.draw();
  }

  listen() {
    const canvas = this.canvas;
    const middle = () => (this.from + this.to) / 2;
    const actions = {in: () => this.zoom(0.5, middle()), out: () => this.zoom(2, middle()),
                     all: () => this.show(0, this.data.span)};
    for (const button of this.figure.querySelectorAll("[data-do]")) {
      button.addEventListener("click", actions[button.dataset.do]);
    }
    canvas.addEventListener("wheel", event => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;  // the page scrolls
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.002), this.time(event.offsetX));
    }, {passive: false});
    canvas.addEventListener("pointerdown", event => {
      this.drag = {x: event.clientX, from: this.from};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => this.move(event));
    canvas.addEventListener("pointerup", () => { this.drag = null; });
    canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
    canvas.addEventListener("dblclick", event => this.zoom(0.25, this.time(event.offsetX)));
    canvas.addEventListener("keydown", event => {
      const span = this.to - this.from;
      const keys = {"+": actions.in, "=": actions.in, "-": actions.out, "0": actions.all,
                    ArrowLeft: () => this.show(this.from - span / 5, span),
                    ArrowRight: () => this.show(this.from + span / 5, span)};
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    addEventListener("resize", () => this.draw());
    document.addEventListener("restyle", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    matchMedia("print").addEventListener("change", () => this.draw());
  }

  move(event) {
    if (this.drag) {
      const width = this.canvas.clientWidth - this.labels();
      const span = this.to - this.from;
      this.show(this.drag.from - (event.clientX - this.drag.x) / width * span, span);
      return;
    }
    showTip(this.textAt(event.offsetX, event.offsetY), event.clientX, event.clientY);
  }

  textAt(x, y) {
    const track = this.data.tracks.find(one => y >= one.y && y < one.y + ROW);
    if (!track || x < this.labels()) return "";
    const reach = (this.to - this.from) / this.canvas.clientWidth;
    const at = this.time(x);
    for (let i = this.firstBefore(track, at + reach); i >= 0; --i) {
      const end = track.begin[i] + track.length[i];
      if (end + reach >= at) return this.describe(track, i);
      if (at - end > 1000 * reach) break;
    }
    return "";
  }

  describe(track, i) {
    const name = this.data.names[track.name_of[i]];
    const when = timeText(track.length[i]) + " from " + timeText(track.begin[i]);
    if (track.count[i] === 1) return name + "\n" + when;
    return track.count[i] + " short activities, most time: " + name + "\n" + when;
  }

  // The last that begins at or before a time; -1: none.
  firstBefore(track, time) {
    let low = -1;
    let high = track.begin.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (track.begin[middle] <= time) low = middle; else high = middle;
    }
    return low;
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    this.canvas.width = width * ratio;
    this.canvas.height = this.height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(name).trim();
    this.colours = [1, 2, 3, 4, 5, 6, 8].map(i => colour("--s" + i));
    pen.fillStyle = colour("--ground");
    pen.fillRect(0, 0, width, this.height);
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    this.drawAxis(pen, width, colour);
    for (const track of this.data.tracks) this.drawTrack(pen, track, width, colour);
    this.status.textContent = timeText(this.to - this.from) + " from " + timeText(this.from) +
        " of " + timeText(this.data.span) +
        ". Click, then wheel or + and - zoom; dragging or arrows move.";
    this.figure.dataset.drawn = "yes";
  }

  drawAxis(pen, width, colour) {
    const step = roundStep((this.to - this.from) / Math.max(2, Math.floor(width / 130)));
    pen.textAlign = "center";
    for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
      const x = this.x(at);
      pen.fillStyle = colour("--rule");
      pen.fillRect(x, AXIS - 6, 1, this.height);
      pen.fillStyle = colour("--quiet");
      if (x > this.labels() + 20 && x < width - 30) pen.fillText(timeText(at), x, 14);
    }
    pen.textAlign = "left";
  }

  drawTrack(pen, track, width, colour) {
    const left = this.labels();
    if (track.head !== undefined) {
      pen.fillStyle = colour("--text");
      pen.font = "600 12px system-ui, 'DejaVu Sans', sans-serif";
      pen.fillText(track.group, 6, track.head + 15);
      pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    }
    let drawn = left;
    const first = Math.max(0, this.firstBefore(track, this.from));
    for (let i = first; i < track.begin.length && track.begin[i] <= this.to; ++i) {
      const begin = Math.max(left, this.x(track.begin[i]));
      const end = Math.min(width, this.x(track.begin[i] + track.length[i]));
      if (end < left || (end - begin < 1 && begin < drawn)) continue;
      drawn = Math.max(end, begin + 1);
      pen.fillStyle = this.colours[track.name_of[i] % this.colours.length];
      pen.globalAlpha = track.count[i] > 1 ? 0.6 : 1;
      pen.fillRect(begin, track.y + 2, Math.max(1, end - begin - 0.3), ROW - 4);
      pen.globalAlpha = 1;
      if (end - begin > 40) this.drawName(pen, track, i, begin, end, colour);
    }
    pen.fillStyle = colour("--ground");
    pen.fillRect(0, track.y, left - 4, ROW);
    pen.fillStyle = colour("--quiet");
    pen.fillText(cut(pen, track.name, left - 22), 14, track.y + 14);
  }

  drawName(pen, track, i, begin, end) {
    const count = track.count[i] > 1 ? track.count[i] + " x " : "";
    pen.fillStyle = "#10151a";
    pen.fillText(cut(pen, count + this.data.names[track.name_of[i]], end - begin - 8), begin + 4,
                 track.y + 14);
  }
}

function cut(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let most = Math.max(0, Math.floor(text.length * width / pen.measureText(text).width) - 1);
  return most < 3 ? "" : text.slice(0, most) + "\u2026";
}

function roundStep(least) {
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

function timeText(nanoseconds) {
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];
  const [size, name] = units.find(unit => Math.abs(nanoseconds) >= unit[0]) || units[3];
  return Number((nanoseconds / size).toPrecision(5)) + " " + name;
}

for (const figure of document.querySelectorAll(".timeline")) new Timeline(figure);
