"use strict";
// Search and filters over the effects. Without this the page reads the same, all of it.
const by = (id) => document.getElementById(id);
const filters = by("filters");
const groups = [...document.querySelectorAll(".group")].map((element) => ({
  element,
  categories: JSON.parse(element.dataset.category),
  roles: element.dataset.role.split(" "),
  edges: [...element.querySelectorAll(".edge")].map((edge) => ({
    element: edge,
    polarity: edge.dataset.polarity,
    confidence: Number(edge.dataset.confidence),
    verbatim: "verbatim" in edge.dataset,
  })),
}));
const total = groups.reduce((sum, group) => sum + group.edges.length, 0);

// The words of an effect, read once, when somebody searches.
const wordsOf = (edge) => (edge.words ??= edge.element.textContent.toLowerCase());

function apply() {
  const words = by("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const category = by("category").value;
  const role = by("role").value;
  const polarity = by("polarity").value;
  const least = Number(by("confidence").value) || 0;
  const verbatim = by("verbatim").checked;
  let shown = 0;
  for (const group of groups) {
    const fits = (!category || group.categories.includes(category)) && (!role || group.roles.includes(role));
    let left = 0;
    for (const edge of group.edges) {
      const kept =
        fits &&
        (!polarity || edge.polarity === polarity) &&
        edge.confidence >= least &&
        (!verbatim || edge.verbatim) &&
        words.every((word) => wordsOf(edge).includes(word));
      edge.element.hidden = !kept;
      left += kept;
    }
    group.element.hidden = !left;
    if (words.length && left) group.element.open = true;
    shown += left;
  }
  const number = (value) => value.toLocaleString("en");
  by("count").textContent = `${number(shown)} of ${number(total)} effects`;
}

function openAll(open) {
  for (const { element } of groups) if (!open || !element.hidden) element.open = open;
}

let timer;
const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(apply, 150);
};
by("search").addEventListener("input", soon);
by("confidence").addEventListener("input", soon);
for (const id of ["category", "role", "polarity", "verbatim"]) by(id).addEventListener("change", apply);
by("open").addEventListener("click", () => openAll(true));
by("close").addEventListener("click", () => openAll(false));
filters.hidden = !total;
apply();
