// Decisions: applying what waits, and undoing.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-undo]");
  if (!button) return;
  button.disabled = true;
  try {
    await aitia.decide("undo", button.dataset.kind, button.dataset.undo);
    location.reload();
  } catch (error) {
    button.disabled = false;
    aitia.say(error.message);
  }
});

document.addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("apply");
  button?.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Applying …";
    try {
      const report = await aitia.post("curation/apply", {});
      sessionStorage.setItem("aitia:applied", JSON.stringify(report));
      location.reload();
    } catch (error) {
      button.disabled = false;
      button.textContent = "Apply now";
      aitia.say(error.message, 12);
    }
  });
  const kept = sessionStorage.getItem("aitia:applied");
  if (!kept) return;
  sessionStorage.removeItem("aitia:applied");
  const report = JSON.parse(kept);
  const calls = Object.values(report.calls).reduce((sum, each) => sum + (each.calls || 0), 0);
  const redone = report.redone.length;
  const lines = [
    report.changed ? "Applied." : "Nothing had to change.",
    redone ? `Judged again: ${report.redone.slice(0, 5).join(", ")}${redone > 5 ? ` and ${redone - 5} more` : ""}.` : "",
    calls ? `${calls.toLocaleString()} calls of a model.` : "No call of a model.",
  ];
  const notice = aitia.element("div", { class: "notice" }, lines.filter(Boolean).join(" "));
  if (report.findings.length) notice.append(aitia.element("ul", {}, ...report.findings.map((line) => aitia.element("li", {}, aitia.named(line, 300)))));
  document.getElementById("report").append(notice);
});
