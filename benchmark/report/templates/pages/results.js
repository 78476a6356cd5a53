// The filter of a results page. Without it the page is complete: this only hides questions, and keeps the choice in the
// address, so that a view can be linked.
"use strict";
const form = document.getElementById("filter");
const output = form.querySelector("output");
const cards = [...document.querySelectorAll(".card")];
const groups = [...document.querySelectorAll(".group")];
const fields = [...form.elements].filter((element) => element.name);
const texts = new Map(); // a question's words, folded once, when words are first looked for

const folded = (text) => text.normalize("NFKC").toLowerCase();

function words(card) {
  if (!texts.has(card)) texts.set(card, folded(card.textContent));
  return texts.get(card);
}

const has = (list, name) => list.split(" ").includes(name);

// With a measure chosen, "failed" and "passed" are that measure's.
function fits(card, chosen) {
  const { site, language, kind, labels, failed, passed } = card.dataset;
  const { measure, outcome, q } = chosen;
  const own = { failed, passed };
  return (
    (!chosen.site || chosen.site === site) &&
    (!chosen.language || chosen.language === language) &&
    (!chosen.kind || chosen.kind === kind) &&
    (!measure || has(`${failed} ${passed}`, measure)) &&
    (!outcome || (measure && outcome in own ? has(own[outcome], measure) : has(labels, outcome))) &&
    (!q || folded(q).split(/\s+/).every((word) => words(card).includes(word)))
  );
}

function apply() {
  const chosen = Object.fromEntries(fields.map((field) => [field.name, field.value.trim()]));
  let shown = 0;
  for (const card of cards) {
    card.hidden = !fits(card, chosen);
    shown += !card.hidden;
  }
  for (const group of groups) group.hidden = !group.querySelector(".card:not([hidden])");
  output.textContent = output.dataset.text.replace("{shown}", shown).replace("{all}", cards.length);
}

function write() {
  const query = new URLSearchParams(fields.filter((field) => field.value.trim()).map((field) => [field.name, field.value.trim()]));
  const address = `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`;
  history.replaceState(null, "", address);
}

function read() {
  const query = new URLSearchParams(location.search);
  for (const field of fields) {
    field.value = query.get(field.name) ?? "";
    if (field.selectedIndex === -1) field.value = "";
  }
}

// A link to a question always leads there, whatever was filtered.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.hidden) return;
  form.reset();
}

form.addEventListener("input", () => { write(); apply(); });
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => {
  write();
  apply();
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}));
addEventListener("hashchange", reveal);
addEventListener("popstate", () => { read(); apply(); });
form.hidden = false;
read();
apply();
reveal();
