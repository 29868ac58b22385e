// The graph page: filters, the drawing, and what is chosen in it.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const graph = JSON.parse(document.getElementById("graph").textContent);
  const { element, page } = aitia;
  const $ = (id) => document.getElementById(id);
  const MOST_ZOOM = 1.25; // that a small graph is given by itself
  const GROUPS = graph.groups.length;
  const BORDERS = { outcome: "outcome", terminal: "terminal, without effects" };
  const panel = $("panel");
  const open = new Set();
  const state = { focus: null, wanted: -1 };
  let drawing = null;

  const sizes = new Int32Array(GROUPS);
  for (const [, group] of graph.nodes) sizes[group]++;
  const nameOf = (place) => place < 0 ? graph.groups[-1 - place][0] : place < GROUPS ? graph.groups[place][0] : graph.nodes[place - GROUPS][0];
  const idOf = (place) => `n${place}`;
  const said = (name) => graphStyle.SIGNS[name].said;

  // Enough arrows for every group to have one, and few enough to be read.
  $("most").value = Math.min(Math.max(30, Math.round(1.2 * GROUPS)), 180);

  // Filters
  graph.signs.forEach((name, row) => {
    if (!graph.edges.p.includes(row)) return;
    const box = element("input", { type: "checkbox", checked: true, value: row, onchange: draw });
    $("signs").append(element("label", { class: "check" }, box, said(name)));
  });
  for (const name of [...new Set(graph.groups.map(([, category]) => category))].filter(Boolean).sort()) {
    $("category").append(element("option", { value: name }, name.slice(0, 60)));
  }
  function filters() {
    return {
      sure: Number($("sure").value), evidence: Number($("evidence").value),
      signs: new Set([...$("signs").querySelectorAll("input:checked")].map((box) => Number(box.value))),
      category: $("category").value, role: $("role")?.value || "",
    };
  }

  // Elements
  function nodeFor(place, rest) {
    if (place < 0) {
      const label = `${rest.get(-1 - place).toLocaleString()} more`;
      return { data: { id: idOf(place), place, kind: "more", label, width: graphStyle.width(label), parent: `p${-1 - place}` } };
    }
    if (place < GROUPS) {
      const label = graphStyle.label(graph.groups[place][0]);
      return { data: { id: idOf(place), place, kind: "group", role: graph.groups[place][2], label, width: graphStyle.width(label) } };
    }
    const [key, group] = graph.nodes[place - GROUPS];
    const label = graphStyle.label(short(key, graph.groups[group][0]));
    return { data: { id: idOf(place), place, kind: "node", role: graph.groups[group][2], label, width: graphStyle.width(label), parent: `p${group}` } };
  }
  // Inside its metric a variable is called by its entities; what the text leaves open is not said.
  function short(key, metric) {
    if (!key.startsWith(`${metric}(`) || !key.endsWith(")")) return key;
    return key.slice(metric.length + 1, -1).split(", ").filter((name) => name !== "any").join(", ") || "in general";
  }
  function elements() {
    const { sorted, rest, edges, inside } = graphGroups.arrows(graph, filters(), open, state.wanted);
    const chosen = graphGroups.strongest(sorted, Number($("most").value), focusPlaces(rest));
    const places = [...new Set(chosen.flatMap((each) => [each.source, each.target]))];
    if (state.focus !== null && !open.has(state.focus) && !places.includes(state.focus)) places.push(state.focus);
    const parents = [...open].filter((group) => places.some((place) => groupOf(place) === group && (place < 0 || place >= GROUPS)));
    const nodes = [
      ...parents.map((group) => ({ data: { id: `p${group}`, place: group, kind: "open", role: graph.groups[group][2], label: graphStyle.label(graph.groups[group][0]), width: 40 } })),
      ...places.sort((a, b) => a - b).map((place) => nodeFor(place, rest)),
    ];
    const lines = chosen.map((each) => ({ data: {
      id: `e${each.key}`, source: idOf(each.source), target: idOf(each.target), from: each.source, to: each.target,
      ...graphStyle.arrow(graphGroups.sign(graph.signs, each.signs), each.sure, each.evidence, each.count),
    } }));
    $("drawn").textContent = `${chosen.length.toLocaleString()} of ${sorted.length.toLocaleString()} arrows are drawn; all stand for ${edges.toLocaleString()} edges` +
      (inside ? `. ${inside.toLocaleString()} more join ${graph.words.nodes} of one ${graph.words.group} and show when it is open` : "") +
      (graph.left_out ? `; the ${graph.left_out.toLocaleString()} least supported edges are not here` : "");
    return { nodes, lines, names: new Set(lines.map((each) => each.data.sign)) };
  }
  const groupOf = (place) => place < 0 ? -1 - place : place < GROUPS ? place : graph.nodes[place - GROUPS][1];
  function focusPlaces(rest) {
    if (state.focus === null) return null;
    if (!open.has(state.focus)) return new Set([state.focus]);
    if (state.wanted >= 0) return new Set([GROUPS + state.wanted]);
    const inside = new Set(rest.has(state.focus) ? [-1 - state.focus] : []);
    graph.nodes.forEach(([, group], node) => { if (group === state.focus) inside.add(GROUPS + node); });
    return inside;
  }

  function draw() {
    const { nodes, lines, names } = elements();
    $("sure-said").textContent = (Number($("sure").value) / 100).toFixed(2);
    const before = drawing ? new Map(drawing.nodes().map((node) => [node.id(), { ...node.position() }])) : new Map();
    if (!drawing) {
      drawing = graphStyle.start($("drawing"), []);
      listen();
    }
    drawing.batch(() => {
      drawing.elements().remove();
      drawing.add(nodes);
      drawing.add(lines);
    });
    graphStyle.legend($("legend"), Object.keys(graphStyle.SIGNS).filter((name) => names.has(name)),
      Object.entries(BORDERS).filter(([role]) => graph.roles.includes(role)));
    $("fold").disabled = !open.size;
    arrange(before);
  }

  // Places are kept where they were; new ones begin on a circle, in their order, so that the same graph looks the same.
  function arrange(before) {
    const leaves = drawing.nodes().filter((node) => !node.isParent());
    const radius = 40 + leaves.length * 9;
    leaves.forEach((node, row) => {
      const turn = (2 * Math.PI * row) / leaves.length;
      node.position(before.get(node.id()) || before.get(node.data("parent")?.replace("p", "n")) || { x: radius * Math.cos(turn), y: radius * Math.sin(turn) });
    });
    const wide = leaves.reduce((sum, node) => sum + node.data("width"), 0) / Math.max(leaves.length, 1);
    const layered = $("layout").value === "dagre";
    drawing.layout(layered
      ? { name: "dagre", rankDir: "LR", nodeSep: 12, rankSep: 70, edgeSep: 6, fit: true, padding: 24, animate: false }
      : { name: "fcose", randomize: false, quality: "default", animate: false, fit: true, padding: 24, nodeDimensionsIncludeLabels: false,
        idealEdgeLength: 40 + wide * 0.7, nodeRepulsion: 14000, nodeSeparation: 120, numIter: leaves.length > 120 ? 600 : 1500, packComponents: true, tile: true,
        gravity: 0.3, gravityRange: 2 }).run();
    if (!layered && !open.size) {
      graphStyle.spread(leaves.toArray());
      drawing.fit(undefined, 24);
    }
    if (drawing.zoom() > MOST_ZOOM) {
      drawing.zoom(MOST_ZOOM);
      drawing.center();
    }
    if (!document.body.dataset.drawn) {
      // Milliseconds since the page was asked for, at the first frame with the drawing in it.
      requestAnimationFrame(() => setTimeout(() => { document.body.dataset.drawn = Math.round(performance.now()); }));
    }
  }

  // Choosing
  function highlight(chosen) {
    drawing.elements().removeClass("away");
    if (!chosen) return;
    const near = chosen.isEdge() ? chosen.union(chosen.connectedNodes()) : chosen.closedNeighborhood().union(chosen.descendants().closedNeighborhood());
    drawing.elements().difference(near.union(near.ancestors())).addClass("away");
  }
  function listen() {
    drawing.on("tap", (event) => {
      if (event.target === drawing) {
        highlight(null);
        return;
      }
      highlight(event.target);
      if (event.target.isEdge()) showArrow(event.target.data());
      else showPlace(event.target.data("place"), event.target.data("kind"));
    });
    drawing.on("dbltap", "node", (event) => toggle(groupOf(event.target.data("place"))));
  }
  function toggle(group) {
    if (open.has(group)) open.delete(group);
    else open.add(group);
    state.wanted = -1;
    draw();
  }
  const ends = (data) => ({ source: nameOf(data.from), target: nameOf(data.to) });
  async function showArrow(data) {
    await aitia.open(page("edges", ends(data)), panel);
  }
  async function showPlace(place, kind, focus = false) {
    const group = groupOf(place);
    const buttons = element("p", { class: "actions" },
      element("button", { type: "button", onclick: () => { state.focus = group; state.wanted = place >= GROUPS ? place - GROUPS : -1; draw(); } }, "Only its arrows"),
      element("button", { type: "button", onclick: () => { toggle(group); showPlace(group, "group", true); } }, open.has(group) ? `Fold its ${graph.words.nodes}` : `Open its ${sizes[group].toLocaleString()} ${sizes[group] === 1 ? graph.words.node : graph.words.nodes}`));
    if (kind === "node" || !graph.roles.length) {
      panel.replaceChildren(buttons, element("article", {}, element("h1", {}, aitia.named(nameOf(place))), arrowsOf(place)));
      if (focus) buttons.lastChild.focus();
      return;
    }
    await aitia.open(page("metric", { name: graph.groups[group][0] }), panel);
    panel.prepend(buttons);
    if (focus) buttons.lastChild.focus(); // the button that was pressed is gone
  }
  function arrowsOf(place) {
    const { sorted } = graphGroups.arrows(graph, filters(), open, state.wanted);
    const list = element("ul", { class: "list" });
    for (const each of sorted.filter(({ source, target }) => source === place || target === place).slice(0, 60)) {
      const leaves = each.source === place;
      const other = aitia.named(nameOf(leaves ? each.target : each.source), 60);
      const name = graphGroups.sign(graph.signs, each.signs);
      list.append(element("li", {}, element("a", { href: page("edges", { source: nameOf(each.source), target: nameOf(each.target) }), "data-detail": true },
        leaves ? "→ " : "← ", other), element("span", { class: "note" }, ` ${said(name)}${each.count > 1 ? `, ${each.count} edges` : ""}`)));
    }
    return list.children.length ? list : element("p", { class: "note" }, "No arrow under these filters.");
  }

  // Search
  const known = new Map();
  graph.groups.forEach(([name], group) => known.set(name, { group, node: -1 }));
  graph.nodes.forEach(([name, group], node) => { if (!known.has(name)) known.set(name, { group, node }); });
  $("search").addEventListener("input", () => {
    const text = $("search").value.trim().toLowerCase();
    const exact = known.get($("search").value.trim());
    const fits = text ? [...known.keys()].filter((name) => name.toLowerCase().includes(text)).slice(0, 30) : [];
    $("known").replaceChildren(...fits.map((name) => element("option", { value: name.slice(0, 300) })));
    if (exact) find(exact);
  });
  $("search").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const text = $("search").value.trim().toLowerCase();
    const name = [...known.keys()].find((each) => each.toLowerCase().includes(text));
    if (text && name) find(known.get(name));
    else aitia.say(`nothing is called ${text}`);
  });
  function find({ group, node }) {
    state.focus = group;
    state.wanted = node;
    if (node >= 0) open.add(group);
    draw();
    const place = node >= 0 ? GROUPS + node : group;
    const drawn = drawing.getElementById(idOf(place));
    if (drawn.length) {
      drawing.elements().unselect();
      drawn.select();
      highlight(drawn);
    }
    showPlace(place, node >= 0 ? "node" : "group");
  }

  // Controls
  for (const id of ["sure", "evidence", "category", "role", "layout"]) $(id)?.addEventListener("change", draw);
  $("most").addEventListener("change", draw);
  $("sure").addEventListener("input", () => { $("sure-said").textContent = (Number($("sure").value) / 100).toFixed(2); });
  $("whole").addEventListener("click", () => { state.focus = null; state.wanted = -1; open.clear(); $("search").value = ""; draw(); });
  $("fold").addEventListener("click", () => { open.clear(); state.wanted = -1; draw(); });
  const zoom = (factor) => drawing.zoom({ level: drawing.zoom() * factor, renderedPosition: { x: drawing.width() / 2, y: drawing.height() / 2 } });
  $("nearer").addEventListener("click", () => zoom(1.3));
  $("farther").addEventListener("click", () => zoom(1 / 1.3));
  $("fit").addEventListener("click", () => drawing.fit(undefined, 24));
  $("drawing").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step) drawing.panBy({ x: step[0], y: step[1] });
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") drawing.fit(undefined, 24);
    else return;
    event.preventDefault();
  });

  // What to begin with: the groups with the most edges.
  const degrees = new Array(GROUPS).fill(0);
  graph.edges.s.forEach((source, row) => {
    for (const group of new Set([source, graph.edges.t[row]].map((node) => graph.nodes[node][1]))) degrees[group]++;
  });
  const first = degrees.map((edges, group) => ({ edges, group })).filter(({ edges }) => edges).sort((a, b) => b.edges - a.edges || a.group - b.group).slice(0, 8);
  panel.append(element("h2", {}, `The ${graph.words.groups} with the most edges`), element("ul", { class: "list" }, ...first.map(({ edges, group }) =>
    element("li", {}, element("button", { type: "button", class: "plain", onclick: () => find({ group, node: -1 }) }, aitia.named(nameOf(group), 60)),
      element("span", { class: "note" }, ` ${edges.toLocaleString()} ${edges === 1 ? "edge" : "edges"}`)))));

  const asked = new URLSearchParams(location.search).get("find");
  if (asked && known.has(asked)) find(known.get(asked));
  else draw();
  window.aitiaDrawing = drawing;
});
