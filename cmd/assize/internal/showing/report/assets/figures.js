// Draws the charts. The tables of what is drawn remain for screen readers, and for the keyboard,
// which shows a table as long as the focus is in it. The button shows all tables to everybody.
document.documentElement.classList.add("drawn");
drawAll();
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
