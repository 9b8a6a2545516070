// A link to a case opens it; without this script all is there, to be opened by hand.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const around = target && target.closest("details");
  if (around) { around.open = true; around.scrollIntoView(); }
}
addEventListener("hashchange", openTarget);
addEventListener("DOMContentLoaded", () => {
  openTarget();
  const box = document.getElementById("failing");
  box.addEventListener("change", () => document.body.classList.toggle("failing", box.checked));
});
