const SEVERITIES = ["fatal", "error", "warning", "info"];
const MOST_SHOWN = 50;
const SVG = byId("svg").namespaceURI;
const { archives, rules } = data();
const detail = byId("detail");
const search = byId("search");
const boxes = [...document.querySelectorAll("input[data-severity]")];
const clean = byId("clean");
const ruleChoice = byId("rule");
const groups = [...document.querySelectorAll("input[name=group]")];
const prefix = commonFolder(archives.map((archive) => archive.archive));

function drawn(kind, attributes, ...content) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}
function worstOf(counts) {
  return SEVERITIES.findIndex((severity) => counts[severity] > 0);
}
function seconds(text) {
  return text === null || text === undefined ? null : Number(text);
}
function verdictOf(archive) {
  if (archive.failure) return ["fatal", "no verdict"];
  if (!archive.readable) return ["fatal", "not readable, not conformant"];
  return archive.conformant ? ["good", "conformant"] : ["error", "readable, not conformant"];
}
// What is listed of an archive.
const all = archives.map((archive) => {
  const worst = worstOf(archive.counts);
  const policy = (archive.unmet || []).length;
  return {
    archive,
    name: archive.archive,
    verdict: verdictOf(archive),
    worst: archive.failure ? -1 : worst < 0 ? (policy ? 1 : SEVERITIES.length) : worst,
    start: seconds(archive.summary.start),
    finish: seconds(archive.summary.finish),
    bytes: archive.summary.bytes,
    found: SEVERITIES.reduce((sum, severity) => sum + archive.counts[severity], 0) + policy,
    texts: archive.findings.map((one) => `${one.rule} ${one.message} ${one.file} ${(one.metric || []).join(" ")}`.toLowerCase()),
  };
});
const spans = all.filter((one) => one.start !== null && one.finish !== null);
const first = spans.reduce((least, one) => Math.min(least, one.start), Infinity);
const last = spans.reduce((most, one) => Math.max(most, one.finish), -Infinity);

function link(rule) {
  const made = element("a", "rule", rule);
  made.href = `#${rule}`;
  return made;
}
function titleOf(rule) {
  return rules[rule] ? rules[rule].title : "";
}
function countsText(counts) {
  return SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => `${counts[severity]} ${severity}`).join(", ");
}

// The bytes round a place, sixteen a line, those of the place marked.
function dump(finding) {
  const made = element("pre", "dump");
  const bytes = (finding.hex.match(/../g) || []).map((two) => parseInt(two, 16));
  const end = finding.offset + Math.max(1, finding.length);
  const cell = (text, at) => (at >= finding.offset && at < end ? element("mark", "", text) : text);
  for (let line = 0; line < bytes.length; line += 16) {
    const at = finding.begin + line;
    made.append(element("span", "faint", at.toString(16).padStart(8, "0")), "  ");
    for (let i = 0; i < 16; i += 1) {
      const byte = bytes[line + i];
      made.append(byte === undefined ? "  " : cell(byte.toString(16).padStart(2, "0"), at + i), i === 7 ? "  " : " ");
    }
    made.append(" ");
    for (let i = 0; i < 16 && line + i < bytes.length; i += 1) {
      const byte = bytes[line + i];
      made.append(cell(byte > 32 && byte < 127 ? String.fromCharCode(byte) : ".", at + i));
    }
    made.append("\n");
  }
  return made;
}
function placeOf(finding) {
  if (finding.part === "archive") return "the archive as a whole";
  return `${finding.file}, offset ${finding.offset}, ${plural(finding.length, "byte")}, record ${finding.record}`;
}
function findingOf(archive, finding, open) {
  const made = element("details", "finding");
  made.open = open;
  made.dataset.finding = archive.findings.indexOf(finding);
  const what = finding.message || `violates: ${titleOf(finding.rule)}`;
  made.append(element("summary", "", element("b", finding.severity, finding.severity), " ", link(finding.rule), " ", what));
  const body = element("div");
  body.append(element("p", "faint", placeOf(finding) + (finding.time ? `, at ${time(seconds(finding.time))}` : "")));
  const facts = element("dl");
  const metric = (finding.metric || []).join(", ");
  for (const [name, value] of [["field", finding.field], ["actual", finding.actual], ["expected", finding.expected], ["metric", metric]]) {
    if (value) facts.append(element("dt", "", name), element("dd", "", element("code", "", value)));
  }
  if (facts.children.length) body.append(facts);
  if (finding.hex) body.append(dump(finding));
  if (finding.count > 1) body.append(element("p", "faint", `and ${finding.count - 1} more from here on`));
  if (finding.follows !== undefined) body.append(element("p", "faint", "follows from ", link(archive.findings[finding.follows].rule)));
  if (finding.reclassified) {
    const { from, line, reason } = finding.reclassified;
    body.append(element("p", "faint", `${from} by the rule; line ${line} of the policy: ${reason}`));
  }
  made.append(body);
  return made;
}

// The span of an archive: its volumes, the gaps that its marks tell of, and where findings lie.
function timeline(archive, chosen) {
  const { volumes, marks } = archive.picture;
  const known = volumes.filter((volume) => volume[1] !== null);
  if (!known.length) return null;
  const begin = known.reduce((least, volume) => Math.min(least, Number(volume[1])), Infinity);
  const end = known.reduce((most, volume) => Math.max(most, Number(volume[2])), -Infinity);
  const x = (text) => (1000 * (Number(text) - begin)) / Math.max(end - begin, 1e-9);
  const picture = drawn("svg", { viewBox: "0 0 1000 40", preserveAspectRatio: "none", class: "timeline", role: "img" });
  picture.append(drawn("title", {}, `${plural(known.length, "volume")}, ${plural(archive.summary.marks, "mark")}, from ${time(begin)} to ${time(end)}`));
  known.forEach((volume, at) => {
    const width = Math.max(2, x(volume[2]) - x(volume[1]));
    const bar = drawn("rect", { x: x(volume[1]), y: 14, width, height: 12, class: at % 2 ? "volume odd" : "volume" });
    bar.append(drawn("title", {}, `${volume[0]}: ${plural(volume[3], "record")}, ${time(Number(volume[1]))} to ${time(Number(volume[2]))}`));
    picture.append(bar);
  });
  for (const [at, before, after] of marks) {
    if (before !== null && after !== null) {
      picture.append(drawn("rect", { x: x(before), y: 14, width: Math.max(1, x(after) - x(before)), height: 12, class: "gap" }));
    }
    const line = drawn("rect", { x: x(at), y: 10, width: 1.5, height: 20, class: "mark" });
    line.append(drawn("title", {}, `mark at ${time(Number(at))}`));
    picture.append(line);
  }
  for (const finding of chosen.filter((one) => one.time)) {
    const sign = drawn("path", { d: `M${x(finding.time)} 14l-5 -12h10z`, class: finding.severity });
    sign.append(drawn("title", {}, `${finding.rule} at ${time(seconds(finding.time))}`));
    picture.append(sign);
  }
  const made = element("figure", "");
  const more = archive.picture.more_marks ? `; ${archive.picture.more_marks} more marks are not drawn` : "";
  made.append(picture, element("figcaption", "faint", `${time(begin)} to ${time(end)}; a gap is light, a mark a line${more}`));
  return made;
}
// Where in the bytes of each file findings lie.
function maps(archive, chosen) {
  const made = element("div", "maps");
  for (const [name, bytes] of archive.picture.files) {
    const here = chosen.filter((one) => one.file === name);
    const picture = drawn("svg", { viewBox: "0 0 1000 10", preserveAspectRatio: "none", class: "map", role: "img" });
    picture.append(drawn("title", {}, `${name}: ${plural(here.length, "finding")}`));
    for (const finding of here) {
      const x = (1000 * finding.offset) / Math.max(bytes, 1);
      const width = Math.max(3, (1000 * finding.length) / Math.max(bytes, 1));
      const sign = drawn("rect", { x: Math.min(x, 1000 - 3), y: 0, width, height: 10, class: finding.severity });
      sign.append(drawn("title", {}, `${finding.rule} at offset ${finding.offset}`));
      sign.addEventListener("click", () => {
        const found = detail.querySelector(`[data-finding="${archive.findings.indexOf(finding)}"]`);
        if (!found) return;
        found.open = true;
        found.scrollIntoView({ block: "center" });
      });
      picture.append(sign);
    }
    made.append(element("span", "", name), picture, element("span", "amount number", size(bytes)));
  }
  return made;
}
function table(heads, lines) {
  const head = element("thead", "", element("tr", "", ...heads.map((text) => element("th", "", text))));
  const rows = lines.map((cells) => element("tr", "", ...cells.map((cell) => element("td", "", cell))));
  return element("table", "stacks", head, element("tbody", "", ...rows));
}
function survivalOf(survival) {
  const total = survival.total_records === null ? "" : ` of ${survival.total_records}`;
  const until = survival.until === null ? "" : `, up to ${time(Number(survival.until))}`;
  const made = element("p", "", `What survives: ${survival.readable_records}${total} records readable${until}.`);
  if (survival.next.length) made.append(` Next: ${survival.next.join("; ")}.`);
  return made;
}
// Roots first, the gravest first, and after each what follows from it.
function inReadingOrder(archive, chosen) {
  const rank = (finding) => SEVERITIES.indexOf(finding.severity);
  const roots = chosen.filter((one) => one.follows === undefined || !chosen.includes(archive.findings[one.follows]));
  roots.sort((one, other) => rank(one) - rank(other));
  const ordered = [];
  const add = (finding, depth) => {
    ordered.push([finding, depth]);
    const number = archive.findings.indexOf(finding);
    for (const other of chosen) if (other.follows === number && depth < 8) add(other, depth + 1);
  };
  for (const root of roots) add(root, 0);
  return ordered;
}
function showArchive(one) {
  const { archive } = one;
  const { summary } = archive;
  const chosen = one.shown.map((at) => archive.findings[at]);
  detail.replaceChildren(element("h3", "", one.name));
  detail.append(element("p", "", element("b", one.verdict[0], one.verdict[1]), one.found ? ` ${countsText(archive.counts)}` : ""));
  if (archive.failure) detail.append(element("p", "fatal", archive.failure.message));
  else {
    const facts = `version ${archive.archive_version || "unknown"}, ${plural(summary.files, "file")}, ${size(summary.bytes)}, ${plural(summary.records, "record")}, ${plural(summary.values, "value")}, ${plural(summary.metrics, "metric")}, ${plural(summary.marks, "mark")}`;
    detail.append(element("p", "faint", facts));
  }
  if (archive.survival) detail.append(survivalOf(archive.survival));
  for (const error of archive.internal_errors) detail.append(element("p", "fatal", `internal error of pmproof: ${error}`));
  if (archive.picture) {
    const line = timeline(archive, chosen);
    if (line) detail.append(line);
    if (chosen.length) detail.append(maps(archive, chosen));
  }
  const ordered = inReadingOrder(archive, chosen);
  const add = (from, to) => {
    for (const [finding, depth] of ordered.slice(from, to)) {
      const made = findingOf(archive, finding, from === 0 && finding === ordered[0][0]);
      if (depth) made.classList.add("follows");
      detail.append(made);
    }
  };
  add(0, MOST_SHOWN);
  if (ordered.length > MOST_SHOWN) {
    const more = element("button", "", `Show all ${ordered.length} findings`);
    more.type = "button";
    more.addEventListener("click", () => {
      more.remove();
      add(MOST_SHOWN, ordered.length);
    });
    detail.append(more);
  }
  if ((archive.unmet || []).length) {
    detail.append(element("h3", "", "Not as the policy requires"));
    detail.append(table(["Severity", "Policy", "Line", "What was found"], archive.unmet.map((unmet) => [element("b", unmet.severity, unmet.severity), unmet.check, String(unmet.line), `${unmet.message}${unmet.reason ? ` (${unmet.reason})` : ""}`])));
  }
  if (archive.disclosures) {
    const { fields, more } = archive.disclosures;
    detail.append(element("h3", "", "What it tells of people and machines"));
    if (!fields.length) detail.append(element("p", "faint", "Nothing that was recognised."));
    else detail.append(table(["Kind", "Field", "Example", "Places", "First"], fields.map((field) => [field.kind, field.field, element("code", "", field.example), String(field.count), `${field.places[0].file} offset ${field.places[0].offset}`])));
    if (more) detail.append(element("p", "", `${more} places in further fields.`));
  }
  if (archive.not_checked.length) {
    const items = archive.not_checked.map((item) => element("li", "", item.rule, " ", element("span", "faint", item.because)));
    detail.append(element("details", "", element("summary", "faint", `Not checked: ${items.length}`), element("ul", "", ...items)));
  }
}
function showRule(one) {
  const rule = rules[one.rule] || { title: "", what: "", why: "", remedy: "" };
  detail.replaceChildren(element("h3", "", `${one.rule}: ${rule.title}`));
  if (rule.href) {
    const clause = element("a", "", "the clause");
    clause.href = rule.href;
    detail.append(element("p", "", clause));
  }
  for (const [head, text] of [["", rule.what], ["Why it matters: ", rule.why], ["What to do: ", rule.remedy]]) {
    if (text) detail.append(element("p", "", element("b", "", head), text));
  }
  detail.append(element("h3", "", plural(one.archives.length, "archive")));
  const items = one.archives.slice(0, MOST_SHOWN).map((of) => {
    const button = element("button", "plain", of.name.slice(prefix.length));
    button.type = "button";
    button.addEventListener("click", () => goTo(of));
    return element("li", "", button);
  });
  detail.append(element("ul", "", ...items));
  if (one.archives.length > MOST_SHOWN) detail.append(element("p", "faint", `and ${one.archives.length - MOST_SHOWN} more: choose the rule above`));
}
function goTo(one) {
  groups[0].checked = true;
  update();
  list.pick(one);
}

function bar(one) {
  const span = element("span", `span ${one.verdict[0]}`);
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
  if (one.rule) {
    const title = element("span", "", `${one.rule} ${titleOf(one.rule)}`);
    title.title = title.textContent;
    return [
      element("b", SEVERITIES[one.worst], SEVERITIES[one.worst]),
      title,
      element("span", "faint", `in ${one.archives.length} of ${archives.length}`),
      element("span", "amount number", String(one.found)),
      element("span", "amount number", String(one.archives.length)),
    ];
  }
  const name = element("span", "", one.name.slice(prefix.length));
  name.title = one.name;
  const word = one.worst < 0 ? "no verdict" : one.worst < SEVERITIES.length ? SEVERITIES[one.worst] : "conformant";
  return [
    element("b", one.worst < 0 ? "fatal" : SEVERITIES[one.worst] || "good", word),
    name,
    bar(one),
    element("span", "amount number", String(one.found)),
    element("span", "amount number", size(one.bytes)),
  ];
}
const list = new LongList(cells, (one) => (one.rule ? showRule(one) : showArchive(one)));
const order = new Order("worst", update);

// The findings that are wanted of an archive; null if it is not to be shown.
function choose(one, words, ticked) {
  const name = one.name.toLowerCase();
  const shown = [];
  one.archive.findings.forEach((finding, at) => {
    const fits = words.every((word) => name.includes(word) || one.texts[at].includes(word));
    if (ticked.has(finding.severity) && (!ruleChoice.value || finding.rule === ruleChoice.value) && fits) shown.push(at);
  });
  if (shown.length) return shown;
  const named = words.every((word) => name.includes(word)) && !ruleChoice.value;
  const policy = (one.archive.unmet || []).some((unmet) => ticked.has(unmet.severity));
  return named && (one.archive.failure || policy || (clean.checked && !one.found)) ? shown : null;
}
function byRule(shown) {
  const found = new Map();
  for (const one of shown) {
    for (const at of one.shown) {
      const finding = one.archive.findings[at];
      const rule = found.get(finding.rule) || { rule: finding.rule, name: finding.rule, worst: 9, found: 0, archives: [], start: null, bytes: 0 };
      rule.worst = Math.min(rule.worst, SEVERITIES.indexOf(finding.severity));
      rule.found += finding.count;
      if (rule.archives[rule.archives.length - 1] !== one) rule.archives.push(one);
      rule.bytes = rule.archives.length;
      rule.start = rule.archives.length;
      found.set(finding.rule, rule);
    }
  }
  return [...found.values()];
}
function update() {
  const words = wordsOf(search);
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.severity));
  const shown = all.filter((one) => {
    one.shown = choose(one, words, ticked);
    return one.shown !== null;
  });
  const rulesShown = groups[1].checked;
  const items = rulesShown ? byRule(shown) : shown;
  items.sort((one, other) => order.compare(one, other));
  const of = rulesShown ? `${plural(items.length, "rule")} in ${shown.length} of ${all.length} archives` : `${shown.length} of ${all.length} archives`;
  byId("count").textContent = `${of}${prefix ? ` below ${prefix}` : ""}`;
  byId("list").classList.toggle("rules", rulesShown);
  byId("last").textContent = rulesShown ? "archives" : "size";
  list.show(items);
  if (!items.includes(list.chosen) || !rulesShown) list.pick(items.includes(list.chosen) ? list.chosen : items[0]);
  if (!items.length) detail.replaceChildren(element("p", "faint", "Nothing is left: change what is searched for."));
}
// A link to a rule shows the rule.
function follow() {
  const rule = decodeURIComponent(location.hash.slice(1));
  if (!rules[rule]) return;
  groups[1].checked = true;
  update();
  const item = list.items.find((one) => one.rule === rule);
  if (item) list.pick(item);
  detail.scrollIntoView({ block: "nearest" });
}
for (const rule of Object.keys(rules).sort()) ruleChoice.append(new Option(`${rule} ${titleOf(rule)}`, rule));
search.addEventListener("input", update);
for (const control of [clean, ruleChoice, ...boxes, ...groups]) control.addEventListener("change", update);
window.addEventListener("hashchange", follow);
byId("controls").hidden = false;
update();
follow();
