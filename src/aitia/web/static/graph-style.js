// How a graph looks: direction by an arrow, sign by its head, dashes and colour, confidence by width.
"use strict";

const graphStyle = (() => {
  const SIGNS = {
    positive: { head: "triangle", line: "solid", colour: "positive", said: "raises" },
    negative: { head: "tee", line: "solid", colour: "negative", said: "lowers" },
    mixed: { head: "diamond", line: "solid", colour: "text", said: "raises and lowers" },
    unclear: { head: "vee", line: "dashed", colour: "unclear", said: "affects" },
    none: { head: "square", line: "dotted", colour: "unclear", said: "no effect" },
    causal: { head: "triangle", line: "solid", colour: "positive", said: "causes" },
    negated: { head: "square", line: "dotted", colour: "unclear", said: "denied" },
    related: { head: "vee", line: "dashed", colour: "unclear", said: "is related to" },
  };
  const FONT = 13;
  const MOST = 30;
  const pen = document.createElement("canvas").getContext("2d");

  // On a canvas: cut, on one line, and isolated from what stands beside it.
  function label(text) {
    const line = text.replace(/\s+/g, " ");
    return `\u2068${line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line}\u2069`;
  }
  function width(text) {
    pen.font = `${FONT}px system-ui, sans-serif`;
    return Math.min(Math.ceil(pen.measureText(text).width) + 16, 260);
  }

  function make() {
    const colour = aitia.colour;
    const signs = Object.entries(SIGNS).map(([name, sign]) => ({
      selector: `edge[sign = "${name}"]`,
      style: {
        "line-color": colour(sign.colour), "target-arrow-color": colour(sign.colour),
        "target-arrow-shape": sign.head, "line-style": sign.line,
      },
    }));
    return [
      { selector: "node", style: {
        shape: "round-rectangle", width: "data(width)", height: 26, label: "data(label)", "font-size": FONT,
        "font-family": "system-ui, sans-serif", color: colour("text"), "text-valign": "center", "text-halign": "center",
        "background-color": colour("raised"), "border-width": 1, "border-color": colour("edge"), "min-zoomed-font-size": 5,
        "overlay-color": colour("accent"), "overlay-opacity": 0 } },
      { selector: 'node[role = "outcome"]', style: { "border-width": 2, "border-color": colour("text") } },
      { selector: 'node[role = "terminal"]', style: { "border-width": 4, "border-style": "double", "border-color": colour("text") } },
      { selector: 'node[kind = "node"]', style: { "background-color": colour("back"), height: 22, "font-size": 11.5 } },
      { selector: 'node[kind = "more"]', style: { "border-style": "dashed", color: colour("soft"), height: 22, "font-size": 11.5 } },
      { selector: "node:parent", style: { "background-color": colour("raised"), "background-opacity": 0.6, "text-valign": "top",
        "text-margin-y": -4, "border-color": colour("edge"), padding: 12 } },
      { selector: 'node[kind = "start"]', style: { "background-color": colour("accent"), color: colour("on-accent"), "border-width": 0 } },
      { selector: "edge", style: {
        "curve-style": "bezier", "control-point-step-size": 28, width: "data(width)", "arrow-scale": 0.9,
        "target-distance-from-node": 2, opacity: "data(opacity)", "overlay-color": colour("accent"), "overlay-opacity": 0,
        "loop-direction": "-45deg" } },
      ...signs,
      { selector: "edge[count > 1]", style: { label: "data(count)", "font-size": 10, color: colour("soft"), "min-zoomed-font-size": 8,
        "text-background-color": colour("back"), "text-background-opacity": 0.85, "text-background-padding": 1 } },
      { selector: ".away", style: { opacity: 0.18, "text-opacity": 0.9 } },
      { selector: ":selected", style: { "overlay-opacity": 0.18 } },
      { selector: "node:selected", style: { "border-color": colour("accent"), "border-width": 3, "overlay-opacity": 0 } },
    ];
  }

  function legend(into, names, borders = []) {
    into.replaceChildren();
    for (const name of names) {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 34 12");
      svg.setAttribute("aria-hidden", "true");
      svg.setAttribute("class", `arrow ${SIGNS[name].colour}`);
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", "M1 6H26");
      line.setAttribute("class", SIGNS[name].line);
      const head = document.createElementNS("http://www.w3.org/2000/svg", "path");
      head.setAttribute("class", "head");
      head.setAttribute("d", { triangle: "M25 1.5 33 6 25 10.5Z", tee: "M26 1H28.5V11H26Z", diamond: "M25 6 29 2.5 33 6 29 9.5Z",
        vee: "M24 1.5 33 6 24 10.5 27 6Z", square: "M26 3H32V9H26Z" }[SIGNS[name].head]);
      svg.append(line, head);
      into.append(aitia.element("span", { class: "key" }, svg, ` ${SIGNS[name].said}`));
    }
    for (const [role, said] of borders) into.append(aitia.element("span", { class: "key" }, aitia.element("span", { class: `border ${role}`, "aria-hidden": "true" }), ` ${said}`));
    into.append(aitia.element("span", { class: "key" }, "wider: surer"));
  }

  const wide = (confidence) => 1 + (confidence / 100) * 3.5;
  const arrow = (sign, confidence, evidence, count) => ({
    sign, count, width: wide(confidence), opacity: evidence ? 0.85 : 0.45,
  });
  function start(container, elements) {
    // Its own warnings about wheels and the like are not for people who look at graphs.
    cytoscape.warnings(false);
    const drawing = cytoscape({ container, elements, style: make(), minZoom: 0.05, maxZoom: 3, boxSelectionEnabled: false,
      selectionType: "single", layout: { name: "preset" } });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawing.style(make()));
    return drawing;
  }
  // Moves nodes that lie over one another apart, each pair along the way that is shorter.
  function spread(nodes, gap = 6, rounds = 40) {
    const boxes = nodes.map((node) => ({ node, ...node.position(), w: node.width() / 2 + gap, h: node.height() / 2 + gap }));
    for (let round = 0; round < rounds; round++) {
      let moved = false;
      boxes.forEach((a, row) => {
        for (const b of boxes.slice(row + 1)) {
          const dx = a.w + b.w - Math.abs(a.x - b.x);
          const dy = a.h + b.h - Math.abs(a.y - b.y);
          if (dx <= 0 || dy <= 0) continue;
          moved = true;
          const [axis, by] = dx < dy ? ["x", dx] : ["y", dy];
          const way = a[axis] < b[axis] ? -1 : 1;
          a[axis] += (way * by) / 2;
          b[axis] -= (way * by) / 2;
        }
      });
      if (!moved) break;
    }
    for (const { node, x, y } of boxes) node.position({ x, y });
  }
  return { SIGNS, spread, label, width, legend, arrow, start };
})();
