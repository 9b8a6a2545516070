// Pages whose rows are all there without a script: it searches, filters and sorts them.
// An item has data-kind, of the words that boxes (data-shows) tick; without any it is there whatever is ticked, and not counted, as
// is one that is there a second time (data-again). An item inside of an item is there by its kinds alone. A group of which no item
// is there is left out.
const ITEM = "main [data-kind]";
const search = byId("search");
const boxes = [...document.querySelectorAll("input[data-shows]")];
const count = byId("count");
const groups = [...document.querySelectorAll(".group")];
function itemOf(shown) {
  return { shown, kinds: shown.dataset.kind.split(" ").filter(Boolean), text: null };
}
const items = [];
const parts = [];
for (const one of document.querySelectorAll(ITEM)) (one.parentElement.closest(ITEM) ? parts : items).push(itemOf(one));

function filter() {
  const words = wordsOf(search);
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.shows));
  const wanted = (item) => !item.kinds.length || item.kinds.some((kind) => ticked.has(kind));
  const has = (item) => {
    if (item.text === null) item.text = item.shown.textContent.toLowerCase();
    return words.every((word) => item.text.includes(word));
  };
  for (const part of parts) part.shown.hidden = !wanted(part);
  for (const item of items) item.shown.hidden = !wanted(item) || !has(item);
  const filled = new Set(items.map((item) => (item.shown.hidden ? null : item.shown.closest(".group"))));
  for (const group of groups) group.hidden = !filled.has(group);
  const counted = items.filter((item) => item.kinds.length && !("again" in item.shown.dataset));
  const shown = counted.filter((item) => !item.shown.hidden).length;
  count.textContent = `${shown} of ${counted.length} ${count.dataset.what}`;
}
// Enter opens the first item that was found; arrows lead from one to the next.
function enter(event) {
  if (event.key !== "Enter") return;
  const first = [...document.querySelectorAll(ITEM)].find((one) => one.checkVisibility());
  if (!first) return;
  const opens = first.querySelector("summary, a");
  if (first.matches("details")) first.open = true;
  else if (opens) opens.click();
  else first.scrollIntoView({ block: "center" });
  if (opens) opens.focus();
  event.preventDefault();
}
function step(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.target.tagName !== "SUMMARY") return;
  const summaries = items.map((item) => item.shown.querySelector(":scope > summary")).filter((one) => one && one.checkVisibility());
  const at = summaries.indexOf(event.target);
  if (at < 0) return;
  const next = summaries[at + by];
  if (next) next.focus();
  event.preventDefault();
}

// The value of a cell to sort by: data-value, else its text; a number as that, also before "%" or something in brackets.
function valueOf(row, column) {
  const cell = row.cells[column];
  if (!cell) return "";
  const text = cell.dataset.value || cell.textContent.trim();
  const number = /^(-?[\d,]*\.?\d+(?:e[+-]?\d+)?)(?:\s*%|\s*\(.*\))?$/i.exec(text);
  return number ? Number(number[1].replaceAll(",", "")) : text.toLowerCase();
}
function compared(one, other) {
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
function makeSortable(table) {
  const body = table.tBodies[0];
  const heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  if (!body || body.rows.length < 2) return;
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = element("button", "", ...head.childNodes);
    button.type = "button";
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      tellOrder(heads, head, up);
      const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
      rows.sort(([one], [other]) => (up ? compared(one, other) : compared(other, one)));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
for (const table of document.querySelectorAll("table.sorts")) makeSortable(table);
document.addEventListener("keydown", step);
if (search) {
  search.addEventListener("input", filter);
  search.addEventListener("keydown", enter);
  for (const box of boxes) box.addEventListener("change", filter);
  byId("controls").hidden = false;
  filter();
}
