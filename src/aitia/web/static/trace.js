// How evidence was found: the walk in words, and of a causal graph as a drawing.
"use strict";

const traceView = (() => {
  const { element, named, page } = aitia;
  const MOST = 8;
  const MOST_EDGES = 16;
  const item = (text, note) => element("li", {}, named(text, 120), note ? element("span", { class: "note" }, ` ${note}`) : null);
  function list(title, rows, most = MOST) {
    if (!rows.length) return null;
    const made = element("ul", { class: "list" }, ...rows.slice(0, most));
    const all = [element("h3", {}, title), made];
    if (rows.length > most) all.push(element("details", {}, element("summary", {}, `${rows.length - most} more`), element("ul", { class: "list" }, ...rows.slice(most))));
    return element("div", {}, ...all);
  }

  function causal(trace) {
    const hops = trace.reach.share_by_hop.map((share, hop) => `${hop + 1}: ${Math.round(share * 100)} %`).join(", ");
    return [
      list("Matches", trace.matches.map((each) => item(each.variable, `cosine ${each.cosine.toFixed(2)}`))),
      element("div", {}, element("h3", {}, "Hops"), element("p", {}, `${trace.reach.variables.toLocaleString()} variables and ${trace.reach.edges.toLocaleString()} edges are within reach; share of all variables after hop ${hops}.`)),
      list("Cones: what the question is about ends in", trace.cones.kept.map((each) => item(each.outcome, `${each.convergence} of the matches ${each.convergence === 1 ? "leads" : "lead"} there, through ${each.variables.toLocaleString()} ${each.variables === 1 ? "variable" : "variables"}`))),
    ];
  }
  function chains(trace) {
    const told = (each) => each.path.flatMap((name, at) => at ? [` ${each.relations[at - 1]} → `, named(name, 60)] : [named(name, 60)]);
    return [
      list("Causal chains", (trace.causal_paths || []).map((each) => element("li", {}, element("b", {}, `${each.name} `), ...told(each), element("span", { class: "note" }, ` ${each.evidence_documents.join(", ")}`)))),
      list("Chains that do not hold", (trace.spurious || []).map((each) => element("li", {}, ...told(each), element("span", { class: "note" }, ` ${each.reason}`))), 3),
      list("Where the search began", (trace.seeds || []).map((each) => item(each.entity || each.module, `similarity ${each.similarity.toFixed(2)}`))),
      trace.search ? element("p", {}, `${trace.search.nodes} nodes reached, ${trace.search.passages} passages; stopped by ${trace.search.stopped}.`) : null,
    ];
  }
  function queries(trace) {
    const row = (each) => element("li", {}, element("a", { href: page("passage", { chunk: each.chunk }), "data-detail": true }, named(each.question || each.answer, 160)),
      element("span", { class: "note" }, ` ${each.place}, cosine ${each.cosine.toFixed(2)}`));
    return [list("Nearest to the question", trace.queries.map(row)), list("Reached from them", (trace.reached || []).map(row), 4)];
  }

  // Matches and the edges that the chosen passages speak for, causes left and effects right.
  async function draw(into, trace, chunks) {
    const starts = new Set(trace.matches.map((each) => each.variable));
    const said = chunks.flatMap((chunk) => trace.chunks[chunk]?.edges || []).map((edge) => [edge, edge.split(" -> ")]);
    const far = ([, ends]) => !ends.some((name) => starts.has(name));
    const pairs = new Map(said.sort((a, b) => far(a) - far(b)).slice(0, 60));
    for (const edge of [...pairs.keys()].slice(MOST_EDGES)) pairs.delete(edge);
    if (!pairs.size || !window.cytoscape) return;
    const found = await Promise.all([...pairs.values()].map(([source, target]) =>
      fetch(aitia.rest(`graph/edge?${new URLSearchParams({ source, target })}`)).then((response) => response.ok ? response.json() : null)));
    const ends = new Set(trace.cones.kept.map((each) => each.outcome));
    const names = [...new Set([...pairs.values()].flat())].sort();
    const nodes = names.map((name) => ({ data: { id: `v${names.indexOf(name)}`, name, label: graphStyle.label(name), width: graphStyle.width(graphStyle.label(name)),
      kind: starts.has(name) ? "start" : "node", role: ends.has(name.split("(")[0]) ? "outcome" : "" } }));
    const lines = found.filter(Boolean).map((edge) => ({ data: { id: `${edge.source}>${edge.target}`, source: `v${names.indexOf(edge.source)}`, target: `v${names.indexOf(edge.target)}`,
      from: edge.source, to: edge.target, ...graphStyle.arrow(edge.polarity, Math.round(edge.confidence * 100), edge.evidence.length, 1) } }));
    const box = element("div", { class: "sketch", role: "img", "aria-label": `The matches and the edges of the chosen passages: ${[...pairs.keys()].slice(0, 6).join("; ")}` });
    const legend = element("p", { class: "legend note" });
    into.prepend(box, legend);
    const drawing = graphStyle.start(box, [...nodes, ...lines]);
    drawing.layout({ name: "dagre", rankDir: "LR", nodeSep: 10, rankSep: 60, padding: 16, animate: false }).run();
    // As high as what is drawn, as long as that is not higher than its place.
    const size = drawing.elements().boundingBox();
    box.style.height = `${Math.min(box.clientHeight, Math.ceil(size.h * Math.min(1.2, (box.clientWidth - 32) / size.w)) + 36)}px`;
    drawing.resize();
    drawing.fit(undefined, 16);
    if (drawing.zoom() > 1.2) { drawing.zoom(1.2); drawing.center(); }
    drawing.userZoomingEnabled(false);
    drawing.on("tap", "edge", (event) => aitia.open(page("edges", { source: event.target.data("from"), target: event.target.data("to") })));
    drawing.on("tap", "node", (event) => location.assign(page("graph", { find: event.target.data("name") })));
    graphStyle.legend(legend, [...new Set(lines.map((each) => each.data.sign))]);
    legend.prepend(element("span", { class: "key" }, element("span", { class: "tag strong" }, "filled"), "named in the question"));
  }

  function show(into, trace, chunks) {
    const parts = trace.cones ? causal(trace) : trace.queries ? queries(trace) : trace.seeds || trace.causal_paths ? chains(trace) : [];
    const said = parts.filter(Boolean);
    into.replaceChildren(element("div", { class: "halves" }, ...said));
    if (trace.cones) draw(into, trace, chunks);
    return said.length > 0;
  }
  return { show };
})();
