// Which dialogues are listed, and in which order.
const cases = data.cases;
const size = cases.length;
const dialogues = new Map([...document.querySelectorAll("#static > details")].map((d) => [Number(d.dataset.case), d.querySelector(".dialogue")]));
dialogues.forEach(rate);

// some tells what there is of any dialogue.
const some = {...Object.fromEntries(["agent", "queue", "day", "people", "reviews"].map((k) => [k, cases.some((c) => c[k])])), apart: cases.some((c) => c.apart != null), files: [...new Set(cases.map((c) => c.file))]};

// choices is up to how many files or groups a menu lists. Where there are more, a search finds the name.
const choices = 50;

// anything asks for all dialogues. Each member is text, as the controls of the form and the address of the page have it;
// g0 is the name of a group by the first column, and so on.
const anything = {query: "", overall: "", satisfaction: "", criterion: "", score: "40-", file: "", only: "", sort: "satisfaction", way: "up",
  ...Object.fromEntries((data.groups ?? []).map((_, k) => ["g" + k, ""]))};

// values are what can be sorted by, the smaller the worse. Names go by the alphabet, and what has none comes last.
const place = (k) => {
  const rank = new Map([...new Set(cases.map((c) => c[k] ?? ""))].sort((a, b) => !a - !b || (a < b ? -1 : 1)).map((v, n) => [v, n]));
  return (i) => rank.get(cases[i][k] ?? "");
};
const values = {
  order: (i) => i,
  agent: place("agent"),
  queue: place("queue"),
  day: place("day"),
  satisfaction: (i) => cases[i].satisfaction,
  overall: (i) => cases[i].overall,
  people: (i) => cases[i].people ?? 9,
  reviews: (i) => -(cases[i].reviews?.length ?? 0),
  apart: (i) => -(cases[i].apart ?? -1),
  ...Object.fromEntries(data.criteria.map((_, c) => ["c" + c, (i) => cases[i].final[c]])),
};

// only are the choices of dialogues that have something.
const only = {
  transcript: ["with a transcript", (i) => dialogues.has(i)],
  changed: ["changed by the Referee", (i) => cases[i].proposed != null],
  flagged: ["flagged by the profile", (i) => cases[i].flagged],
  reviewed: ["reviewed", (i) => cases[i].reviews != null],
  contradicted: ["where rules contradict the model", (i) => cases[i].contradicts],
};
if (!cases.some((c) => c.flagged)) delete only.flagged;
if (!some.apart) delete only.contradicted;
if (!some.reviews) delete only.reviewed;

// haystacks are the texts that a search looks through, made at the first search.
const haystacks = new Array(size);
function haystack(i) {
  if (haystacks[i] == null) {
    const c = cases[i];
    const said = [...dialogues.get(i)?.querySelectorAll(".said") ?? []].map((s) => s.textContent);
    haystacks[i] = [c.id, c.file, c.agent, c.queue, c.day, c.failed, c.reason, ...(c.why ?? []).map((w) => w.text), ...(c.groups ?? []), ...said].join("\n").toLowerCase();
  }
  return haystacks[i];
}

// tenth is the bar of the histogram that a dialogue is in: "2.3" from 2.30 to 2.39.
const tenth = (c) => (Math.floor(Math.round(100 * c.satisfaction) / 10) / 10).toFixed(1);

// select returns the numbers of the dialogues that match a state, the worse first among equals, unscored ones last.
function select(state) {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const criterion = data.criteria.indexOf(state.criterion), score = parseInt(state.score), orLess = state.score.endsWith("-");
  const found = [];
  for (let i = 0; i < size; i++) {
    const c = cases[i];
    if (state.overall && String(c.overall || "unscored") !== state.overall) continue;
    if (state.satisfaction && !(c.overall && tenth(c) === state.satisfaction)) continue;
    if (state.criterion && !(c.overall && (orLess ? c.final[criterion] <= score : c.final[criterion] === score))) continue;
    if (state.file && c.file !== state.file) continue;
    if (c.groups?.some((name, k) => state["g" + k] && name !== state["g" + k])) continue;
    if (only[state.only] && !only[state.only][1](i)) continue;
    if (words.length && !words.every((w) => haystack(i).includes(w))) continue;
    found.push(i);
  }
  const value = values[state.sort] ?? values.satisfaction, way = state.way === "down" ? -1 : 1;
  const unscored = (i) => cases[i].overall ? 0 : 1;
  return found.sort((a, b) => unscored(a) - unscored(b) || (unscored(a) ? 0 : way * (value(a) - value(b)))
    || cases[a].satisfaction - cases[b].satisfaction || cases[a].average - cases[b].average || a - b);
}
