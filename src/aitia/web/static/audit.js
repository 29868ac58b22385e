// The audit queue by keyboard: one item at a time, decided and undone where it stands.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const items = [...document.querySelectorAll(".item")];
  const links = [...document.querySelectorAll("#todo a")];
  if (!items.length) return;
  const made = []; // What was decided in this visit, the latest last: { row, decisions, ids once they are kept }
  let unsent = [];
  let sending = null;
  const queue = document.getElementById("audit");
  let current = 0;
  const agreement = document.getElementById("agreement");
  const counts = { ...Object.fromEntries(["decided", "agreed", "left"].map((name) => [name, Number(agreement.dataset[name])])), waiting: Number(document.getElementById("waiting-count").textContent) };
  const progress = document.getElementById("progress");

  function show(row, focus = true) {
    current = Math.max(0, Math.min(items.length - 1, row));
    items.forEach((item, at) => item.classList.toggle("current", at === current));
    links.forEach((link, at) => at === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
    const list = document.getElementById("todo");
    const top = links[current].offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + links[current].offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
    if (!focus) return;
    history.replaceState(null, "", `#item-${current + 1}`);
    items[current].focus({ preventScroll: true });
    if (items[current].getBoundingClientRect().top < 0) items[current].scrollIntoView();
  }
  const isOpen = (row) => !items[row].dataset.done;
  function next() {
    for (let step = 1; step <= items.length; step++) {
      const row = (current + step) % items.length;
      if (isOpen(row)) return show(row);
    }
    aitia.say("Everything on this page is decided.");
  }

  function mark(row, words) {
    const item = items[row];
    const done = Boolean(words);
    if (done) item.dataset.done = "true";
    else delete item.dataset.done;
    item.querySelector(".outcome").textContent = done ? `${words}. It waits to be applied.` : "";
    item.querySelector("[data-act=undo]").hidden = !done;
    for (const name of ["accept", "reject", "flip", "edit"]) {
      const button = item.querySelector(`[data-act=${name}]`);
      if (button) button.disabled = done;
    }
    links[row].classList.toggle("done", done);
    links[row].querySelector(".note").dataset.why ??= links[row].querySelector(".note").textContent;
    links[row].querySelector(".note").textContent = done ? `✓ ${words}` : links[row].querySelector(".note").dataset.why;
  }
  const agrees = ({ row, decisions }) => decisions.at(-1).action === (items[row].dataset.topic === "rejected" ? "reject" : "accept");
  function count(entry, step) {
    counts.decided += step;
    counts.left -= step;
    counts.waiting += step * entry.decisions.length;
    if (agrees(entry)) counts.agreed += step;
    progress.value = counts.decided;
    document.getElementById("decided").textContent = counts.decided.toLocaleString("en");
    document.getElementById("left").textContent = counts.left.toLocaleString("en");
    agreement.textContent = counts.decided
      ? `You agreed with the machine on ${counts.agreed} of ${counts.decided} (${Math.round((100 * counts.agreed) / counts.decided)}%).`
      : "Agreement is shown once something is decided.";
    for (const tag of document.querySelectorAll("a[data-topic] span")) {
      const { topic } = tag.parentElement.dataset;
      if (!topic || topic === items[entry.row].dataset.topic) tag.textContent = Number(tag.textContent) - step;
    }
    document.getElementById("waiting-count").textContent = counts.waiting;
    document.getElementById("waiting").hidden = counts.waiting < 1;
  }

  // A decision is shown at once and kept behind it, several together if they come faster than they are kept.
  function keep(row, decisions, words) {
    const item = items[row];
    const reason = item.querySelector(".reason").value.trim();
    item.querySelector(".problem").hidden = true;
    const entry = { row, ids: null, decisions: decisions.map((each) => ({ ...each, reason })) };
    made.push(entry);
    unsent.push(entry);
    mark(row, words);
    count(entry, 1);
    sending ??= sendAll();
  }
  async function sendAll() {
    queue.dataset.pending = "true";
    while (unsent.length) {
      const batch = unsent;
      unsent = [];
      try {
        await sendOne(batch);
      } catch (error) {
        // All or none: one that cannot be must not take the others with it.
        for (const entry of batch) await sendOne([entry]).catch((problem) => refuse(entry, problem));
      }
    }
    sending = null;
    delete queue.dataset.pending;
  }
  async function sendOne(batch) {
    const kept = await aitia.decideAll(batch.flatMap((entry) => entry.decisions));
    const ids = kept.decisions.map((each) => each.id);
    for (const entry of batch) entry.ids = ids.splice(0, entry.decisions.length);
  }
  function refuse(entry, error) {
    made.splice(made.indexOf(entry), 1);
    mark(entry.row, "");
    count(entry, -1);
    const problem = items[entry.row].querySelector(".problem");
    problem.textContent = error.message;
    problem.hidden = false;
    // The person may be at another item by now, and stays there.
    aitia.say(`Not kept: ${error.message}`, 10);
    links[entry.row].querySelector(".note").textContent = "! not kept";
  }
  window.addEventListener("pagehide", () => {
    if (unsent.length) aitia.decideAll(unsent.flatMap((entry) => entry.decisions));
  });

  const WORDS = { accept: "Accepted", add: "Added", reject: "Rejected", flip: "Flipped" };
  function act(name) {
    const row = current;
    const item = items[row];
    if (!isOpen(row)) return;
    if (["edit", "flip"].includes(name) && !("isEdge" in item.dataset)) {
      aitia.say(`Only an edge of the graph can be ${name === "edit" ? "edited" : "flipped"}; add this one first, or go on with j.`);
      return;
    }
    if (name === "edit") {
      edit(row);
      return;
    }
    const said = JSON.parse(item.dataset.decisions)[name] || [{ action: name, kind: "edge", target: item.dataset.target }];
    // A role that was given with an earlier item of this visit is not given again.
    const given = made.flatMap((entry) => entry.decisions).filter((each) => each.action === "role").map((each) => each.target);
    keep(row, said.filter((each) => each.action !== "role" || !given.includes(each.target)), WORDS[said.at(-1).action]);
    next();
  }

  let undoing = false;
  async function undo() {
    if (undoing) return;
    const last = made.pop();
    if (!last) {
      aitia.say("Nothing of this visit is left to undo; older decisions are in the history.");
      return;
    }
    mark(last.row, "");
    count(last, -1);
    show(last.row);
    if (unsent.includes(last)) {
      unsent = unsent.filter((entry) => entry !== last);
      return;
    }
    undoing = true;
    queue.dataset.pending = "true";
    try {
      await sending;
      if (last.ids) await aitia.decideAll([...last.ids].reverse().map((id) => ({ action: "undo", kind: last.decisions[0].kind, target: id })));
    } catch (error) {
      aitia.say(`Not undone: ${error.message}`, 10);
    } finally {
      undoing = false;
      if (!sending) delete queue.dataset.pending;
    }
  }

  function edit(row) {
    const item = items[row];
    const value = JSON.parse(item.dataset.value);
    const { element } = aitia;
    const mechanism = element("textarea", { id: "edit-mechanism", rows: 3 });
    mechanism.value = value.mechanism || "";
    const polarity = element("select", { id: "edit-polarity" }, ...queue.dataset.polarities.split(",")
      .map((name) => element("option", { selected: name === value.polarity }, name)));
    const confidence = element("input", { id: "edit-confidence", type: "number", min: 0, max: 1, step: 0.01, value: value.confidence ?? 1 });
    const problem = element("p", { class: "problem", role: "alert" });
    const form = element("form", { class: "edit" },
      element("div", { class: "field" }, element("label", { for: "edit-mechanism" }, "Mechanism"), mechanism),
      element("div", { class: "field" }, element("label", { for: "edit-polarity" }, "Sign"), polarity),
      element("div", { class: "field" }, element("label", { for: "edit-confidence" }, "Confidence, 0 to 1"), confidence),
      problem,
      element("div", { class: "actions" }, element("button", { class: "main" }, "Keep")));
    const dialog = aitia.dialog("Edit the edge", form);
    mechanism.focus();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const now = { mechanism: mechanism.value.trim(), polarity: polarity.value, confidence: Number(confidence.value) };
      const changed = Object.keys(now).filter((name) => now[name] !== (value[name] ?? (name === "mechanism" ? "" : undefined)));
      if (!changed.length) { problem.textContent = "Nothing was changed."; return; }
      const decisions = changed.map((name) => ({ action: "edit", kind: "edge", target: item.dataset.target, value: { field: name, to: now[name] } }));
      dialog.close();
      keep(row, decisions, "Edited");
      next();
    });
  }

  function help() {
    const rows = [["a", "accept"], ["r", "reject"], ["f", "flip the direction"], ["e", "edit mechanism, sign, confidence"], ["c", "write a reason first"],
      ["j", "next"], ["k", "previous"], ["n", "next that is open"], ["o", "open the first passage"], ["u", "undo the last decision of this visit"], ["?", "this list"]];
    aitia.dialog("Keys", aitia.element("dl", { class: "pairs" }, ...rows.flatMap(([key, what]) =>
      [aitia.element("dt", {}, aitia.element("kbd", {}, key)), aitia.element("dd", {}, what)])));
  }

  const keys = {
    a: () => act("accept"), r: () => act("reject"), f: () => act("flip"), e: () => act("edit"), u: undo,
    j: () => show(current + 1), k: () => show(current - 1), n: next,
    c: () => items[current].querySelector(".reason").focus(), o: () => items[current].querySelector("a[data-detail]")?.click(), "?": help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea, select")) {
      if (event.key === "Escape" || (event.key === "Enter" && event.target.classList.contains("reason"))) items[current].focus();
      return;
    }
    const does = keys[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".keys button");
    if (button) {
      const name = button.dataset.act;
      ({ next: keys.n, undo: keys.u, help: keys["?"] }[name] || (() => act(name)))();
    }
    const link = event.target.closest?.("#todo a");
    if (link) {
      event.preventDefault();
      show(links.indexOf(link));
    }
  });
  const asked = Number(location.hash.replace("#item-", "")) - 1;
  show(asked >= 0 && asked < items.length ? asked : 0, false);
  items[current].focus({ preventScroll: true });
});
