// The vocabulary: finding in it, and editing it in place. Every edit is a decision that the server checks.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { element } = aitia;
  const all = document.getElementById("vocabulary");
  const roles = all.dataset.roles.split(",");
  const kinds = all.dataset.kinds.split(",");
  const dimensions = JSON.parse(all.dataset.dimensions);
  const rows = [...all.querySelectorAll("[data-metric]")];
  const entities = [...all.querySelectorAll("[data-entity]")];
  const metrics = rows.map((row) => row.dataset.metric);

  // Finding
  const find = document.getElementById("find");
  const role = document.getElementById("role");
  function filter() {
    const text = find.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const { metric, description, category } = row.dataset;
      row.hidden = (role.value && row.dataset.role !== role.value) || (text && ![metric, description, category].some((each) => each.toLowerCase().includes(text)));
      shown += !row.hidden;
    }
    for (const section of all.querySelectorAll(".category")) section.hidden = ![...section.querySelectorAll("[data-metric]")].some((row) => !row.hidden);
    let found = 0;
    for (const each of entities) {
      each.hidden = Boolean(text) && !each.textContent.toLowerCase().includes(text);
      found += !each.hidden;
    }
    for (const section of all.querySelectorAll(".dimension")) section.hidden = Boolean(text) && ![...section.querySelectorAll("[data-entity]")].some((each) => !each.hidden);
    document.getElementById("found").textContent = text || role.value ? `${shown} metrics${text ? `, ${found} entities` : ""}` : "";
  }
  find.addEventListener("input", filter);
  role.addEventListener("change", filter);

  // Forms
  const field = (id, said, control) => element("div", { class: "field" }, element("label", { for: id }, said), control);
  function input(id, value, list) {
    const made = element("input", { id, list: list && `${id}-known`, autocomplete: "off" });
    made.value = value;
    return made;
  }
  const choice = (id, names, value) => element("select", { id }, ...names.map((name) => element("option", { selected: name === value }, name)));
  const known = (id, names) => element("datalist", { id: `${id}-known` }, ...names.map((name) => element("option", { value: name })));
  function area(id, value) {
    const made = element("textarea", { id, rows: 4 });
    made.value = value;
    return made;
  }

  function edit(title, fields, collect, tag, deletion = null) {
    const reason = input("edit-reason", "");
    const problem = element("p", { class: "problem", role: "alert" });
    const form = element("form", { class: "edit" }, ...fields, field("edit-reason", "Reason, if you like", reason), problem,
      element("div", { class: "actions" }, deletion && element("button", { type: "button", class: "away", onclick: remove }, `Delete ${deletion.what}`),
        element("button", { class: "main" }, "Keep the changes")));
    const dialog = aitia.dialog(title, form);
    fields[0].querySelector("input, textarea, select").focus();
    // Asked twice, in the same place.
    function remove(event) {
      if (event.target.dataset.asked) keep([deletion.decision]);
      else {
        event.target.dataset.asked = "true";
        event.target.textContent = `Really delete ${deletion.what}, ${deletion.with}?`;
        dialog.box.scrollTop = dialog.box.scrollHeight;
      }
    }
    async function keep(decisions) {
      if (!decisions.length) {
        problem.textContent = "Nothing was changed.";
        return;
      }
      try {
        const kept = await aitia.decideAll(decisions.map((each) => ({ ...each, reason: reason.value.trim() })));
        dialog.close();
        aitia.say(`${kept.decisions.length === 1 ? "One decision is" : `${kept.decisions.length} decisions are`} kept, and will be seen here once applied, under Decisions.`);
        if (tag) tag.hidden = false;
        pending();
      } catch (error) {
        problem.textContent = error.message;
      }
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      keep(collect());
    });
  }
  function pending() {
    if (document.getElementById("pending")) return;
    const notice = element("p", { class: "notice", id: "pending" }, "Edits wait to be applied: ", element("a", { href: aitia.page("history") }, "see and apply them"), ".");
    document.getElementById("found").before(notice);
  }

  function editMetric(row) {
    const { metric, category, role: now, kind, description } = row.dataset;
    const controls = {
      name: input("edit-name", metric), description: area("edit-description", description), category: input("edit-category", category),
      role: choice("edit-role", roles, now), kind: choice("edit-kind", kinds, kind), into: input("edit-into", "", true),
    };
    const about = { kind: "metric", target: metric };
    edit(`Metric ${metric.slice(0, 60)}`, [
      field("edit-name", "Name", controls.name), field("edit-description", "Description", controls.description), field("edit-category", "Category", controls.category),
      field("edit-role", "Role: a terminal metric has no effects, an outcome ends a search", controls.role), field("edit-kind", "Kind: a fixed metric takes no new variables", controls.kind),
      element("div", { class: "field apart" }, element("label", { for: "edit-into" }, "Merge into another metric of the same signature"), controls.into, known("edit-into", metrics.filter((each) => each !== metric))),
    ], () => {
      const decisions = [];
      for (const [name, before] of [["description", description], ["category", category], ["kind", kind]]) {
        const to = controls[name].value.trim();
        if (to !== before) decisions.push({ ...about, action: "edit", value: { field: name, to } });
      }
      if (controls.role.value !== now) decisions.push({ ...about, action: "role", value: { to: controls.role.value } });
      if (controls.name.value.trim() !== metric) decisions.push({ ...about, action: "rename", value: { to: controls.name.value.trim() } });
      if (controls.into.value.trim()) decisions.push({ ...about, action: "merge", value: { into: controls.into.value.trim() } });
      return decisions;
    }, row.querySelector(".waits"), { what: "the metric", with: "with its variables and their edges", decision: { ...about, action: "delete" } });
  }
  function editDimension(section) {
    const { dimension, description } = section.dataset;
    const name = input("edit-name", dimension);
    const said = area("edit-description", description);
    const added = input("edit-add", "");
    const about = { kind: "dimension", target: dimension };
    edit(`Dimension ${dimension.slice(0, 60)}`, [field("edit-name", "Name", name), field("edit-description", "Description", said), field("edit-add", "Add an entity", added)], () => [
      ...(added.value.trim() ? [{ kind: "entity", action: "add", target: `${dimension}/${added.value.trim()}` }] : []),
      ...(said.value.trim() !== description ? [{ ...about, action: "edit", value: { field: "description", to: said.value.trim() } }] : []),
      ...(name.value.trim() !== dimension ? [{ ...about, action: "rename", value: { to: name.value.trim() } }] : []),
    ], section.querySelector(".waits"));
  }
  function editEntity(item) {
    const { dimension } = item.closest("[data-dimension]").dataset;
    const { entity } = item.dataset;
    const name = input("edit-name", entity);
    const into = input("edit-into", "", true);
    const about = { kind: "entity", target: `${dimension}/${entity}` };
    const beside = [...item.closest("[data-dimension]").querySelectorAll("[data-entity]")].map((each) => each.dataset.entity).filter((each) => each !== entity);
    edit(`Entity ${entity.slice(0, 60)}`, [field("edit-name", "Name", name),
      element("div", { class: "field" }, element("label", { for: "edit-into" }, "Merge into, if it is the same as"), into, known("edit-into", beside.slice(0, 2000)))], () => [
      ...(name.value.trim() !== entity ? [{ ...about, action: "rename", value: { to: name.value.trim() } }] : []),
      ...(into.value.trim() ? [{ ...about, action: "merge", value: { into: `${dimension}/${into.value.trim()}` } }] : []),
    ], item.querySelector(".waits"), { what: "the entity", with: "with the variables that have it", decision: { ...about, action: "delete" } });
  }
  function addMetric() {
    const name = input("edit-name", "");
    const description = area("edit-description", "");
    const category = input("edit-category", "");
    const signature = element("fieldset", {}, element("legend", {}, "Dimensions it is measured along"),
      ...dimensions.map((each) => element("label", { class: "check" }, element("input", { type: "checkbox", value: each }), aitia.named(each, 60))));
    edit("Add a metric", [field("edit-name", "Name", name), field("edit-description", "Description", description), field("edit-category", "Category", category), signature], () =>
      name.value.trim() ? [{ kind: "metric", action: "add", target: name.value.trim(), value: {
        signature: [...signature.querySelectorAll("input:checked")].map((box) => box.value), description: description.value.trim(), category: category.value.trim() } }] : [], null);
  }

  // An entity is edited by its own name.
  for (const item of entities) {
    const said = item.querySelector(".said");
    const button = element("button", { type: "button", title: "Edit" }, ...said.childNodes);
    said.replaceChildren(button);
  }
  all.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.edit === "metric") editMetric(button.closest("[data-metric]"));
    else if (button.dataset.edit === "dimension") editDimension(button.closest("[data-dimension]"));
    else if (button.closest("[data-entity]")) editEntity(button.closest("[data-entity]"));
  });
  document.getElementById("add-metric").addEventListener("click", addMetric);
});
