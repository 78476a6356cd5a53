// The chat on a site's pages. Everything that was typed or answered is put in as text, never as markup.
"use strict";
(() => {
  const chat = document.getElementById("chat");
  if (!chat) return;
  const log = chat.querySelector(".log");
  const form = chat.querySelector("form");
  const input = form.elements.namedItem("question");
  const button = form.querySelector("button");

  const add = (parent, name, text, className) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (className) element.className = className;
    return parent.appendChild(element);
  };

  const say = (speaker, text, className) => {
    const entry = add(log, "div", "", className);
    add(entry, "p", speaker, "speaker");
    const body = add(entry, "p", text, "text");
    body.dir = "auto";
    log.scrollTop = log.scrollHeight;
    return entry;
  };

  // A source's public address, on the server that this page came from.
  const localLink = (address) => {
    const url = new URL(address, location.origin);
    return new URL(url.pathname + url.search, location.origin);
  };

  const nameOf = (link) => {
    const known = [...document.querySelectorAll("nav a")].find((item) => item.pathname === link.pathname);
    return known ? known.textContent : decodeURI(link.pathname);
  };

  const addSources = (entry, sources) => {
    if (!sources.length) return;
    add(entry, "p", chat.dataset.sources, "speaker");
    const list = add(entry, "ul", "");
    for (const source of sources) {
      const link = localLink(source.sourceUrl);
      const anchor = add(add(list, "li", ""), "a", nameOf(link));
      anchor.href = link.href;
      anchor.title = source.snippet;
    }
  };

  const ask = async (question) => {
    const response = await fetch("/v1/query/ask", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Site-Id": chat.dataset.site,
        "X-Widget-Key": chat.dataset.key,
      },
      body: JSON.stringify({ question, pageUrl: document.querySelector("link[rel=canonical]").href }),
    });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };

  const submit = async () => {
    const question = input.value.trim();
    if (!question || button.disabled) return;
    input.value = "";
    button.disabled = true;
    say(chat.dataset.you, question, "from-visitor");
    const entry = say(chat.dataset.assistant, chat.dataset.thinking, "from-site");
    const text = entry.querySelector(".text");
    try {
      const answer = await ask(question);
      text.textContent = answer.answer;
      addSources(entry, answer.sources);
    } catch {
      text.textContent = chat.dataset.failed;
    }
    button.disabled = false;
    log.scrollTop = log.scrollHeight;
    input.focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  chat.addEventListener("toggle", () => chat.open && input.focus());
  chat.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    chat.open = false;
    chat.querySelector("summary").focus();
  });
  chat.parentElement.hidden = false;

  // Not the chat's business, but the pages have no other script: a table that scrolls must be reachable by keyboard.
  for (const table of document.querySelectorAll("main table")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  }
})();
