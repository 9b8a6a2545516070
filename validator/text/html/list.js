// What the pages with long lists share.
const HEIGHT = 32;
const SIZES = ["B", "kB", "MB", "GB", "TB"];

function size(bytes) {
  let at = 0;
  for (; bytes >= 1000 && at + 1 < SIZES.length; at += 1) bytes /= 1000;
  return `${at === 0 ? bytes : bytes.toFixed(1)} ${SIZES[at]}`;
}
function time(seconds) {
  if (seconds === null) return "unknown";
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString().slice(0, 19) + "Z";
}
function plural(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
// The data of the page.
function data() {
  return JSON.parse(byId("data").textContent);
}
// The folder that all names begin with, which is said once.
function commonFolder(names) {
  if (names.length < 2) return "";
  const most = names.reduce((before, name) => {
    let end = 0;
    while (end < before.length && before[end] === name[end]) end += 1;
    return before.slice(0, end);
  });
  return most.replace(/[^/]*$/, "");
}

// Of a list of any length only the rows that can be seen are in the page. `cells` makes those of an item, `choose` is told which one was chosen.
class LongList {
  constructor(cells, choose) {
    this.cells = cells;
    this.choose = choose;
    this.items = [];
    this.chosen = null;
    this.list = byId("list");
    this.body = byId("rows");
    this.list.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()));
    window.addEventListener("resize", () => this.draw());
    this.body.addEventListener("click", (event) => this.take(event.target.closest(".item")));
    this.body.addEventListener("keydown", (event) => this.key(event));
    byId("search").addEventListener("keydown", (event) => this.enter(event));
    window.addEventListener("beforeprint", () => this.place(0, this.items.length));
    window.addEventListener("afterprint", () => this.draw());
  }
  show(items) {
    this.items = items;
    this.body.style.height = `${items.length * HEIGHT}px`;
    this.list.style.height = `${(items.length + 1) * HEIGHT + 2}px`;
    this.list.setAttribute("aria-rowcount", items.length + 1);
    this.list.scrollTop = 0;
    this.draw();
  }
  row(item, index) {
    const made = element("div", "row item");
    made.style.top = `${(index + 1) * HEIGHT}px`;
    made.tabIndex = 0;
    made.dataset.index = index;
    made.setAttribute("role", "row");
    made.setAttribute("aria-rowindex", index + 2);
    made.setAttribute("aria-selected", item === this.chosen);
    const cells = this.cells(item);
    for (const cell of cells) cell.setAttribute("role", "cell");
    made.append(...cells);
    return made;
  }
  draw() {
    const begin = Math.max(0, Math.floor(this.list.scrollTop / HEIGHT) - 10);
    this.place(begin, Math.min(this.items.length, begin + Math.ceil(this.list.clientHeight / HEIGHT) + 20));
  }
  place(begin, end) {
    const active = document.activeElement;
    const focused = active && active.dataset && this.body.contains(active) ? active.dataset.index : undefined;
    this.body.replaceChildren(...this.items.slice(begin, end).map((item, at) => this.row(item, begin + at)));
    if (focused !== undefined) this.focus(Number(focused));
  }
  focus(index) {
    const found = this.body.querySelector(`[data-index="${index}"]`);
    if (found) found.focus({ preventScroll: true });
  }
  take(row) {
    if (row) this.pick(this.items[Number(row.dataset.index)]);
  }
  pick(item) {
    if (item === undefined) return;
    this.chosen = item;
    this.choose(item);
    this.draw();
  }
  // From the search: to the first that was found.
  enter(event) {
    if (event.key !== "Enter" || !this.items.length) return;
    this.pick(this.items[0]);
    this.focus(0);
    event.preventDefault();
  }
  key(event) {
    const row = event.target.closest(".item");
    if (!row) return;
    const index = Number(row.dataset.index);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.take(row);
    else if (step === undefined) return;
    else {
      const to = Math.min(this.items.length - 1, Math.max(0, index + step));
      this.list.scrollTop = Math.max(0, (to + 1) * HEIGHT - this.list.clientHeight / 2);
      this.draw();
      this.focus(to);
    }
    event.preventDefault();
  }
}

// The heads of columns, by which a list is put in order. `changed` is told of it.
class Order {
  constructor(key, changed) {
    this.key = key;
    this.up = true;
    this.heads = [...document.querySelectorAll("[data-key]")];
    for (const head of this.heads) {
      head.querySelector("button").addEventListener("click", () => {
        this.set(head.dataset.key, this.key === head.dataset.key ? !this.up : true);
        changed();
      });
    }
  }
  set(key, up) {
    this.key = key;
    this.up = up;
    tellOrder(this.heads, this.heads.find((head) => head.dataset.key === key), up);
  }
  // Of values by key, and by name where these are the same; null is last.
  compare(one, other) {
    const [a, b] = [one[this.key], other[this.key]];
    const result = a === b ? (one.name < other.name ? -1 : 1) : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
    return this.up ? result : -result;
  }
}
