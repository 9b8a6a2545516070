"use strict";
// What all pages have: keys, links into what is closed, and tables that scroll by the keyboard.
function byId(id) {
  return document.getElementById(id);
}
function element(kind, style, ...content) {
  const made = document.createElement(kind);
  if (style) made.className = style;
  made.append(...content.filter((one) => one !== undefined && one !== null));
  return made;
}
// The words that are searched for.
function wordsOf(search) {
  return search.value.toLowerCase().split(/\s+/).filter(Boolean);
}
// Shows what a head of a column says of the order: "ascending", "descending", or nothing.
function tellOrder(heads, chosen, up) {
  for (const head of heads) {
    if (head === chosen) head.setAttribute("aria-sort", up ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}
// A link into something that is closed opens it.
function openTarget() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    return;
  }
  const target = id && byId(id);
  if (!target) return;
  for (let around = target.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  target.scrollIntoView();
}
// "/" leads to the search, Escape empties it.
function pressed(event) {
  const search = byId("search");
  if (!search || !(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) {
    search.focus();
    search.select();
  } else if (event.key === "Escape" && event.target === search) {
    search.value = "";
    search.dispatchEvent(new Event("input"));
  } else return;
  event.preventDefault();
}
function letScroll() {
  for (const one of document.querySelectorAll(".scroll")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}
addEventListener("hashchange", openTarget);
addEventListener("keydown", pressed);
addEventListener("resize", letScroll);
addEventListener("toggle", letScroll, true);
openTarget();
letScroll();
