/* The two views of the page, Ask and Library; the address says which is shown. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const NAMES = ["ask", "library"];
  const PANELS = { ask: "columns", library: "library" };
  const at = { ask: 0, library: 0 }; // how far each is scrolled

  const wanted = () => (location.hash === "#library" ? "library" : "ask");
  page.tab = () => document.documentElement.dataset.tab;

  function show(name) {
    const before = page.tab();
    if (before === name) return;
    if (before) at[before] = scrollY;
    document.documentElement.dataset.tab = name;
    label();
    if (before) scrollTo({ top: at[name], behavior: "instant" });
    if (name === "library") page.openLibrary?.();
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
      if (page.tab() === "library") page.openLibrary?.();
    }
  }).observe(document, { childList: true, subtree: true });

  document.addEventListener("click", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab) return;
    event.preventDefault(); // the address changes, the page stays where it is
    turnTo(tab);
  });

  function turnTo(tab) {
    history.pushState(null, "", tab.getAttribute("href"));
    show(wanted());
    tab.focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab) return;
    const place = NAMES.indexOf(tab.id.slice(4));
    const to = { ArrowRight: 1 - place, ArrowLeft: 1 - place, Home: 0, End: 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      turnTo(document.getElementById(`tab-${NAMES[to]}`));
    } else if (event.key === " ") {
      event.preventDefault();
      turnTo(tab);
    }
  });
})();
