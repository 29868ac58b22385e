// Copies what the graph page needs from node_modules to where the server and the wheel find it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const from = join(here, "node_modules");
const to = join(here, "..", "src", "aitia", "web", "static", "vendor");

// In the order in which a page loads them.
const scripts = {
  cytoscape: "dist/cytoscape.min.js",
  "layout-base": "layout-base.js",
  "cose-base": "cose-base.js",
  "cytoscape-fcose": "cytoscape-fcose.js",
  dagre: "dist/dagre.min.js",
  "cytoscape-dagre": "cytoscape-dagre.js",
};
// Inside dagre's file.
const inside = ["graphlib", "lodash"];

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
for (const [name, path] of Object.entries(scripts)) {
  copyFileSync(join(from, name, path), join(to, `${name}.js`));
}
const licences = [...Object.keys(scripts), ...inside].map((name) => {
  const { version } = JSON.parse(readFileSync(join(from, name, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(from, name, "LICENSE"), "utf8").trim()}\n`;
});
writeFileSync(join(to, "LICENSES.txt"), licences.join("\n\n"));
console.log(`${Object.keys(scripts).length} scripts and their licences are in src/aitia/web/static/vendor`);
