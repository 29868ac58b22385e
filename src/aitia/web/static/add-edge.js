// A new edge between two known variables, as a decision that waits to be applied.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { element } = aitia;
  const graph = JSON.parse(document.getElementById("graph").textContent);
  const keys = graph.nodes.map(([key]) => key);
  const field = (id, said, ...control) => element("div", { class: "field" }, element("label", { for: id }, said), ...control);

  // Suggestions for what was typed; all of them at once would be too many.
  function variable(id) {
    const list = element("datalist", { id: `${id}-known` });
    const made = element("input", { id, list: list.id, required: true, autocomplete: "off" });
    made.addEventListener("input", () => {
      const text = made.value.toLowerCase();
      list.replaceChildren(...keys.filter((key) => key.toLowerCase().includes(text)).slice(0, 30).map((key) => element("option", { value: key })));
    });
    return [made, list];
  }

  document.getElementById("add-edge").addEventListener("click", () => {
    const [source, sources] = variable("new-source");
    const [target, targets] = variable("new-target");
    const mechanism = element("textarea", { id: "new-mechanism", rows: 3, required: true });
    const polarity = element("select", { id: "new-polarity" }, ...graph.signs.map((name) => element("option", {}, name)));
    const confidence = element("input", { id: "new-confidence", type: "number", min: 0, max: 1, step: 0.01, value: 1 });
    const reason = element("input", { id: "new-reason", autocomplete: "off" });
    const problem = element("p", { class: "problem", role: "alert" });
    const form = element("form", { class: "edit" }, field("new-source", "Cause: a variable", source, sources), field("new-target", "Effect: a variable", target, targets),
      field("new-mechanism", "How the one brings about the other", mechanism), field("new-polarity", "Sign", polarity), field("new-confidence", "Confidence, 0 to 1", confidence),
      field("new-reason", "Reason, if you like", reason), problem, element("div", { class: "actions" }, element("button", { class: "main" }, "Keep")));
    const dialog = aitia.dialog("Add an edge", form);
    source.focus();
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const value = { mechanism: mechanism.value.trim(), polarity: polarity.value, confidence: Number(confidence.value) };
      try {
        const kept = await aitia.decide("add", "edge", `${source.value.trim()} -> ${target.value.trim()}`, value, reason.value.trim());
        dialog.close();
        aitia.say(`Kept as ${kept.id}; it is drawn once applied (Decisions).`);
      } catch (error) {
        problem.textContent = error.message;
      }
    });
  });
});
