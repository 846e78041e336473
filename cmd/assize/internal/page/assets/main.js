// Puts it all on the page, in place of what stands there for those without a script.
document.documentElement.classList.add("drawn");
document.getElementById("static").remove();
drawAll();
list(document.getElementById("list"));

const asTables = document.getElementById("as-tables");
asTables.hidden = false;
asTables.addEventListener("click", () => {
  const is = document.documentElement.classList.toggle("tables");
  asTables.setAttribute("aria-pressed", String(is));
});
