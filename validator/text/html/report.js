"use strict";
// Shows the findings of the severities that are ticked, and of the archives those that have some.
const boxes = [...document.querySelectorAll("input[data-severity]")];
const clean = document.getElementById("clean");
function filter() {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.severity));
  for (const row of document.querySelectorAll("tr[data-severity]")) row.hidden = !shown.has(row.dataset.severity);
  for (const archive of document.querySelectorAll(".archive")) {
    const rows = [...archive.querySelectorAll("tr[data-severity]")];
    archive.hidden = archive.dataset.verdict !== "none" && !clean.checked && !rows.some((row) => !row.hidden);
  }
}
for (const box of [...boxes, clean]) box.addEventListener("change", filter);
document.querySelector("fieldset").hidden = false;
filter();
