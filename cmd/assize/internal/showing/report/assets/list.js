// The list of dialogues: what is asked for, a page of rows, and a dialogue in full below its row.
const perPage = 20;

function list(place) {
  const state = {...anything};
  let found = [], from = 0;
  const body = make("tbody");
  const status = make("span", {role: "status"});
  const reset = make("button", {type: "button"}, "Show all");
  const table = make("table", {class: "cases"}, make("thead", {}, heads()), body);
  const form = filters(change);
  const [back, on] = [make("button", {type: "button"}, "Previous"), make("button", {type: "button"}, "Next")];
  const where = make("span");
  back.addEventListener("click", () => turnTo(from - perPage));
  on.addEventListener("click", () => turnTo(from + perPage));
  reset.addEventListener("click", () => change({...anything, sort: state.sort, way: state.way}));
  table.tHead.addEventListener("click", (event) => {
    const sort = event.target.closest("button")?.dataset.sort;
    if (sort) change({sort, way: state.sort === sort && state.way === "up" ? "down" : "up"});
  });
  place.append(form, make("p", {class: "status"}, status, " ", reset, " ", myRatings()), table, make("div", {class: "pager"}, back, on, where));
  place.hidden = false;
  change({});
  return follow;

  // change takes in what is asked for now, and shows the first page of it.
  function change(asked) {
    Object.assign(state, asked);
    found = select(state);
    for (const b of table.tHead.querySelectorAll("button")) {
      const is = b.dataset.sort === state.sort;
      b.classList.toggle("sorted", is);
      const head = b.closest("th");
      if (is) head.setAttribute("aria-sort", state.way === "down" ? "descending" : "ascending");
      else if (![...head.querySelectorAll("button")].some((o) => o.dataset.sort === state.sort)) head.removeAttribute("aria-sort");
    }
    for (const control of form.elements) if (control.name && control.value !== state[control.name]) control.value = state[control.name];
    const only = state.satisfaction && ` with satisfaction ${state.satisfaction}0 to ${state.satisfaction}9`;
    status.textContent = (found.length < size ? `${count(found.length)} of ` : size > 1 ? "All " : "") + `${counted(size, "dialogue")}${only}.`;
    reset.hidden = found.length === size;
    from = 0;
    show();
  }

  // follow goes where the address of the page leads: #overall=40 filters, #d=1021 opens a dialogue.
  function follow(hash) {
    const asked = new URLSearchParams(hash.slice(1));
    if (asked.has("d")) return open(asked.get("d"), asked.get("file"));
    const known = [...asked].filter(([key]) => Object.hasOwn(anything, key));
    if (!known.length) return;
    change({...anything, ...Object.fromEntries(known)});
    place.parentElement.scrollIntoView({block: "start"});
  }

  function open(id, file) {
    const i = cases.findIndex((c) => c.id === id && (!file || c.file === file));
    if (i < 0) return void (status.textContent = `There is no dialogue ${id} in this report.`);
    if (!found.includes(i)) change(anything);
    from = found.indexOf(i) - found.indexOf(i) % perPage;
    show();
    const line = body.querySelector(`[data-case="${i}"]`), button = line.querySelector("button");
    if (button) toggle(button, i);
    else status.textContent = `Dialogue ${id} has no transcript in this report.`;
    line.scrollIntoView({block: "start"});
    button?.focus({preventScroll: true});
  }

  function turnTo(first) {
    from = first;
    show();
    place.scrollIntoView({block: "start"});
  }

  function show() {
    const rows = found.slice(from, from + perPage);
    body.replaceChildren(...rows.map(row));
    back.disabled = from === 0;
    on.disabled = from + perPage >= found.length;
    back.parentElement.hidden = found.length <= perPage;
    where.textContent = `${count(from + 1)} to ${count(from + rows.length)} of ${count(found.length)}`;
  }
}

// columns are those of the list: the kind of cell, the name in values that it is sorted by, the heading, the name in full,
// and what is in the cell.
const optional = (key, ...column) => some[key] ? [[key, key, ...column]] : [];
const columns = [
  ["id", "order", "Dialogue", "place in the run"],
  ...optional("agent", "Agent", "agent", (c) => c.agent ?? ""),
  ...optional("queue", "Queue", "queue", (c) => c.queue ?? ""),
  ...optional("day", "Date", "date", (c) => c.day ?? ""),
  ...optional("people", "Rating", "people's rating", (c) => c.people?.toFixed(2) ?? ""),
  ...optional("reviews", "Reviews", "number of reviews", (c) => (c.reviews ?? []).join(", ")),
  ["num", "satisfaction", "Satisf.", "satisfaction", (c) => c.overall ? c.satisfaction.toFixed(2) : "–"],
  ["num", "overall", "Overall", "overall score", (c) => c.overall ? make("span", {class: `level v${c.overall / 20}`, title: `weighted average ${c.average.toFixed(2)}`}, String(c.overall)) : "–"],
  ...optional("apart", "Apart", "disagreement of model and rules", (c) => c.apart == null ? "–" : c.apart.toFixed(2)),
];

// sortable lists what dialogues can be sorted by: the name in values, the heading and the name in full.
const sortable = [...columns.slice(1).map(([, ...column]) => column), ...data.criteria.map((c, i) => ["c" + i, c.slice(0, 3), c]), columns[0].slice(1)];

// heads makes the row of headings. Those that can be sorted by are buttons.
function heads() {
  const buttons = Object.fromEntries(sortable.map(([sort, text, name]) =>
    [sort, make("button", {type: "button", "data-sort": sort, "aria-label": `Sort by ${name}`, title: `Sort by ${name}`}, text)]));
  const head = (kind, ...inside) => make("th", {scope: "col", class: kind}, ...inside);
  return make("tr", {}, ...columns.map(([kind, sort]) => head(kind, buttons[sort])),
    head("scores", make("span", {class: "heads"}, ...data.criteria.map((_, i) => buttons["c" + i]))),
    head("why", "Main reason"));
}

// row makes the line of a dialogue. Where there is a transcript, its name opens it.
function row(i) {
  const c = cases[i], name = c.id;
  let title = name;
  if (dialogues.has(i)) {
    title = make("button", {type: "button", "aria-expanded": "false", dir: "auto"}, name);
    title.addEventListener("click", () => toggle(title, i));
  }
  const cell = ([kind, sort, , , inside]) => make("td", {class: kind, "data-label": labels[sort]}, inside(c));
  const line = make("tr", {class: "case", "data-case": i}, make("th", {scope: "row", class: "id", title: `${name}, ${c.file}`}, title));
  const reason = make("td", {class: "why"}, ...why(c));
  reason.title = reason.textContent;
  line.append(...columns.slice(1).map(cell), make("td", {class: "scores"}, c.overall ? levels(c) : ""), reason);
  return line;
}

// labels name the numbers of a line where there is no heading above them: on a phone.
const labels = {people: "rating", reviews: "reviews", satisfaction: "sat.", overall: "overall", apart: "apart"};

function levels(c) {
  return make("span", {class: "levels"}, ...c.final.map((now, k) => {
    const before = c.proposed?.[k];
    const label = `${data.criteria[k]} ${now}` + (before && before !== now ? `, proposed ${before}` : "");
    return make("span", {class: `v${now / 20}`, title: label, "aria-label": label}, String(now));
  }));
}

function why(c) {
  if (!c.overall) return [make("b", {}, "unscored "), c.reason];
  if (c.failed === "nothing") return ["Nothing: all six scores are 100."];
  const [first] = c.why ?? [];
  return [make("b", {}, c.failed), `: ${c.claim ?? ""}`, ...(first ? [" — ", make("bdi", {}, `“${first.text}”`)] : [])];
}

// across is how many columns there is room for.
const across = (line) => [...line.closest("table").tHead.rows[0].cells].filter((c) => c.offsetWidth).length;
addEventListener("resize", () => document.querySelectorAll(".opened > td").forEach((c) => c.colSpan = across(c)));

// toggle opens a dialogue below its row, or closes it.
function toggle(button, i) {
  const line = button.closest("tr");
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) line.nextElementSibling.remove();
  else line.after(make("tr", {class: "opened"}, make("td", {colspan: across(line)}, dialogues.get(i))));
}

// within returns the names of files without the folder that they share.
function within(files) {
  const folder = (f) => f.slice(0, Math.max(f.lastIndexOf("/"), f.lastIndexOf("\\")) + 1);
  let shared = folder(files[0]);
  while (shared && !files.every((f) => f.startsWith(shared))) shared = folder(shared.slice(0, -1));
  return files.map((f) => f.slice(shared.length));
}

// filters makes the form that says which dialogues are asked for. Its controls have the names of what they choose.
function filters(change) {
  const labelled = (text, control, kind) => make("label", {class: kind}, text, control);
  const choice = (name, options) => make("select", {name}, ...options.map(([value, text]) => make("option", {value}, text)));
  const any = (list) => [["", "any"], ...list];
  const search = make("input", {type: "search", name: "query", "data-key": "/", placeholder: "id, file or words", autocomplete: "off", spellcheck: "false"});
  const form = make("form", {class: "filter"},
    labelled("Search (press /)", search),
    make("details", {}, make("summary", {}, "Filter and sort"), make("div", {},
      labelled("Overall", choice("overall", any([...[...data.overall ?? []].reverse().map((b) => [b.name, `${b.name}  (${count(b.n)})`]), ...(cases.some((c) => !c.overall) ? [["unscored", "unscored"]] : [])]))),
      labelled("Criterion", choice("criterion", any(data.criteria.map((c) => [c, c])))),
      labelled("Score", choice("score", [[20, "at 20"], ...[40, 60, 80].map((s) => [s + "-", `at ${s} or less`]), ...[40, 60, 80, 100].map((s) => [s, `at ${s}`])])),
      ...(data.groups ?? []).map((g, k) => g.list.length > choices ? null : labelled(g.by[0].toUpperCase() + g.by.slice(1), choice("g" + k, any(g.list.map((m) => [m.name, m.name]))))),
      some.files.length > 1 && some.files.length <= choices && !data.groups?.some((g) => g.by === "file") ? labelled("File", choice("file", any(within(some.files).map((f, i) => [some.files[i], f])))) : null,
      labelled("Only", choice("only", any(Object.entries(only).map(([k, [text]]) => [k, text])))),
      // Where the headings of the list have no room, a menu sorts.
      labelled("Sort by", choice("sort", sortable.map(([sort, , text]) => [sort, text])), "narrow"),
      labelled("Order", choice("way", [["up", "worst first"], ["down", "best first"]]), "narrow"))));
  let later;
  search.addEventListener("input", () => { clearTimeout(later); later = setTimeout(() => change({query: search.value}), 120); });
  form.addEventListener("change", (event) => { if (event.target !== search) change({[event.target.name]: event.target.value}); });
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}
