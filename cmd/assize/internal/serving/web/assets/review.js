// Keys: whatever has data-key is pressed, followed or entered by that key, unless one is typing.
"use strict";
addEventListener("keydown", (e) => {
  const typing = e.target.closest("textarea, select, input:not([type=hidden])");
  if (e.key === "Escape" && typing) typing.blur();
  if (typing || e.ctrlKey || e.metaKey || e.altKey || e.repeat) return;
  const at = document.querySelector(`[data-key="${CSS.escape(e.key)}"]`);
  if (!at) return;
  e.preventDefault();
  if (at.matches("input, textarea")) at.focus();
  else at.click();
});

// On a phone the filters are folded, so that the worst dialogues are on the first screen.
const filters = document.querySelector(".filter details"), wide = matchMedia("(min-width: 761px)");
if (filters) {
  filters.open = wide.matches;
  wide.addEventListener("change", () => { filters.open = wide.matches; });
}
