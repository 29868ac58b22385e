// From all edges to the few arrows that are drawn: filtered, grouped, the strongest first. No drawing here.
"use strict";

const graphGroups = (() => {
  const MOST_NODES = 24;

  // What a place in the drawing stands for: a group, a node of an open group, or the rest of an open group.
  function places(graph, open, wanted) {
    const groups = graph.groups.length;
    const of = new Int32Array(graph.nodes.length);
    const weight = new Int32Array(graph.nodes.length);
    const { s, t } = graph.edges;
    for (let row = 0; row < s.length; row++) {
      weight[s[row]]++;
      weight[t[row]]++;
    }
    const members = new Map([...open].map((group) => [group, []]));
    graph.nodes.forEach(([, group], node) => {
      of[node] = group;
      members.get(group)?.push(node);
    });
    const rest = new Map();
    for (const [group, nodes] of members) {
      nodes.sort((a, b) => (b === wanted) - (a === wanted) || weight[b] - weight[a] || a - b);
      nodes.forEach((node, rank) => { of[node] = rank < MOST_NODES ? groups + node : -1 - group; });
      if (nodes.length > MOST_NODES) rest.set(group, nodes.length - MOST_NODES);
    }
    return { of, rest };
  }

  function keep(graph, filters) {
    const { s, t, c, e, p } = graph.edges;
    const fits = graph.groups.map(([, category, role]) =>
      (!filters.category || category === filters.category) && (!filters.role || role === filters.role));
    const all = fits.every(Boolean);
    const rows = [];
    for (let row = 0; row < s.length; row++) {
      if (c[row] < filters.sure || !filters.signs.has(p[row])) continue;
      if (filters.evidence === -1 ? e[row] !== 0 : e[row] < filters.evidence) continue;
      if (!all && !fits[graph.nodes[s[row]][1]] && !fits[graph.nodes[t[row]][1]]) continue;
      rows.push(row);
    }
    return rows;
  }

  function arrows(graph, filters, open, wanted) {
    const { of, rest } = places(graph, open, wanted);
    const { s, t, c, e, p } = graph.edges;
    const found = new Map();
    const rows = keep(graph, filters);
    let inside = 0;
    for (const row of rows) {
      const source = of[s[row]];
      const target = of[t[row]];
      if (source === target && source < graph.groups.length) {
        inside++;
        continue;
      }
      const key = `${source}>${target}`;
      let arrow = found.get(key);
      if (!arrow) found.set(key, (arrow = { key, source, target, count: 0, signs: [0, 0, 0, 0], sure: 0, evidence: 0, quoted: 0 }));
      arrow.count++;
      arrow.signs[p[row]]++;
      arrow.sure = Math.max(arrow.sure, c[row]);
      arrow.evidence = Math.max(arrow.evidence, e[row]);
      arrow.quoted += e[row] === 2;
    }
    const sorted = [...found.values()].sort((a, b) => b.quoted - a.quoted || b.count - a.count || b.sure - a.sure || (a.key < b.key ? -1 : 1));
    return { sorted, rest, edges: rows.length, inside };
  }

  // The strongest, but first one for every place, so that nothing hangs in the air; around a chosen place all of its own.
  function strongest(sorted, most, focus) {
    if (focus !== null) {
      const near = sorted.filter((each) => focus.has(each.source) || focus.has(each.target));
      return near.slice(0, Math.max(most, 20));
    }
    const seen = new Set();
    const chosen = new Set();
    for (const each of sorted) {
      if (chosen.size >= most) break;
      if (seen.has(each.source) && seen.has(each.target)) continue;
      seen.add(each.source).add(each.target);
      chosen.add(each);
    }
    for (const each of sorted) {
      if (chosen.size >= most) break;
      chosen.add(each);
    }
    return [...chosen];
  }

  // One sign for many edges: the one that at least three in four have.
  function sign(names, counts) {
    const total = counts.reduce((sum, each) => sum + each, 0);
    const best = counts.indexOf(Math.max(...counts));
    if (names[0] !== "positive" || counts[best] / total >= 0.75) return names[best];
    const [positive, negative] = counts;
    if (positive && negative && (positive + negative) / total >= 0.5) return Math.min(positive, negative) / (positive + negative) > 0.25 ? "mixed" : positive > negative ? "positive" : "negative";
    return names[best];
  }
  return { arrows, strongest, sign, MOST_NODES };
})();
