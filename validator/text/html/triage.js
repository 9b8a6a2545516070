const CONDITIONS = ["undecided", "lost", "orphan", "duplicate", "salvageable", "live", "sound"];
const STYLES = ["fatal", "fatal", "error", "error", "warning", "info", "good"];
const all = data().map((fields) => {
  const [name, condition, why, next, host, version, bytes, records, metrics, start, finish] = fields;
  return { name, condition, why, next, host, version, bytes, records, metrics, start, finish };
});
const prefix = commonFolder(all.map((one) => one.name));
const times = all.filter((one) => one.start !== null && one.finish !== null);
const first = times.reduce((least, one) => Math.min(least, one.start), Infinity);
const last = times.reduce((most, one) => Math.max(most, one.finish), -Infinity);
const detail = byId("detail");
const search = byId("search");
const boxes = [...document.querySelectorAll("input[data-condition]")];

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
function cells(one) {
  const name = element("span", "", one.name.slice(prefix.length));
  name.title = one.name;
  return [
    element("b", STYLES[one.condition], CONDITIONS[one.condition]),
    name,
    bar(one),
    element("span", "amount number", size(one.bytes)),
    element("span", "amount number", String(one.records)),
  ];
}
function choose(one) {
  detail.replaceChildren(element("h3", "", one.name));
  const facts = `${time(one.start)} to ${time(one.finish)}, ${size(one.bytes)}, ${one.records} records, ${one.metrics} metrics`;
  detail.append(element("p", "faint", `${one.host ? `host ${one.host}, ` : ""}${one.version ? `version ${one.version}, ` : ""}${facts}`));
  detail.append(element("p", "", element("b", STYLES[one.condition], CONDITIONS[one.condition]), one.why ? `: ${one.why}` : ""));
  if (one.next) detail.append(element("p", "faint", "next"), element("code", "", one.next));
}
const list = new LongList(cells, choose);
const order = new Order("condition", update);

function update() {
  const words = wordsOf(search);
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.dataset.condition)));
  const shown = all.filter((one) => {
    const text = `${one.name} ${one.host} ${one.why}`.toLowerCase();
    return ticked.has(one.condition) && words.every((word) => text.includes(word));
  });
  shown.sort((one, other) => order.compare(one, other));
  byId("count").textContent = `${shown.length} of ${all.length} archives${prefix ? ` below ${prefix}` : ""}`;
  list.show(shown);
}
search.addEventListener("input", update);
for (const box of boxes) box.addEventListener("change", update);
byId("controls").hidden = false;
update();
list.pick(list.items[0]);
