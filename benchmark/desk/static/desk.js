// Keys, dialogs and the filter of the desk. Everything else is plain forms and links; no text of an answer comes in here.
"use strict";

const KEYS_ARE_OFF = "review-keys-off";
const keys = document.getElementById("keys");
let leaving = false; // one action a page: a second press must not send a form that the first one has made old

function letterOf(event) {
  // On a Hebrew or Russian layout the key with A on it gives another letter: then its place counts.
  if (/^[a-z0-9]$/i.test(event.key)) return event.key.toLowerCase();
  if (event.key === "ArrowRight") return "n";
  if (event.key === "ArrowLeft") return "p";
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code);
  return place && event.key.length === 1 ? place[1].toLowerCase() : "";
}

function open(dialog) {
  dialog.showModal();
  const filter = dialog.querySelector("#filter");
  if (filter) {
    filter.value = "";
    narrow(filter);
    dialog.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
    filter.focus();
  } else if (dialog.id === "change" && !dialog.hasAttribute("data-reopen")) {
    const failed = dialog.querySelectorAll("[data-value=fail]");
    (failed.length === 1 ? failed[0] : dialog).querySelector("input[type=radio]:checked")?.focus();
  } else {
    dialog.querySelector("input[name=reason]")?.focus();
  }
}

function flip(dialog, number) {
  // What it measured, turned; once more turns it back.
  const others = dialog.querySelectorAll(`[data-measure="${number}"] input`);
  if (!others.length) return;
  const now = [...others].findIndex((input) => input.checked);
  others[(now + 1) % others.length].checked = true;
  dialog.querySelector("input[name=reason]").focus();
}

function narrow(filter) {
  const words = filter.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll("#jump li")) {
    const text = item.textContent.toLocaleLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
  for (const section of document.querySelectorAll("#jump section")) section.hidden = !section.querySelector("li:not([hidden])");
}

function isTyping(element) {
  return element.matches("input:not([type=radio]):not([type=checkbox]), textarea, select");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || leaving) return;
  if (isTyping(event.target) || (keys && !keys.checked)) return;
  const dialog = document.querySelector("dialog[open]");
  const letter = letterOf(event);
  const change = document.getElementById("change");
  if (/^[1-9]$/.test(letter) && change?.querySelector(`[data-measure="${letter}"]`) && (!dialog || dialog === change)) {
    event.preventDefault();
    if (!dialog) open(change);
    flip(change, letter);
  } else if (!dialog && letter && !(event.key.startsWith("Arrow") && event.target.closest("[tabindex='0'], input"))) {
    const wanted = document.querySelector(`[data-key="${letter}"]`);
    if (wanted) {
      event.preventDefault();
      wanted.click();
    }
  }
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) open(document.getElementById(opener.dataset.open));
  if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
});

document.addEventListener("submit", (event) => {
  if (leaving) event.preventDefault();
  leaving = true;
});

const filter = document.getElementById("filter");
filter?.addEventListener("input", () => {
  narrow(filter);
  document.querySelector("#jump .list").scrollTop = 0;
});
filter?.addEventListener("keydown", (event) => {
  const first = document.querySelector("#jump li:not([hidden]) a");
  if (event.key === "Enter" && first) first.click();
});

if (keys) {
  keys.checked = localStorage.getItem(KEYS_ARE_OFF) === null;
  keys.addEventListener("change", () => {
    if (keys.checked) localStorage.removeItem(KEYS_ARE_OFF);
    else localStorage.setItem(KEYS_ARE_OFF, "1");
  });
}

async function lookAgain() {
  // Seen again, a tab whose review file has changed since is loaded anew, unless something is being typed in it.
  if (document.hidden || leaving || document.querySelector("dialog[open]")) return;
  const answer = await fetch("/seen").catch(() => null);
  if (answer?.ok && (await answer.json()).seen !== document.body.dataset.seen) location.replace(document.body.dataset.here);
}
// A form that was refused stands at its own address: loaded anew, the page is to be shown, not the form sent again.
history.replaceState(null, "", document.body.dataset.here + location.hash);
if (document.querySelector("header")) {
  document.addEventListener("visibilitychange", lookAgain);
  window.addEventListener("focus", lookAgain);
}

const again = document.querySelector("dialog[data-reopen]");
if (again) open(again);
