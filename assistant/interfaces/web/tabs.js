/* The three views of the page, Ask, Find and Library; the address says which is shown. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const PANELS = { ask: "columns", find: "find", library: "library" };
  const NAMES = Object.keys(PANELS);
  const at = {}; // how far each is scrolled

  const wanted = () => NAMES.find((name) => location.hash === `#${name}`) ?? "ask";
  page.tab = () => document.documentElement.dataset.tab;

  function show(name) {
    const before = page.tab();
    if (before === name) return;
    if (before) at[before] = scrollY;
    document.documentElement.dataset.tab = name;
    label();
    if (before) scrollTo({ top: at[name] ?? 0, behavior: "instant" });
    opened();
  }

  function opened() {
    if (page.tab() === "library") page.openLibrary?.();
    if (page.tab() === "find") page.openFind?.();
  }

  /* Gradio makes the panels some time after the page is there. */
  function label() {
    for (const name of NAMES) {
      const tab = document.getElementById(`tab-${name}`);
      const panel = document.getElementById(PANELS[name]);
      const shown = page.tab() === name;
      if (tab && tab.getAttribute("aria-selected") !== String(shown)) {
        tab.setAttribute("aria-selected", shown);
        tab.tabIndex = shown ? 0 : -1;
      }
      if (panel && panel.getAttribute("role") !== "tabpanel") {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", `tab-${name}`);
      }
    }
  }

  show(wanted());
  addEventListener("hashchange", () => show(wanted()));

  let begun = false;
  new MutationObserver(() => {
    label();
    if (!begun && document.getElementById("job") && document.getElementById("scope-choice")) {
      begun = true;
      page.beginLibrary?.();
      opened();
    }
  }).observe(document, { childList: true, subtree: true });

  document.addEventListener("click", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab) return;
    event.preventDefault(); // the address changes, the page stays where it is
    turnTo(tab);
  });

  page.turnTo = (name) => turnTo(document.getElementById(`tab-${name}`));

  function turnTo(tab) {
    history.pushState(null, "", tab.getAttribute("href"));
    show(wanted());
    tab.focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab) return;
    const place = NAMES.indexOf(tab.id.slice(4));
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      turnTo(document.getElementById(`tab-${NAMES.at(to % NAMES.length)}`));
    } else if (event.key === " ") {
      event.preventDefault();
      turnTo(tab);
    }
  });
})();
