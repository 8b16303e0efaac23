/* The Find tab: an idea, the papers found for it, and going on from one of them. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const id = (name) => document.getElementById(name);
  const KEPT = "assistant-find"; // where a reload finds what was looked for
  const chosen = { like: new Map(), unlike: new Map() }; // ids of papers -> their names
  let shown = 0; // papers on the list
  let asked = 0; // numbers the searches, so that a late answer is not shown over a later one
  let searched = false;

  const tell = (error) => page.tell(error, id("find-message"));
  const box = () => id("idea");

  // ---------------------------------------------------------------- asking

  function wanted() {
    const form = new URLSearchParams(new FormData(id("find-filters")));
    form.set("text", box().value);
    form.set("sort", id("found-sort").value);
    for (const kind of ["like", "unlike"]) {
      for (const one of chosen[kind].keys()) form.append(kind, one);
    }
    return form;
  }

  const anything = () => box().value.trim() || chosen.like.size;

  /* Finds papers; `more` adds the next to the list. Says what went wrong and keeps the list. */
  async function find({ more = false } = {}) {
    const number = ++asked;
    const form = wanted();
    form.set("offset", more ? shown : 0);
    id("matches").setAttribute("aria-busy", "true");
    try {
      const answer = await page.json("find/papers", form);
      if (number !== asked) return false;
      tell(null);
      show(answer, more);
      keep(form);
      return true;
    } catch (error) {
      if (number === asked) tell(error);
      return false;
    } finally {
      if (number === asked) id("matches").removeAttribute("aria-busy");
    }
  }

  function show(answer, more) {
    searched = true;
    if (more) {
      id("matches").insertAdjacentHTML("beforeend", answer.html);
    } else {
      id("matches").innerHTML = answer.html;
      id("found-notes").innerHTML = answer.notes;
    }
    shown = answer.shown;
    document.querySelector(".found-head").hidden = false;
    id("found-said").textContent = answer.said;
    id("found").classList.toggle("none", shown === 0);
    document.querySelector('[data-do="more"]').hidden = !answer.more;
    document.querySelector('[data-do="clear-find-filters"]').hidden = !answer.filtered;
    for (const kind of ["like", "unlike"]) {
      for (const one of chosen[kind].keys()) {
        if (answer.names[one]) chosen[kind].set(one, answer.names[one]);
      }
    }
    drawChosen();
  }

  // ---------------------------------------------------------------- kept over a reload

  function keep(form) {
    try {
      sessionStorage.setItem(KEPT, form.toString());
    } catch {
      // full or forbidden: then a reload starts anew
    }
  }

  function kept() {
    try {
      return sessionStorage.getItem(KEPT);
    } catch {
      return null;
    }
  }

  function fill(form) {
    box().value = form.get("text") ?? "";
    grow();
    id("found-sort").value = form.get("sort") || "relevance";
    for (const field of id("find-filters").elements) {
      if (field.name) field.value = form.get(field.name) ?? "";
    }
    for (const kind of ["like", "unlike"]) {
      chosen[kind] = new Map(form.getAll(kind).map((one) => [one, one]));
    }
    drawChosen();
  }

  let opened = false;
  page.openFind = () => {
    if (!box() || opened) return;
    opened = true;
    const wide = matchMedia("(min-width: 56.01rem)");
    id("narrow").open = wide.matches;
    wide.addEventListener("change", () => (id("narrow").open = wide.matches));
    grow();
    drawSaved();
    const before = kept();
    if (before && !anything()) {
      fill(new URLSearchParams(before));
      find();
    }
    if (wide.matches && document.activeElement === document.body) box().focus();
  };

  /* Carries an idea over from elsewhere on the page. */
  page.findThis = (text) => {
    page.turnTo("find");
    fill(new URLSearchParams({ text }));
    box().focus({ preventScroll: true });
    return find();
  };

  // ---------------------------------------------------------------- saved searches

  async function drawSaved() {
    try {
      id("saved").innerHTML = (await page.json("find/saved", {})).html;
    } catch (error) {
      page.tell(error, id("saved"));
    }
  }

  async function openSaved({ name }) {
    const answer = await page.json("find/open", { name });
    fill(new URLSearchParams(answer.fields));
    await find();
    for (const one of answer.new) {
      const title = document.querySelector(`.match[data-paper="${CSS.escape(one)}"] h3`);
      if (!title) continue;
      const mark = Object.assign(document.createElement("span"), { className: "new" });
      mark.textContent = " new";
      title.append(mark);
    }
    id("found-said").focus();
    await drawSaved();
  }

  async function change(path, form, saying) {
    try {
      await page.json(path, form);
      tell(null);
      page.announce(saying);
      await drawSaved();
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  // ---------------------------------------------------------------- like and unlike

  function drawChosen() {
    const chips = [];
    for (const kind of ["like", "unlike"]) {
      for (const [one, name] of chosen[kind]) chips.push(chip(kind, one, name));
    }
    id("chosen").replaceChildren(...chips);
  }

  function chip(kind, one, name) {
    const item = document.createElement("li");
    const said = document.createElement("span");
    const drop = document.createElement("button");
    const how = kind === "like" ? "Like" : "Unlike";
    item.className = kind;
    said.dir = "auto";
    said.textContent = `${how}: ${name}`;
    Object.assign(drop, { type: "button", textContent: "×", title: "Remove" });
    drop.dataset.do = "unchoose";
    drop.dataset.paper = one;
    drop.setAttribute("aria-label", `Remove ${how.toLowerCase()}: ${name}`);
    item.append(said, drop);
    return item;
  }

  async function choose(kind, other, { paper, name }) {
    chosen[other].delete(paper);
    chosen[kind].set(paper, name);
    drawChosen();
    if (await find()) {
      page.announce(`${kind === "like" ? "More" : "Less"} like ${name}`);
      id("find-form").scrollIntoView({ block: "nearest" });
      id("found-said").focus({ preventScroll: true });
    }
  }

  // ---------------------------------------------------------------- what the reader does

  function clear() {
    asked += 1;
    searched = false;
    shown = 0;
    id("matches").replaceChildren();
    id("found-notes").replaceChildren();
    document.querySelector(".found-head").hidden = true;
    document.querySelector('[data-do="more"]').hidden = true;
    sessionStorage.removeItem(KEPT);
  }

  Object.assign(page.doing, {
    more: async () => {
      const before = shown;
      if (await find({ more: true })) id(`match-${before + 1}-name`)?.focus();
    },
    like: (button) => choose("like", "unlike", button.dataset),
    unlike: (button) => choose("unlike", "like", button.dataset),
    unchoose: async (button) => {
      chosen.like.delete(button.dataset.paper);
      chosen.unlike.delete(button.dataset.paper);
      drawChosen();
      box().focus();
      if (anything()) await find();
      else clear();
    },
    "open-saved": (button) => openSaved(button.dataset).catch(tell),
    "forget-saved": (button) =>
      change("find/forget", { name: button.dataset.name }, "The search is forgotten."),
    "clear-find-filters": async () => {
      id("find-filters").reset();
      id("find-filters").elements.year_from.focus();
      await find();
    },
    "copy-found": async (button) => {
      const form = wanted();
      form.set("limit", shown);
      try {
        const answer = await page.fetch("find/text", form);
        await page.copyText(await answer.text(), button);
      } catch (error) {
        tell(error);
      }
    },
  });

  document.addEventListener("submit", async (event) => {
    if (event.target.id === "find-form") {
      event.preventDefault();
      await find();
    } else if (event.target.id === "find-filters") {
      event.preventDefault();
      if (searched) await find();
    } else if (event.target.id === "found-save") {
      event.preventDefault();
      const form = wanted();
      form.set("name", event.target.elements.name.value);
      if (await change("find/save", form, "The search is saved.")) event.target.reset();
    } else if (event.target.id === "found-export") {
      event.preventDefault();
      const form = wanted();
      form.set("limit", shown);
      form.set("format", event.target.elements.format.value);
      try {
        await page.download("find/export", form);
        tell(null);
      } catch (error) {
        tell(error);
      }
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "idea" || event.key !== "Enter") return;
    if (event.shiftKey || event.isComposing) return;
    event.preventDefault();
    find();
  });

  /* The box is as high as what is in it, up to what its style allows. */
  function grow() {
    box().style.height = "auto";
    box().style.height = `${box().scrollHeight + 2}px`;
  }

  let waiting;
  document.addEventListener("input", (event) => {
    if (event.target.id === "idea") grow();
    if (!searched || !event.target.closest?.("#find-filters, #found-sort")) return;
    clearTimeout(waiting);
    waiting = setTimeout(find, event.target.matches("input") ? 350 : 0);
  });
})();
