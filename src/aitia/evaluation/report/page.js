"use strict";
// A click on the head of a column sorts by it, a second click the other way; cells without a number stay last.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const original = [...body.rows];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.firstElementChild.childNodes);
    head.firstElementChild.append(button);
    button.addEventListener("click", () => {
      const number = head.classList.contains("number");
      const first = number ? "descending" : "ascending";
      const second = number ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = original.map((row) => [row, row.cells[column].dataset.value ?? ""]);
      rows.sort(([, a], [, b]) => {
        if (a === "" || b === "") return (a === "") - (b === "");
        return sign * (number ? a - b : a.localeCompare(b, "en"));
      });
      body.append(...rows.map(([row]) => row));
    });
  });
}
