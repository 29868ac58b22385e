// Two answers to one question, written beside one another.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("answers");
  button?.addEventListener("click", async () => {
    button.disabled = true;
    await Promise.all([...document.querySelectorAll("[data-side]")].map(async (side) => {
      const { index, retrieval, budget, settings } = side.dataset;
      try {
        await answers.ask(index, { question: button.dataset.question, retrieval, budget_words: Number(budget), settings: JSON.parse(settings) }, side);
      } catch (error) {
        side.replaceChildren(aitia.element("span", { class: "problem", role: "alert" }, error.message));
      }
    }));
    button.disabled = false;
  });
});
