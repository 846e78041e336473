// What all parts share: the data, elements, numbers, and the places where charts are drawn.
// Whatever stems from a dialogue reaches the page as text only.
const data = JSON.parse(document.getElementById("data").textContent);

// make builds an element. Children are elements or text.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const count = (n) => n.toLocaleString("en-US");
const counted = (n, what) => count(n) + " " + what + (n === 1 ? "" : "s");
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(part && part < whole / 1000 ? 2 : 0) + " %" : "–";
const sum = (list) => list.reduce((a, b) => a + b, 0);
const short = (v) => v == null ? "–" : v.toFixed(2).replace(/^(-?)0\./, "$1.");

// draw puts a chart into its place, and again whenever the place has another width. Plot's own style sheet is left out:
// the policy of the page lets no other style in, and page.css says the same.
function draw(id, chart) {
  const place = document.getElementById(id);
  if (!place) return;
  place.hidden = false;
  let drawn = 0;
  const again = () => {
    const width = Math.floor(place.clientWidth);
    if (width < 150 || width === drawn) return; // narrower only while the layout is not settled
    drawn = width;
    const svg = chart(width);
    svg.querySelector("style")?.remove();
    for (const g of svg.querySelectorAll("g[aria-label]")) g.removeAttribute("aria-label"); // a group without a role has no name
    place.replaceChildren(svg);
  };
  again();
  new ResizeObserver(() => requestAnimationFrame(again)).observe(place);
}

// key writes what the colours stand for above a chart.
function key(id, entries) {
  const place = document.getElementById(id);
  if (!place) return;
  place.before(make("ul", {class: "key", "aria-hidden": "true"},
    ...entries.map(([swatch, name]) => make("li", {}, make("i", {class: swatch}), name))));
}
