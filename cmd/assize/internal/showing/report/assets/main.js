// Puts it all on the page, in place of what is shown without scripts.
document.documentElement.classList.add("drawn");
document.getElementById("static").remove();
drawAll();
const follow = list(document.getElementById("list"));
fold();
follow(location.hash);
addEventListener("hashchange", () => follow(location.hash));
// A click on the link to a dialogue copies its address, if the browser allows that.
document.addEventListener("click", (event) => {
  const a = event.target.closest?.("a.here");
  if (!a) return;
  event.preventDefault();
  history.replaceState(null, "", a.href);
  navigator.clipboard?.writeText(a.href).then(() => { a.textContent = "Link copied"; }, () => {});
});
document.addEventListener("click", (event) => { // also on a link whose address the page has already
  const to = event.target.closest?.(".chart a")?.href.baseVal;
  if (to === location.hash) follow(to);
});

// The tables of figures that are drawn are there for screen readers; the button shows them to everybody. Nobody is led
// by the keyboard to what cannot be seen.
const asTables = document.getElementById("as-tables");
const tables = document.querySelectorAll(".figures .charts ~ .table");
function show(is) {
  document.documentElement.classList.toggle("tables", is);
  asTables.setAttribute("aria-pressed", String(is));
  for (const t of tables) t.tabIndex = is ? 0 : -1;
}
asTables.hidden = !tables.length;
asTables.addEventListener("click", () => show(!document.documentElement.classList.contains("tables")));
show(false);
