// A dialogue in full: what was decided and why on one side, what was said on the other. Quotes are marked in their turns.
function transcript(t, friction) {
  const turns = make("ol", {class: "turns"}, ...t.turns.map(turn));
  const list = make("ul", {class: "judgements"}, ...t.scores.map((j) => judgement(j, turns)));
  const left = make("div", {}, ...(t.warnings ?? []).map((w) => make("p", {class: "warning"}, w)), list);
  const right = make("div", {}, ...(friction ? [strip(friction)] : []), turns);
  return make("div", {class: "dialogue"}, left, right);
}

// mostSeen is how many characters of a turn are seen at once; a longer one scrolls in its place.
const mostSeen = 1500;

function turn(t) {
  if (!t.role) return make("li", {class: "gap"}, "turns that are not kept");
  const points = t.points ?? 0;
  const way = points <= -.5 ? " bad" : points >= .5 ? " fine" : "";
  const said = (t.text ?? []).map((piece) => {
    if (!piece.quotes) return piece.text;
    return make("mark", {class: `s${piece.score ?? 0}`, "data-quotes": piece.quotes.join(" "), tabindex: "-1"}, piece.text);
  });
  const long = sum(said.map((p) => (p.textContent ?? p).length));
  return make("li", {class: t.role + way, title: t.points ? `${t.points.toFixed(2)} points` : null},
    make("span", {class: "role"}, `${t.n} ${t.role}`),
    make("span", {class: long > mostSeen ? "said long" : "said", dir: "auto", tabindex: long > mostSeen ? 0 : null}, ...(said.length ? said : ["(nothing)"])));
}

function judgement(j, turns) {
  const changed = j.before !== j.after;
  return make("li", {},
    make("div", {class: "head"},
      make("b", {}, j.criterion), make("span", {class: "ruling"}, j.ruling),
      changed ? make("span", {class: "ruling"}, `${j.before} →`) : null,
      make("span", {class: `level v${j.after / 20}`}, String(j.after))),
    ...j.says.map((s) => statement(s, j.says.length > 1, turns)),
    j.check ? make("div", {class: "ruling"}, j.check) : null);
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
    const marks = [...turns.querySelectorAll("mark")].filter((m) => m.dataset.quotes.split(" ").includes(String(q.k)));
    for (const m of marks) m.classList.add("lit");
    marks[0]?.focus({preventScroll: true});
    marks[0]?.scrollIntoView({block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
  });
  return make("div", {}, button, make("span", {class: "ruling"}, ` ${q.role}, turn ${q.turn}`));
}
