// Puts it all on the page, in place of what is shown without scripts.
document.getElementById("static").remove();
const follow = list(document.getElementById("list"));
fold();
follow(location.hash);
addEventListener("hashchange", () => follow(location.hash));
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
