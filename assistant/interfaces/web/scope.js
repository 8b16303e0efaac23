/* Which collections a question is asked of: ticked beside the question, told in the side bar.
   The page's events take it from here when a question is asked. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const chosen = new Set(); // names of collections; none means all
  let known = []; // {name, shown, papers}

  page.scope = () => JSON.stringify([...chosen]);

  page.setCollections = (collections) => {
    known = collections;
    for (const name of [...chosen]) {
      if (!known.some((one) => one.name === name)) chosen.delete(name);
    }
    draw();
  };

  function element(name, text = "", properties = {}) {
    const made = Object.assign(document.createElement(name), properties);
    made.textContent = text;
    return made;
  }

  function choice(label, papers, box) {
    const row = element("label");
    row.append(box, element("span", label, { dir: "auto" }));
    if (papers !== null) row.append(element("span", papers.toLocaleString("en"), { className: "n" }));
    return row;
  }

  function draw() {
    const place = document.getElementById("scope-choice");
    if (!place) return;
    const all = element("input", "", { type: "checkbox", checked: !chosen.size, value: "" });
    const rows = known.filter((one) => one.name).map((one) =>
      choice(
        one.shown,
        one.papers,
        element("input", "", {
          type: "checkbox",
          checked: chosen.has(one.name),
          value: one.name,
        }),
      ),
    );
    place.replaceChildren(
      element("legend", "Ask of"),
      choice("All collections", null, all),
      ...rows,
    );
    tell();
  }

  function tell() {
    const names = known.filter((one) => chosen.has(one.name)).map((one) => one.shown);
    const said = document.getElementById("scope-said");
    if (said) {
      said.textContent =
        names.length === 0
          ? "all collections"
          : names.length === 1
            ? names[0]
            : `${names.length} collections`;
    }
    document.getElementById("scope")?.classList.toggle("some", names.length > 0);
    page.tellScope();
  }

  // the side bar is Gradio's to redraw, so this is done again after it has been
  page.tellScope = () => {
    for (const row of document.querySelectorAll("#sidebar .collections li[data-collection]")) {
      const off = chosen.size > 0 && !chosen.has(row.dataset.collection);
      if (row.classList.contains("off") !== off) row.classList.toggle("off", off);
      row.parentElement.classList.toggle("chosen", chosen.size > 0);
    }
    const note = document.querySelector("#sidebar .asked-of");
    if (!note) return;
    const names = known.filter((one) => chosen.has(one.name)).map((one) => one.shown);
    const text = names.length ? `Questions are asked of ${names.join(", ")} alone.` : "";
    if (note.textContent !== text) note.textContent = text;
    if (note.hidden !== !text) note.hidden = !text;
  };

  document.addEventListener("change", (event) => {
    const box = event.target.closest?.("#scope-choice input");
    if (!box) return;
    if (!box.value) chosen.clear();
    else if (box.checked) chosen.add(box.value);
    else chosen.delete(box.value);
    for (const one of document.querySelectorAll("#scope-choice input")) {
      one.checked = one.value ? chosen.has(one.value) : !chosen.size;
    }
    tell();
  });

  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.id === "scope" && event.target.open) draw();
    },
    true,
  );

  // it hangs over the page like a menu, so it closes like one
  const menu = () => document.querySelector("#scope[open]");
  document.addEventListener("click", (event) => {
    if (menu() && !event.target.closest?.("#scope")) menu().open = false;
  });
  document.addEventListener("focusin", (event) => {
    if (menu() && !event.target.closest?.("#scope")) menu().open = false;
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !menu()) return;
      const inside = menu().contains(document.activeElement);
      const summary = menu().querySelector("summary");
      menu().open = false;
      if (inside) summary.focus();
      event.stopPropagation();
    },
    true,
  );
})();
