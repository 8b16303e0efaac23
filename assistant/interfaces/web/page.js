/* What the page does by itself: source cards, copying, focus and scrolling.
   Gradio redraws its HTML blocks as answers come in and drops what it did not write, such as an
   open card. So what the reader did is remembered here and put back after each redraw. */
(() => {
  "use strict";

  const opened = new Map(); // id of an open card -> the statement whose marker opened it, or null
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const wide = matchMedia("(min-width: 56.01rem)");
  let lastFocus = null; // how to find the element that had the focus again
  let following = null; // id of the exchange that is kept in view while it grows
  const freed = new Set(); // ids of those that the reader has scrolled away from

  const page = (window.assistantPage ??= {});
  const box = () => document.querySelector("#question textarea");

  // ---------------------------------------------------------------- source cards

  function dress(card) {
    const statement = opened.get(card.id);
    for (const mark of card.querySelectorAll("mark")) {
      const owners = mark.dataset.for.split(" ");
      const several = card.querySelectorAll("mark").length > 1;
      mark.classList.toggle("strong", several && owners.includes(String(statement)));
    }
  }

  function open(card, statement) {
    opened.set(card.id, statement);
    card.open = true;
    dress(card);
  }

  function close(card) {
    const statement = opened.get(card.id);
    opened.delete(card.id);
    card.open = false;
    const marker = document.querySelector(
      `a.marker[href="#${card.id}"][data-statement="${statement}"]`,
    );
    (marker || card.querySelector("summary")).focus();
  }

  function show(marker) {
    const card = document.getElementById(marker.getAttribute("href").slice(1));
    if (!card) return;
    open(card, marker.dataset.statement);
    letGo();
    card.querySelector("summary").focus({ preventScroll: true });
    const target = card.querySelector("mark.strong") || card.querySelector("mark") || card;
    const tall = card.offsetHeight > innerHeight * 0.6;
    (tall ? target : card).scrollIntoView({
      behavior: calm.matches ? "auto" : "smooth",
      block: "center",
    });
    card.classList.remove("flash");
    void card.offsetWidth; // starts the animation anew
    card.classList.add("flash");
  }

  // ---------------------------------------------------------------- copying

  const copy = (button) => copyText(button.dataset.copy, button);

  /* Puts text on the clipboard, and says so on the button. */
  async function copyText(text, button) {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      done = copyTheOldWay(text); // no permission, or not a secure context
    }
    const label = button.querySelector(".label") ?? button;
    const name = label.dataset.name || label.textContent;
    label.dataset.name = name;
    label.textContent = done ? "Copied" : "Press Ctrl+C";
    announce(label.textContent);
    setTimeout(() => {
      label.textContent = name;
    }, 1800);
  }

  page.copyText = copyText;

  function copyTheOldWay(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }

  let voice = null;
  function announce(text) {
    if (!voice) {
      voice = document.createElement("div");
      voice.className = "unseen";
      voice.setAttribute("role", "status");
      document.body.append(voice);
    }
    voice.textContent = text;
  }
  page.announce = announce;

  // ---------------------------------------------------------------- after a redraw

  function nameOf(element) {
    const holder = element.closest?.("[id^=turn-]");
    if (!holder) return null;
    const inside =
      element === holder
        ? ""
        : element.matches("a.marker")
          ? ` a.marker[data-statement="${element.dataset.statement}"]`
          : ` ${element.localName}${[...element.classList].map((name) => "." + name).join("")}`;
    return `#${holder.id}${inside}`;
  }

  function putBack() {
    for (const id of opened.keys()) {
      const card = document.getElementById(id);
      if (card && !card.open) card.open = true;
      if (card) dress(card);
    }
    if (lastFocus && document.activeElement === document.body) {
      document.querySelector(lastFocus)?.focus({ preventScroll: true });
    }
  }

  function follow() {
    const last = lastTurn();
    if (page.tab() !== "ask" || !last || freed.has(last.id)) return;
    const busy = last.querySelector('.answer[aria-busy="true"]');
    if (busy) following = last.id;
    if (following !== last.id) return;
    scrollTo({ top: last.getBoundingClientRect().top + scrollY - 16, behavior: "instant" });
    if (!busy) setTimeout(() => (following = null), 300); // the redraw may come in two parts
  }

  function lastTurn() {
    const turns = document.querySelectorAll(".turn");
    return turns[turns.length - 1];
  }

  function letGo() {
    const last = lastTurn();
    if (last) freed.add(last.id);
  }

  const ours = "#transcript, #live, #sidebar";
  new MutationObserver((changes) => {
    const touched = changes.some((change) => {
      const target = change.target.nodeType === 1 ? change.target : change.target.parentElement;
      return target?.closest(ours) || target?.querySelector?.(ours);
    });
    if (!touched) return;
    putBack();
    follow();
    unfoldSidebar();
    nameTheBox();
    page.tellScope();
  }).observe(document, {
    attributes: true,
    attributeFilter: ["open"],
    characterData: true,
    childList: true,
    subtree: true,
  });

  // ---------------------------------------------------------------- side bar and question

  let folded = true; // as the reader has left it on a small screen
  function unfoldSidebar() {
    const about = document.getElementById("about");
    const open = wide.matches || !folded;
    if (about && about.open !== open) about.open = open;
  }
  wide.addEventListener("change", unfoldSidebar);

  let named = false;
  function nameTheBox() {
    const area = box();
    if (!area || named) return;
    named = true;
    area.setAttribute("aria-label", "Your question");
    if (page.tab() === "ask" && wide.matches && document.activeElement === document.body) {
      area.focus({ preventScroll: true });
    }
  }

  // ---------------------------------------------------------------- what the reader does

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    if (at("a.marker")) {
      event.preventDefault();
      show(at("a.marker"));
    } else if (at(".skip")) {
      event.preventDefault();
      const first = { library: "#filters input", find: "#find-form textarea" }[page.tab()];
      (first ? document.querySelector(first) : box())?.focus();
    } else if (at("#about > summary")) {
      folded = document.getElementById("about").open; // it will be the other way about
    } else if (at("[data-open-find]")) {
      event.preventDefault();
      page.findThis(at("[data-open-find]").dataset.openFind);
    } else if (at("button.instead")) {
      page.instead = at("button.instead").dataset.question;
      document.getElementById("instead").click();
      box()?.focus({ preventScroll: true });
    } else if (at("button.copy")) {
      copy(at("button.copy"));
    } else if (at(".card > summary") && !at("a")) {
      event.preventDefault();
      const card = at(".card");
      if (card.open) close(card);
      else open(card, null);
      card.querySelector("summary").focus();
    } else if (at("#send, .chip, #retry, #undo, #clear, #stop")) {
      box()?.focus({ preventScroll: true });
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.activeElement !== box()) {
      const held = document.activeElement?.closest?.(".card[open]");
      const last = [...opened.keys()].map((id) => document.getElementById(id)).filter(Boolean).pop();
      if (held || last) {
        event.preventDefault();
        close(held || last);
      }
    } else if (["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"].includes(event.key)) {
      letGo();
    }
  });

  document.addEventListener("focusin", (event) => {
    lastFocus = nameOf(event.target);
  });
  for (const gesture of ["wheel", "touchmove"]) {
    document.addEventListener(gesture, letGo, { passive: true });
  }
})();
