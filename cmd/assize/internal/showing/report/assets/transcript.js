// A dialogue in full: what was decided and why on one side, what was said on the other. Quotes are marked in their turns.
function transcript(t, c) {
  const because = t.because ?? [];
  const reasons = because.flatMap((s) => s.quotes.map((q) => Object.assign(q, {score: 0, marks: []})));
  const quotes = t.scores.flatMap((j) => j.says.flatMap((s) => s.quotes.map((q) => Object.assign(q, {score: s.followed ? j.after : 0, marks: []})))).concat(reasons);
  const turns = make("ol", {class: "turns"}, ...t.turns.map((one) => turn(one, quotes.filter((q) => q.turn === one.n))));
  const list = make("ul", {class: "judgements"}, ...t.scores.map((j) => judgement(j, turns)));
  const said = (t.reviews ?? []).map((r) => make("p", {class: "says"}, make("b", {}, r.who), ` ${r.satisfaction ?? ""}${r.flag ? " ⚑" : ""}`,
    ...(r.says ?? []).map((s) => make("div", {}, s))));
  const left = make("div", {}, ...said, ...(t.warnings ?? []).map((w) => make("p", {class: "warning"}, w)),
    ...because.map((s) => statement(s, false, turns)), list);
  const right = make("div", {}, c.friction ? strip(c.friction) : null, turns);
  const fact = (name, value) => value ? make("li", {}, name + " ", make("b", {}, value)) : null;
  const facts = make("ul", {class: "about"}, fact("Agent", c.agent), fact("Queue", c.queue), fact("Date", c.day),
    fact("Rating", c.people?.toFixed(2)), fact("Average", c.overall ? c.average.toFixed(2) : ""),
    make("li", {}, `${c.file.split(/[\\/]/).pop()} · ${counted(c.turns, "turn")}` + (c.copy ? ` · duplicate of ${c.copy}` : "")), make("li", {}, linkTo(c)));
  return make("div", {class: "dialogue"}, facts, make("div", {}, rate(t), right), left);
}

// linkTo leads to a dialogue; a click copies the address, where the browser lets it.
function linkTo(c) {
  const a = make("a", {href: link(c)}, "Link to this dialogue");
  a.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", a.href);
    navigator.clipboard?.writeText(a.href).then(() => { a.textContent = "Link copied"; }, () => {});
  });
  return a;
}

// mostSeen is how many characters of a turn are seen at once; a longer one scrolls in its place.
const mostSeen = 1500;

function turn(t, quotes) {
  const points = t.points ?? 0, text = t.text ?? "", long = text.length > mostSeen;
  const way = points <= -.5 ? " bad" : points >= .5 ? " fine" : "";
  const said = make("span", {class: long ? "said long" : "said", dir: "auto", tabindex: long ? 0 : null}, ...(text ? marked(text, quotes) : ["(nothing)"]));
  return make("li", {class: t.role + way, title: t.points ? `${t.points.toFixed(2)} points` : null},
    make("span", {class: "role"}, `${t.n} ${t.role}`, t.speaker ? make("b", {}, t.speaker) : null, t.at ? make("time", {}, t.at) : null),
    t.tool ? make("details", {class: "tool"}, make("summary", {}, t.tool), said) : said);
}

// marked cuts a turn at the ends of the quotes in it, and marks them. Where several overlap, the lowest score that one of
// them supports gives the colour; a quote that the Referee did not follow gives none. A quote that is not found word for
// word, as in a text that was masked, is marked nowhere.
function marked(text, quotes) {
  const found = quotes.map((quote) => {
    const words = quote.text.replace(/…$/, ""), from = text.indexOf(words);
    return {quote, from, to: from + words.length};
  }).filter((f) => f.from >= 0 && f.to > f.from);
  const cuts = [...new Set([0, text.length, ...found.flatMap((f) => [f.from, f.to])])].sort((a, b) => a - b);
  return cuts.slice(1).map((to, i) => {
    const over = found.filter((f) => f.from <= cuts[i] && to <= f.to).map((f) => f.quote);
    const piece = text.slice(cuts[i], to), scores = over.map((q) => q.score).filter(Boolean);
    if (!over.length) return piece;
    const mark = make("mark", {class: `s${scores.length ? Math.min(...scores) : 0}`, tabindex: "-1"}, piece);
    for (const q of over) q.marks.push(mark);
    return mark;
  });
}

function judgement(j, turns) {
  const changed = j.before !== j.after;
  return make("li", {},
    make("div", {class: "head"},
      make("b", {}, j.criterion), make("span", {class: "ruling"}, j.ruling),
      changed ? make("span", {class: "ruling"}, `${j.before} →`) : null,
      make("span", {class: `level v${j.after / 20}`}, String(j.after))),
    ...j.says.map((s) => statement(s, j.says.length > 1, turns)),
    j.check ? make("div", {class: "ruling"}, j.check) : null,
    j.people ? make("div", {class: "ruling"}, j.people) : null);
}

function statement(s, disputed, turns) {
  const lead = disputed ? `${s.who} ${s.score}${s.followed ? "" : ", not followed"}: ` : "";
  return make("div", {class: s.followed ? "says" : "says overruled"}, lead + (s.claim || "No reason was given."),
    ...s.quotes.map((q) => cite(q, turns)));
}

// cite shows a quote, and leads to its place.
function cite(q, turns) {
  const button = make("button", {type: "button", class: "cite", dir: "auto"}, `“${q.text}”`);
  button.addEventListener("click", () => {
    for (const lit of turns.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const m of q.marks) m.classList.add("lit");
    q.marks[0]?.focus({preventScroll: true});
    q.marks[0]?.scrollIntoView({block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
  });
  return make("div", {}, button, make("span", {class: "ruling"}, ` ${q.role}, turn ${q.turn}`));
}
