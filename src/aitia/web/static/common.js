// What every page has: text into elements, calls of the server, what was said, and details in place.
"use strict";

const aitia = (() => {
  const root = document.documentElement;
  root.classList.add("js");
  const index = () => document.body.dataset.index;
  const page = (slug, parameters = {}) =>
    `/index/${encodeURIComponent(index())}/${slug}?${new URLSearchParams(parameters)}`;
  const rest = (path, name = index()) => `/api/${encodeURIComponent(name)}/${path}`;

  // An element of a name, attributes and children; a text is never read as markup.
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === false || value === null || value === undefined) continue;
      if (key === "class") made.className = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  // A name of others: isolated from the direction of its surroundings, cut where long.
  function named(text, most = 90) {
    const made = element("bdi", {}, text.length > most ? `${text.slice(0, most)}…` : text);
    if (text.length > most) made.title = text.slice(0, 2000);
    return made;
  }

  function say(text, seconds = 6) {
    const line = element("p", {}, named(text, 400));
    document.getElementById("said").replaceChildren(line);
    setTimeout(() => line.remove(), seconds * 1000);
  }

  async function answered(response) {
    if (response.ok) return response;
    if (response.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
    let line = `the server answered ${response.status}`;
    try {
      line = (await response.json()).error || line;
    } catch {
      // Not JSON: the status says it.
    }
    throw new Error(line);
  }

  async function send(address, body, signal) {
    const token = document.querySelector("meta[name=csrf-token]").content;
    try {
      return await answered(await fetch(address, {
        method: "POST", signal, keepalive: body.decisions !== undefined, body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
      }));
    } catch (error) {
      if (error instanceof TypeError) throw new Error("the server cannot be reached; is it still running?");
      throw error;
    }
  }

  const post = async (path, body) => (await send(rest(path), body)).json();

  // The <article> of a page of details, to be shown in place.
  async function detail(address) {
    const response = await fetch(address);
    const text = await response.text();
    const parsed = new DOMParser().parseFromString(text, "text/html");
    const article = parsed.getElementById("detail");
    if (!article) throw new Error(parsed.querySelector("[role=alert]")?.textContent || `the server answered ${response.status}`);
    article.removeAttribute("id");
    return document.adoptNode(article);
  }

  let shown = null;
  let opener = null;
  function dialog(title, ...content) {
    if (!shown) {
      shown = element("dialog", { "aria-labelledby": "dialog-title" });
      shown.addEventListener("click", (event) => { if (event.target === shown) shown.close(); });
      shown.addEventListener("close", () => { if (opener?.isConnected) opener.focus(); opener = null; });
      document.body.append(shown);
    }
    if (!shown.open) opener = document.activeElement;
    const inside = element("div", { class: "inside" }, ...content);
    shown.replaceChildren(
      element("div", { class: "head" }, element("span", { id: "dialog-title" }, title),
        element("button", { type: "button", onclick: () => shown.close() }, "Close")), inside);
    if (!shown.open) shown.showModal();
    shown.scrollTop = 0;
    return { box: shown, inside, close: () => shown.close() };
  }

  async function open(address, into) {
    try {
      const article = await detail(address);
      const marked = () => article.querySelector("#marked")?.scrollIntoView({ block: "center" });
      if (into) {
        into.replaceChildren(article);
        into.scrollTop = 0;
      } else dialog(article.querySelector(".passage") ? "Passage" : "Details", article);
      marked();
      article.dispatchEvent(new CustomEvent("aitia:detail", { bubbles: true }));
    } catch (error) {
      say(error.message);
    }
  }

  // A link to a detail opens in place; with a modifier, or without JavaScript, it is a page of its own.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-detail]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const panel = link.closest("[data-panel]");
    open(link.href, panel && !link.search.includes("chunk=") ? panel : null);
  });

  document.addEventListener("click", (event) => {
    for (const each of document.querySelectorAll("details.indexes[open]")) {
      if (!each.contains(event.target)) each.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelector("details.indexes[open]")?.removeAttribute("open");
  });

  // Who decides, remembered by this browser.
  const author = {
    get: () => localStorage.getItem("aitia:author") || "",
    set: (name) => localStorage.setItem("aitia:author", name.trim()),
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("input[data-author]")) {
      field.value = author.get();
      field.addEventListener("change", () => author.set(field.value));
    }
    for (const each of document.querySelectorAll("[data-js]")) each.hidden = false;
    document.getElementById("detail")?.dispatchEvent(new CustomEvent("aitia:detail", { bubbles: true }));
  });

  const decide = (action, kind, target, value = {}, reason = "") =>
    post("curation/decisions", { action, kind, target, value, reason, author: author.get() });
  const decideAll = (decisions) =>
    post("curation/decisions/all", { decisions: decisions.map((each) => ({ value: {}, reason: "", ...each, author: author.get() })) });

  // Edges shown in a detail can be decided where they are read.
  document.addEventListener("aitia:detail", (event) => {
    for (const each of event.target.querySelectorAll(".decide")) each.hidden = false;
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-edge] button[data-act]");
    if (!button) return;
    const key = button.closest("[data-edge]").dataset.edge;
    try {
      const kept = await decide(button.dataset.act, "edge", key);
      say(`${button.textContent}: kept as ${kept.id}, and waits to be applied`);
      for (const each of button.parentElement.children) each.disabled = true;
    } catch (error) {
      say(error.message);
    }
  });

  const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
  return { element, named, say, send, post, rest, page, detail, dialog, open, decide, decideAll, author, colour };
})();
