"use strict";
// Shows the checks whose outcome is ticked and in which all words that are searched for stand.
const search = document.getElementById("search");
const boxes = [...document.querySelectorAll("input[data-outcome]")];
const shown = (item, words) => words.every((word) => item.textContent.toLowerCase().includes(word));
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ticked = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.outcome));
  let count = 0;
  for (const section of document.querySelectorAll("details.archive")) {
    let any = false;
    for (const row of section.querySelectorAll("tr[data-outcome]")) {
      row.hidden = !ticked.has(row.dataset.outcome) || !shown(row, words);
      any = any || !row.hidden;
      count += row.hidden ? 0 : 1;
    }
    section.hidden = !any;
  }
  for (const failure of document.querySelectorAll("section.rule-page")) failure.hidden = !ticked.has("failed") || !shown(failure, words);
  const all = document.querySelectorAll("tr[data-outcome]").length;
  document.getElementById("count").textContent = `${count} of ${all} checks`;
}
search.addEventListener("input", filter);
for (const box of boxes) box.addEventListener("change", filter);
document.getElementById("controls").hidden = false;
filter();
