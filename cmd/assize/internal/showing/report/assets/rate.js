// The ratings of a reader of the report. The browser keeps them by the identity of the dialogue,
// which is the same in every report. If it keeps no data, the page says so.
const store = (() => {
  try {
    localStorage.setItem("assize", "");
    localStorage.removeItem("assize");
    return localStorage;
  } catch {
    const memory = new Map();
    return {getItem: (k) => memory.get(k) ?? null, setItem: (k, v) => memory.set(k, v), removeItem: (k) => memory.delete(k), forgets: true};
  }
})();

// mine returns the reader's rating of a dialogue, from 1 to 5, or 0, and the note.
function mine(dialogue) {
  try {
    const {rating, note} = JSON.parse(store.getItem("assize " + dialogue.dataset.identity)) ?? {};
    return {rating: [1, 2, 3, 4, 5].includes(rating) ? rating : 0, note: String(note ?? "")};
  } catch {
    return {rating: 0, note: ""};
  }
}

function keep(dialogue, {rating, note}) {
  if (rating || note) store.setItem("assize " + dialogue.dataset.identity, JSON.stringify({rating, note}));
  else store.removeItem("assize " + dialogue.dataset.identity);
  document.dispatchEvent(new Event("rated"));
}

// rate shows the reader's rating in the form of a dialogue, and keeps it. A second click on a
// rating takes it back.
function rate(dialogue) {
  const given = mine(dialogue), note = dialogue.querySelector("[name=note]");
  const stars = dialogue.querySelectorAll(".stars button");
  const show = () => { for (const b of stars) b.setAttribute("aria-pressed", String(given.rating === Number(b.value))); };
  for (const b of stars) b.addEventListener("click", () => {
    given.rating = given.rating === Number(b.value) ? 0 : Number(b.value);
    show();
    keep(dialogue, given);
  });
  note.value = given.note;
  note.addEventListener("input", () => { given.note = note.value; keep(dialogue, given); });
  show();
}

// myRatings returns the line to download the ratings, which is hidden until there is one.
function myRatings() {
  const rater = make("input", {"aria-label": "Your name", placeholder: "Your name", maxlength: 100});
  rater.value = store.getItem("assize rater") ?? "";
  rater.addEventListener("input", () => store.setItem("assize rater", rater.value));
  const download = make("button", {type: "button"}, "Download my ratings");
  const status = make("span");
  const line = make("span", {class: "mine"}, status, " ", rater, " ", download);
  const list = () => [...dialogues].map(([i, d]) => ({i, ...mine(d)})).filter((m) => m.rating || m.note);
  const show = () => {
    const n = list().length;
    line.hidden = !n;
    status.textContent = `You rated ${counted(n, "dialogue")}.` + (store.forgets ? " This browser keeps no data of the page: download your ratings before you close it." : "");
  };
  // No cell is run as a formula.
  const cell = (v) => `"${String(v).replace(/^(?=[=+@\t\r-])/, "'").replaceAll('"', '""')}"`;
  download.addEventListener("click", () => {
    const rows = list().map((m) => [value(m.i, "name"), value(m.i, "file"), m.rating || "", rater.value.trim() || "reader", m.note]);
    const csv = [["dialogue_id", "file", "rating", "rater", "note"], ...rows].map((r) => r.map(cell).join(",") + "\n").join("");
    const a = make("a", {href: URL.createObjectURL(new Blob([csv], {type: "text/csv"})), download: "ratings.csv"});
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
  });
  document.addEventListener("rated", show);
  show();
  return line;
}
