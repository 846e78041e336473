// What reports and served pages do with a dialogue, a form and a key.
"use strict";

// Whatever has data-key is pressed, followed or entered by that key, unless the reader is typing or
// has switched these keys off, which the browser keeps. In a list, j and k go to the next and the
// previous dialogue, and Enter opens it, or the first one. If dialogues open in the list, the keys of
// a dialogue act on the one that has the focus, or on the only one that is open.
const keys = document.getElementById("keys"), useKeys = keys?.querySelector("input");
try {
  if (useKeys) useKeys.checked = localStorage.getItem("assize keys") !== "off";
} catch {} // the browser keeps nothing
useKeys?.closest("label").removeAttribute("hidden");
useKeys?.addEventListener("change", () => {
  try {
    localStorage.setItem("assize keys", useKeys.checked ? "on" : "off");
  } catch {}
});

// step goes to the dialogue that is this many rows further on in the list, if there is one.
function step(rows) {
  const links = [...document.querySelectorAll(".cases .id a[href]")];
  const here = document.activeElement.closest?.(".case, .opened");
  const at = links.findIndex((a) => a.closest(".case") === (here?.matches(".opened") ? here.previousElementSibling : here));
  const to = links[at < 0 ? 0 : at + rows];
  to?.focus();
  return Boolean(to);
}

addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, select, input:not([type=hidden], [type=checkbox])");
  if (event.key === "Escape") {
    if (typing) typing.blur();
    else if (keys) keys.open = false;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Enter" && event.target === document.body && step(0)) return document.activeElement.click();
  if (useKeys && !useKeys.checked) return;
  if (event.key === "j" && step(1) || event.key === "k" && step(-1)) return event.preventDefault();
  const open = document.querySelectorAll(".opened");
  const below = event.target.closest(".case")?.nextElementSibling;
  const at = event.target.closest(".opened") ?? (below?.matches(".opened") ? below : open.length === 1 ? open[0] : null);
  const key = `[data-key="${CSS.escape(event.key)}"]`;
  const to = at?.querySelector(key) ?? [...document.querySelectorAll(key)].find((e) => !e.closest(".opened"));
  if (!to) return;
  event.preventDefault();
  if (to.matches("input, textarea")) to.focus();
  else to.click();
});

// A quote leads to its place in the transcript.
addEventListener("click", (event) => {
  const cite = event.target.closest(".cite"), turn = cite && document.getElementById(cite.hash.slice(1));
  if (!turn) return;
  event.preventDefault();
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const marks = [...turn.querySelectorAll("mark")].filter((m) => cite.textContent.includes(m.textContent));
  for (const m of marks) m.classList.add("lit");
  turn.querySelector("details")?.setAttribute("open", "");
  marks[0]?.focus({preventScroll: true});
  (marks[0] ?? turn).scrollIntoView({block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
});

// On a phone the filters are folded, so that the worst dialogues are on the first screen.
const wide = matchMedia("(min-width: 761px)");
function fold() {
  for (const filters of document.querySelectorAll(".filter details")) filters.open = wide.matches;
}
wide.addEventListener("change", fold);
fold();
