// Ratings that a reader gives in the report. The browser keeps them by the identity of the dialogue, which is the same in
// every report of it. A page that may keep nothing has them in memory only, and says so.
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

// mine gives the rating of a dialogue, from 1 to 5, and the note; nothing where there is none.
function mine(t) {
  try {
    const {rating, note} = JSON.parse(store.getItem("assize " + t.identity)) ?? {};
    return {rating: [1, 2, 3, 4, 5].includes(rating) ? rating : 0, note: String(note ?? "")};
  } catch {
    return {rating: 0, note: ""};
  }
}

function keep(t, {rating, note}) {
  if (rating || note) store.setItem("assize " + t.identity, JSON.stringify({rating, note}));
  else store.removeItem("assize " + t.identity);
  document.dispatchEvent(new Event("rated"));
}

// rate makes the form to rate a dialogue. A second click on a rating takes it back.
function rate(t) {
  const given = mine(t);
  const buttons = [1, 2, 3, 4, 5].map((n) => {
    const b = make("button", {type: "button", "aria-pressed": String(given.rating === n)}, String(n));
    b.addEventListener("click", () => {
      given.rating = given.rating === n ? 0 : n;
      buttons.forEach((o, k) => o.setAttribute("aria-pressed", String(given.rating === k + 1)));
      keep(t, given);
    });
    return b;
  });
  const note = make("input", {"aria-label": "Note", placeholder: "Note", maxlength: 1000});
  note.value = given.note;
  note.addEventListener("input", () => { given.note = note.value; keep(t, given); });
  return make("fieldset", {class: "rate"}, make("legend", {}, "How satisfied was the USER? Keys 1 to 5"), ...buttons, note);
}

// The keys 1 to 5 rate the dialogue that one is in, or the only one that is open.
document.addEventListener("keydown", (event) => {
  if (!/^[1-5]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const open = document.querySelectorAll(".opened"), below = event.target.closest(".case")?.nextElementSibling;
  const at = event.target.closest(".opened") ?? (below?.matches(".opened") ? below : open.length === 1 ? open[0] : null);
  at?.querySelectorAll(".rate button")[event.key - 1].click();
});

// myRatings makes the line with which they are downloaded. It is hidden while there are none.
function myRatings() {
  const rater = make("input", {"aria-label": "Your name", placeholder: "Your name", maxlength: 100});
  rater.value = store.getItem("assize rater") ?? "";
  rater.addEventListener("input", () => store.setItem("assize rater", rater.value));
  const download = make("button", {type: "button"}, "Download my ratings");
  const told = make("span");
  const line = make("span", {class: "mine"}, told, " ", rater, " ", download);
  const list = () => data.transcripts.map((t) => ({c: cases[t.n], ...mine(t)})).filter((m) => m.rating || m.note);
  const show = () => {
    const n = list().length;
    line.hidden = !n;
    told.textContent = `You rated ${counted(n, "dialogue")}.` + (store.forgets ? " This browser keeps no data of the page: download your ratings before you close it." : "");
  };
  // No cell is run as a formula.
  const cell = (v) => `"${String(v).replace(/^(?=[=+@\t\r-])/, "'").replaceAll('"', '""')}"`;
  download.addEventListener("click", () => {
    const rows = list().map((m) => [m.c.id, m.c.file, m.rating || "", rater.value.trim() || "reader", m.note]);
    const csv = [["dialogue_id", "file", "rating", "rater", "note"], ...rows].map((r) => r.map(cell).join(",") + "\n").join("");
    const a = make("a", {href: URL.createObjectURL(new Blob([csv], {type: "text/csv"})), download: "ratings.csv"});
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
  });
  document.addEventListener("rated", show);
  show();
  return line;
}
