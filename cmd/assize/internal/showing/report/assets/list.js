// The list of dialogues. Go renders its form, its headings and a first row, and sorts. The script
// finds the dialogues that the form asks for, fills a page of rows, and opens dialogues below them.
const perPage = 20;
const {columns, values, order, of} = data.list;
const rows = data.list.rows.map((r) => r.map((v, k) => values[k][v]));
const place = Object.fromEntries(columns.map((c, k) => [c.key, k]));
const searched = [...columns.keys()].filter((k) => columns[k].words);
const value = (i, field) => rows[i][place[field]];
const unshown = (i, criterion) => value(i, "not_shown")?.split(" ").includes(criterion);
const dialogues = new Map([...document.querySelectorAll("#static > details")].map((d) => [Number(d.dataset.case), d.querySelector(".dialogue")]));
dialogues.forEach(rate);

const list = document.getElementById("list");
const [form, table, pager, says, all] = ["form", "table", ".pager", "[role=status]", ".status button"].map((part) => list.querySelector(part));
const [back, on, where] = pager.children;
const blank = table.tBodies[0].rows[0];
let found = [], from = 0;

// sorted returns the numbers of the rows by a column, the worst first: numbers before words, missing
// values after both, and unscored dialogues last.
const orders = {};
function sorted(key) {
  const way = columns[place[key]].high ? -1 : 1;
  const ranked = rows.map((_, i) => {
    const v = key === "name" ? i : value(i, key), kind = v === "" ? 2 : isNaN(v) ? 1 : 0;
    return [value(i, "overall") === "unscored", kind, kind ? v : way * v];
  });
  const compare = (a, b) => a > b ? 1 : a < b ? -1 : 0;
  return orders[key] ??= order.toSorted((a, b) => ranked[a].reduce((found, r, k) => found || compare(r, ranked[b][k]), 0));
}

// haystacks are the texts that a search looks through, made at the first search.
const haystacks = [];
function haystack(i) {
  const said = () => [...dialogues.get(i)?.querySelectorAll(".said") ?? []].map((s) => s.textContent);
  return haystacks[i] ??= [...searched.map((k) => rows[i][k]), ...said()].join("\n").toLowerCase();
}

// days returns a word and, if it is a date such as 20/10/2026, the ways in which the list may have it.
function days(word) {
  const [, a, b, year] = word.match(/^(\d\d?)[/.-](\d\d?)[/.-](\d{4})$/) ?? [];
  const as = (month, day) => [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  return year ? [word, as(b, a), as(a, b)] : [word];
}

// tests are those of the controls that ask for something else than a value of the field with
// their name.
const tests = {
  query: (words) => {
    const each = words.toLowerCase().split(/\s+/);
    return (i) => each.every((w) => days(w).some((day) => haystack(i).includes(day)));
  },
  from: (day) => (i) => value(i, "day") >= day,
  to: (day) => (i) => value(i, "day") && value(i, "day") <= day,
  satisfaction: (tenth) => (i) => value(i, "satisfaction").startsWith(tenth),
  score: (asked) => { // of the criterion or, if none is chosen, overall
    const score = parseInt(asked), orLess = asked.endsWith("-"), name = form.criterion.value || "overall";
    if (asked === "none") return (i) => unshown(i, name);
    return (i) => orLess ? value(i, name) && value(i, name) <= score : Number(value(i, name)) === score;
  },
  only: (field) => (i) => value(i, field),
  ...Object.fromEntries(["criterion", "sort", "way"].map((name) => [name, () => () => true])),
};

// change shows the first page of what the form asks for.
function change() {
  const asked = [...form.elements].filter((c) => c.name && c.value)
    .map((c) => tests[c.name]?.(c.value) ?? ((i) => value(i, c.name) === c.value));
  found = sorted(form.sort.value).filter((i) => asked.every((test) => test(i)));
  if (form.way.value === "down") { // unscored ones stay last
    const scored = found.filter((i) => value(i, "overall") !== "unscored");
    found = [...scored.reverse(), ...found.slice(scored.length)];
  }
  for (const b of table.tHead.querySelectorAll("button")) {
    b.closest("th").ariaSort = b.dataset.sort !== form.sort.value ? null : form.way.value === "down" ? "descending" : "ascending";
  }
  says.textContent = (found.length < of ? `${count(found.length)} of ` : of > 1 ? "All " : "") + `${counted(of, "dialogue")}.`;
  all.hidden = found.length === rows.length;
  turn(0);
}

// ask fills in the form; what is not given becomes as it was at first.
function ask(values) {
  form.reset();
  for (const [name, v] of Object.entries(values)) {
    const control = form.elements.namedItem(name);
    if (!control.options || [...control.options].some((o) => o.value === v)) control.value = v;
  }
  change();
}

// turn shows a page of rows, without the columns that are empty in all of them.
function turn(first) {
  from = first;
  const shown = found.slice(from, from + perPage);
  table.tBodies[0].replaceChildren(...shown.map(line));
  [...table.tHead.rows[0].cells].forEach((_, k) => {
    const empty = shown.length && shown.every((i) => rows[i][k] === "") && columns[k].key !== form.sort.value;
    for (const row of table.rows) row.cells[k].hidden = empty;
  });
  back.disabled = from === 0;
  on.disabled = from + perPage >= found.length;
  pager.hidden = found.length <= perPage;
  where.textContent = `${count(from + 1)} to ${count(from + shown.length)} of ${count(found.length)}`;
}

// line returns the row of a dialogue. Where there is a transcript, its name opens it.
function line(i) {
  const row = blank.cloneNode(true);
  row.dataset.case = i;
  [...row.cells].forEach((cell, k) => {
    const text = rows[i][k], inside = cell.firstElementChild;
    (inside ?? cell).textContent = text;
    if (inside?.matches(".level")) {
      const hollow = unshown(i, columns[k].key);
      inside.className = `level v${text}${hollow ? " hollow" : ""}`;
      inside.title = inside.title.replace(/: not shown$/, "") + (hollow ? ": not shown" : "");
    }
    else cell.title = text;
  });
  const dialogue = dialogues.get(i), name = row.querySelector("a");
  if (dialogue) {
    name.href = dialogue.querySelector(".here").hash;
    name.ariaExpanded = false;
  }
  return row;
}

// across is how many columns there is room for.
const across = () => [...table.tHead.rows[0].cells].filter((c) => c.offsetWidth).length;
addEventListener("resize", () => document.querySelectorAll(".opened > td").forEach((c) => c.colSpan = across()));

// toggle opens a dialogue below its row, or closes it.
function toggle(name) {
  const row = name.closest("tr"), open = name.ariaExpanded === "true";
  name.ariaExpanded = !open;
  if (open) row.nextElementSibling.remove();
  else row.after(make("tr", {class: "opened"}, make("td", {colspan: across()}, dialogues.get(Number(row.dataset.case)))));
}

// follow goes where the address of the page leads: #overall=40 filters, #d=1021 opens a dialogue.
function follow(hash) {
  const asked = new URLSearchParams(hash.slice(1));
  if (asked.has("d")) return open(asked.get("d"), asked.get("file"));
  const known = [...asked].filter(([name]) => form.elements.namedItem(name));
  if (!known.length) return;
  ask(Object.fromEntries(known));
  list.parentElement.scrollIntoView({block: "start"});
}

function open(id, file) {
  const names = [id, file?.split(/[\\/]/).pop()];
  const i = rows.findIndex((_, i) => names.includes(value(i, "name")) && (!file || value(i, "file") === file));
  if (i < 0) return void (says.textContent = `There is no dialogue ${id} in this report.`);
  if (!found.includes(i)) ask({});
  turn(found.indexOf(i) - found.indexOf(i) % perPage);
  const row = table.querySelector(`[data-case="${i}"]`), name = row.querySelector("a[href]");
  if (name) toggle(name);
  else says.textContent = `Dialogue ${id} has no transcript in this report.`;
  row.scrollIntoView({block: "start"});
  name?.focus({preventScroll: true});
}

for (const [button, step] of [[back, -perPage], [on, perPage]]) button.addEventListener("click", () => {
  turn(from + step);
  list.scrollIntoView({block: "start"});
});
all.addEventListener("click", () => ask({sort: form.sort.value, way: form.way.value}));
table.addEventListener("click", (event) => {
  const sort = event.target.closest("button[data-sort]")?.dataset.sort, name = event.target.closest(".id a[href]");
  if (name) {
    event.preventDefault();
    toggle(name);
  } else if (sort) {
    form.way.value = form.sort.value === sort && form.way.value === "up" ? "down" : "up";
    form.sort.value = sort;
    change();
  }
});
let later;
form.query.addEventListener("input", () => {
  clearTimeout(later);
  later = setTimeout(change, 120);
});
form.addEventListener("change", (event) => event.target !== form.query && change());
form.addEventListener("submit", (event) => event.preventDefault());
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
addEventListener("hashchange", () => follow(location.hash));

// Puts the list on the page, in place of what is shown without scripts.
document.getElementById("static").remove();
all.after(" ", myRatings());
list.hidden = false;
change();
follow(location.hash);
