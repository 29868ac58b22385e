// Asking: the answer streams in, then its evidence and how it was found.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { element, named, page } = aitia;
  const $ = (id) => document.getElementById(id);
  const index = document.body.dataset.index;
  let running = null;

  function evidence(found, asked) {
    const rows = found.contexts.map((text, row) => {
      const [start, end] = found.spans[row];
      return element("li", { id: `e-${row + 1}` },
        element("p", { class: "head" }, element("span", { class: "rank" }, String(row + 1)), " ",
          element("a", { href: answers.passage(index, found.chunks[row], start, end), "data-detail": true }, named(found.citations[row], 80)), " ",
          element("a", { class: "note", href: page("why", { ...asked, chunk: found.chunks[row] }), "data-detail": true }, "why?")),
        element("p", { class: "text" }, named(text.replace(/^# |^#{2,4} /gm, (marks, at) => at && marks === "# " ? marks : "").replace(/\n\n+/g, "\n"), 1200)));
    });
    const notes = [];
    if (!found.matched) notes.push(element("p", { class: "notice warn" }, "Nothing in the corpus shares a word with the question or is near it in meaning."));
    else if (!found.graph_matched) notes.push(element("p", { class: "notice" }, "The graph had no match; this is what the text alone gives."));
    const list = element("ol", { class: "evidence" }, ...rows);
    const folded = !found.matched && rows.length ? element("details", {}, element("summary", {}, "What was found all the same"), list) : list;
    $("evidence").replaceChildren(...notes, folded);
  }

  async function ask() {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const asked = { q: $("q").value.trim(), retrieval: $("retrieval").value, budget: $("budget").value };
    for (const name of Object.keys(asked)) $("why").elements[name].value = asked[name];
    $("result").hidden = false;
    $("answer-part").hidden = false;
    $("answer-note").textContent = "";
    $("trace-part").hidden = $("to-trace").hidden = true;
    $("stop").hidden = false;
    const began = performance.now();
    try {
      const body = { question: asked.q, retrieval: asked.retrieval, budget_words: Number(asked.budget), explain: true };
      if ($("rules")?.checked) body.analyst = "rules";
      const answer = await answers.ask(index, body, $("answer"), signal);
      const notes = [`${((performance.now() - began) / 1000).toFixed(1)} s`];
      if (!answer.sufficient) notes.push("the evidence does not suffice for more");
      if (answer.dropped.length) notes.push(`citations that stood for nothing were dropped: ${answer.dropped.join(", ")}`);
      if (answer.uncited) notes.push(`${answer.uncited} ${answer.uncited === 1 ? "sentence" : "sentences"} without a citation`);
      $("answer-note").textContent = notes.join(" · ");
      evidence(answer.retrieval, asked);
      const trace = answer.retrieval.trace;
      // A drawing needs its place to have a size.
      $("trace-part").hidden = false;
      if (!trace || !answer.retrieval.matched || !traceView.show($("trace"), trace, answer.retrieval.chunk_ids.flat())) $("trace-part").hidden = true;
      $("to-trace").hidden = $("trace-part").hidden;
      document.body.dataset.answered = asked.q;
    } catch (error) {
      if (error.name === "AbortError") $("answer-note").textContent = "Stopped.";
      else {
        $("answer").replaceChildren();
        $("answer-note").replaceChildren(element("span", { class: "problem", role: "alert" }, error.message));
      }
    } finally {
      if (running?.signal === signal) $("stop").hidden = true;
    }
  }

  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    history.pushState(null, "", page("ask", { q: $("q").value.trim(), retrieval: $("retrieval").value, budget: $("budget").value }));
    ask();
  });
  $("stop").addEventListener("click", () => running?.abort());
  window.addEventListener("popstate", () => location.reload());
  $("why").addEventListener("submit", (event) => {
    event.preventDefault();
    aitia.open(page("why", Object.fromEntries(new FormData($("why")))));
  });
  // The form of an explanation is shown in a dialog too.
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("dialog") || !event.target.action.includes("/why")) return;
    event.preventDefault();
    aitia.open(page("why", Object.fromEntries(new FormData(event.target))));
  });
  if ($("q").value.trim()) ask();
  else $("q").focus();
});
