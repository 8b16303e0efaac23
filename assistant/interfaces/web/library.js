/* The Library tab: looking through the papers, opening one, and changing what there is. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const id = (name) => document.getElementById(name);
  let start = 0;
  let asked = 0; // numbers the searches, so that a late answer is not shown over a later one

  const { tell } = page;
  const json = (path, form) => page.json(`library/${path}`, form);

  // ---------------------------------------------------------------- looking through papers

  function filters() {
    return new URLSearchParams(new FormData(id("filters")));
  }

  async function browse(from = 0) {
    const number = ++asked;
    const query = filters();
    query.set("start", from);
    id("shelf").setAttribute("aria-busy", "true");
    try {
      const answer = await json(`papers?${query}`);
      if (number !== asked) return;
      start = from;
      tell(null);
      id("shelf").innerHTML = answer.html;
      id("range").textContent = answer.range;
      document.querySelector('[data-do="clear-filters"]').hidden = !answer.filtered;
      id("export").hidden = !answer.html.includes("<li>");
    } catch (error) {
      if (number === asked) tell(error);
    } finally {
      if (number === asked) id("shelf").removeAttribute("aria-busy");
    }
  }

  async function holdings() {
    const answer = await json("holdings");
    id("holdings-inside").innerHTML = answer.html;
    page.setCollections(answer.collections);
    for (const select of document.querySelectorAll("select.collections-of")) {
      const before = select.value;
      select.replaceChildren(new Option("All", ""));
      for (const one of answer.collections) {
        if (one.name) select.append(new Option(`${one.shown} (${one.papers})`, one.name));
      }
      select.value = answer.collections.some((one) => one.name === before) ? before : "";
    }
  }

  /* Shows the library anew after it has changed, here and in what Gradio draws. */
  page.libraryChanged = async () => {
    id("refresh")?.click();
    try {
      await holdings();
    } catch (error) {
      tell(error);
    }
    if (opened) await browse(start);
  };

  let opened = false;
  page.openLibrary = () => {
    if (!id("filters") || opened) return;
    opened = true;
    const wide = matchMedia("(min-width: 56.01rem)");
    id("holdings").open = wide.matches;
    wide.addEventListener("change", () => (id("holdings").open = wide.matches));
    browse();
  };
  page.beginLibrary = () => {
    holdings().catch(() => {}); // the tab tells what is wrong when it is opened
    page.watchImport();
  };

  let waiting;
  document.addEventListener("input", (event) => {
    if (!event.target.closest?.("#filters")) return;
    clearTimeout(waiting);
    const typed = event.target.matches("input");
    waiting = setTimeout(browse, typed ? 250 : 0);
  });

  document.addEventListener(
    "toggle",
    async (event) => {
      const entry = event.target;
      if (!entry.matches?.("details.entry") || !entry.open || entry.dataset.filled) return;
      entry.dataset.filled = "1";
      const inside = entry.querySelector(".inside");
      try {
        const answer = await page.fetch(`library/paper?id=${encodeURIComponent(entry.dataset.paper)}`);
        inside.innerHTML = await answer.text();
      } catch (error) {
        delete entry.dataset.filled;
        tell(error, inside);
      }
    },
    true,
  );

  // ---------------------------------------------------------------- asking before changing

  /* Asks in a dialog; `act` gets the form and may fail, which is told inside. */
  function askFirst({ title, why, yes, no = "Keep", name = null, warn = true, act }) {
    const dialog = id("asking");
    const form = dialog.querySelector("form");
    const [label, refusal] = [form.querySelector("label"), form.querySelector(".refused")];
    const [keep, agree] = form.querySelectorAll(".buttons button");
    form.querySelector("h2").textContent = title;
    form.querySelector(".why").textContent = why;
    keep.textContent = no;
    agree.textContent = yes;
    agree.classList.toggle("warn", warn);
    label.hidden = name === null;
    form.elements.name.value = name ?? "";
    tell(null, refusal);
    agree.disabled = false;
    form.onsubmit = async (event) => {
      event.preventDefault();
      agree.disabled = true;
      try {
        const answer = await act(form);
        dialog.close();
        page.announce(answer.said);
        await page.libraryChanged();
        if (document.activeElement === document.body) id("range").focus();
      } catch (error) {
        agree.disabled = false;
        tell(error, refusal);
      }
    };
    dialog.showModal();
    (name === null ? keep : form.elements.name).focus();
  }

  const doing = {
    no: () => id("asking").close(),
    turn: async (button) => {
      await browse(Number(button.dataset.start));
      id("browse").scrollIntoView({ block: "start" });
      id("shelf").querySelector("summary")?.focus({ preventScroll: true });
    },
    "clear-filters": async () => {
      const order = id("filters").elements.order.value;
      id("filters").reset();
      id("filters").elements.order.value = order;
      await browse();
      id("filters").elements.words.focus();
    },
    "show-collection": async (button) => {
      id("filters").elements.collection.value = button.dataset.collection;
      await browse();
      id("browse").scrollIntoView({ block: "start" });
      id("filters").elements.collection.focus({ preventScroll: true });
    },
    rename: (button) =>
      askFirst({
        title: "Rename the collection",
        why: "Files imported later under its old name go to the new one as well.",
        yes: "Rename",
        no: "Cancel",
        name: button.dataset.shown,
        warn: false,
        act: (form) =>
          json("collection/rename", {
            old: button.dataset.collection,
            new: form.elements.name.value,
          }),
      }),
    "remove-file": async (button) => {
      const { file } = button.dataset;
      const { why } = await json(`file/removal?file=${encodeURIComponent(file)}`);
      askFirst({
        title: `Remove ${button.dataset.shown}?`,
        why: `${why} The file on your disk is not touched.`,
        yes: "Remove",
        act: () => json("file/remove", { file }),
      });
    },
    "remove-paper": (button) =>
      askFirst({
        title: "Remove this paper?",
        why: `“${button.dataset.name}” goes from the library. Importing its file again brings it back.`,
        yes: "Remove",
        act: () => json("paper/remove", { id: button.dataset.paper }),
      }),
  };
  page.doing = doing;

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button[data-do]");
    if (!button || !doing[button.dataset.do]) return;
    tell(null);
    try {
      await doing[button.dataset.do](button);
    } catch (error) {
      tell(error);
      id("library-message").scrollIntoView({ block: "nearest" });
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id === "filters") {
      event.preventDefault();
      browse();
    } else if (event.target.id === "export") {
      event.preventDefault();
      download(event.target.elements.format.value);
    }
  });

  async function download(format) {
    const query = filters();
    query.set("format", format);
    try {
      await page.download(`library/export?${query}`);
    } catch (error) {
      tell(error);
    }
  }
})();
