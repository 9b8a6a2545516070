"use strict";
// A table of any length: only the rows that can be seen are in the page.
const CONDITIONS = ["undecided", "lost", "orphan", "duplicate", "salvageable", "live", "sound"];
const STYLES = ["fatal", "fatal", "error", "error", "warning", "info", "good"];
const HEIGHT = 32;
const all = JSON.parse(document.getElementById("data").textContent).map((fields) => {
  const [name, condition, why, next, host, version, bytes, records, metrics, start, finish] = fields;
  return { name, condition, why, next, host, version, bytes, records, metrics, start, finish };
});
// What all names begin with is said once.
const prefix = all.reduce((most, one) => {
  let end = 0;
  while (end < most.length && most[end] === one.name[end]) end += 1;
  return most.slice(0, end);
}, all.length > 1 ? all[0].name : "").replace(/[^/]*$/, "");
const times = all.filter((one) => one.start !== null && one.finish !== null);
const first = times.reduce((least, one) => Math.min(least, one.start), Infinity);
const last = times.reduce((most, one) => Math.max(most, one.finish), -Infinity);
const list = document.getElementById("list");
const body = document.getElementById("rows");
const detail = document.getElementById("detail");
const search = document.getElementById("search");
const boxes = [...document.querySelectorAll("input[data-condition]")];
let shown = [];
let order = { key: "condition", up: true };
let chosen = null;

function element(kind, style, text) {
  const made = document.createElement(kind);
  if (style) made.className = style;
  if (text !== undefined) made.textContent = text;
  return made;
}
function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  for (; bytes >= 1000 && at + 1 < units.length; at += 1) bytes /= 1000;
  return `${at === 0 ? bytes : bytes.toFixed(1)} ${units[at]}`;
}
function time(seconds) {
  const date = new Date(seconds * 1000);
  return seconds === null ? "unknown" : Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString().slice(0, 19) + "Z";
}
function bar(one) {
  const span = element("span", `span ${STYLES[one.condition]}`);
  if (one.start === null || one.finish === null) return span;
  const length = Math.max(last - first, 1e-9);
  const inner = element("i");
  inner.style.left = `${(100 * (one.start - first)) / length}%`;
  inner.style.width = `${(100 * Math.max(one.finish - one.start, 0)) / length}%`;
  span.append(inner);
  span.title = `${time(one.start)} to ${time(one.finish)}`;
  return span;
}
function row(one, index) {
  const made = element("div", "row item");
  made.style.top = `${(index + 1) * HEIGHT}px`;
  made.tabIndex = 0;
  made.dataset.index = index;
  made.setAttribute("role", "row");
  made.setAttribute("aria-rowindex", index + 2);
  made.setAttribute("aria-selected", one === chosen);
  const name = element("span", "", one.name.slice(prefix.length));
  name.title = one.name;
  const cells = [
    element("b", STYLES[one.condition], CONDITIONS[one.condition]),
    name,
    bar(one),
    element("span", "amount number", size(one.bytes)),
    element("span", "amount number", String(one.records)),
  ];
  for (const cell of cells) cell.setAttribute("role", "cell");
  made.append(...cells);
  return made;
}
function draw() {
  const begin = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 10);
  const end = Math.min(shown.length, begin + Math.ceil(list.clientHeight / HEIGHT) + 20);
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.index : undefined;
  body.replaceChildren(...shown.slice(begin, end).map((one, at) => row(one, begin + at)));
  if (focused !== undefined) focus(Number(focused));
}
function focus(index) {
  const found = body.querySelector(`[data-index="${index}"]`);
  if (found) found.focus({ preventScroll: true });
}
function compare(one, other) {
  const [a, b] = [one[order.key], other[order.key]];
  const result = a === b ? (one.name < other.name ? -1 : 1) : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
  return order.up ? result : -result;
}
function update() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.dataset.condition)));
  shown = all.filter((one) => {
    const text = `${one.name} ${one.host} ${one.why}`.toLowerCase();
    return ticked.has(one.condition) && words.every((word) => text.includes(word));
  });
  shown.sort(compare);
  body.style.height = `${shown.length * HEIGHT}px`;
  list.setAttribute("aria-rowcount", shown.length + 1);
  document.getElementById("count").textContent = `${shown.length} of ${all.length} archives${prefix ? ` below ${prefix}` : ""}`;
  list.scrollTop = 0;
  draw();
}
function choose(index) {
  chosen = shown[index];
  if (!chosen) return;
  detail.replaceChildren(element("h3", "", chosen.name));
  const facts = `${time(chosen.start)} to ${time(chosen.finish)}, ${size(chosen.bytes)}, ${chosen.records} records, ${chosen.metrics} metrics`;
  detail.append(element("p", "faint", `${chosen.host ? `host ${chosen.host}, ` : ""}${chosen.version ? `version ${chosen.version}, ` : ""}${facts}`));
  const verdict = element("p");
  verdict.append(element("b", STYLES[chosen.condition], CONDITIONS[chosen.condition]), chosen.why ? `: ${chosen.why}` : "");
  detail.append(verdict);
  if (chosen.next) detail.append(element("p", "faint", "next"), element("code", "", chosen.next));
  draw();
}
list.addEventListener("scroll", () => requestAnimationFrame(draw));
window.addEventListener("resize", draw);
search.addEventListener("input", update);
for (const box of boxes) box.addEventListener("change", update);
body.addEventListener("click", (event) => {
  const item = event.target.closest(".item");
  if (item) choose(Number(item.dataset.index));
});
body.addEventListener("keydown", (event) => {
  const item = event.target.closest(".item");
  if (!item) return;
  const index = Number(item.dataset.index);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
  if (event.key === "Enter" || event.key === " ") choose(index);
  else if (step === undefined) return;
  else {
    const to = Math.min(shown.length - 1, Math.max(0, index + step));
    list.scrollTop = Math.max(0, (to + 1) * HEIGHT - list.clientHeight / 2);
    draw();
    focus(to);
  }
  event.preventDefault();
});
for (const head of document.querySelectorAll("[data-key]")) {
  head.querySelector("button").addEventListener("click", () => {
    order = { key: head.dataset.key, up: order.key === head.dataset.key ? !order.up : true };
    for (const other of document.querySelectorAll("[data-key]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order.up ? "ascending" : "descending");
    update();
  });
}
document.getElementById("controls").hidden = false;
update();
if (shown.length > 0) choose(0);
