/* Importing on the Library tab: files are copied to the server, which goes on by itself; every
   tab asks how far it is. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const id = (name) => document.getElementById(name);
  const OFTEN = 700; // milliseconds between two looks at an import under way
  const CLOSED = "closed-ledger"; // where it is kept which ledger the reader has closed
  const SELDOM = 4000; // and at whether another tab has begun one
  let copying = null; // the transfer under way

  // ---------------------------------------------------------------- watching

  let shown = ""; // which state of which import is drawn
  let state = "";
  let timer = null;

  page.watchImport = async () => {
    clearTimeout(timer);
    let view;
    try {
      view = await page.json("library/import");
    } catch {
      timer = setTimeout(page.watchImport, SELDOM);
      return;
    }
    draw(view);
    if (view.state === "running" || !document.hidden) {
      timer = setTimeout(page.watchImport, view.state === "running" ? OFTEN : SELDOM);
    }
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && id("job")) page.watchImport();
  });

  function draw(view) {
    const job = id("job");
    if (view.key !== shown) {
      const held = job.contains(document.activeElement);
      const open = [...job.querySelectorAll("details[open]")].map((one) => one.id);
      job.innerHTML = view.html;
      job.hidden = !view.html || sessionStorage.getItem(CLOSED) === view.key;
      for (const name of open) if (id(name)) id(name).open = true;
      if (held) {
        job.tabIndex = -1;
        job.focus({ preventScroll: true });
      }
      shown = view.key;
    } else if (view.state === "running") {
      move(job, view);
    }
    const [before, beforeJob] = [state, job.dataset.started];
    state = view.state;
    job.dataset.started = view.key.split("-", 1)[0];
    const news = id("tab-news");
    if (news) news.textContent = state === "running" ? " · importing" : "";
    // one that was over before it was looked at has ended as well
    const another = before && job.dataset.started !== beforeJob;
    if (state !== "running" && (before === "running" || another)) {
      page.announce(job.querySelector(".sum-line")?.textContent || "The import has ended.");
      page.libraryChanged();
    } else if (before && before !== "running" && state === "running") {
      page.announce("The import has begun.");
    }
  }

  function move(job, view) {
    const [line, bar] = [job.querySelector(".job-line"), job.querySelector("progress")];
    if (line.textContent !== view.line) line.textContent = view.line;
    if (view.total) {
      bar.max = view.total;
      bar.value = view.done;
    } else {
      bar.removeAttribute("value");
    }
  }

  // ---------------------------------------------------------------- copying

  async function bring(files) {
    page.tell(null);
    if (!files.length || copying) return;
    let batch;
    try {
      ({ batch } = await page.json("library/import/begin", {}));
      const all = files.reduce((sum, file) => sum + file.size, 0);
      let before = 0;
      id("copying").hidden = false;
      for (const file of files) {
        await copy(batch, file, (done) => progress(file.name, before + done, all));
        before += file.size;
      }
      await page.json("library/import/start", { batch });
      id("job").scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (batch) page.json("library/import/discard", { batch }).catch(() => {});
      if (error !== CANCELLED) page.tell(error);
    } finally {
      copying = null;
      id("copying").hidden = true;
      id("files").value = "";
      page.watchImport();
    }
  }

  const CANCELLED = { message: "Cancelled.", hint: "" };

  /* Returns when one file is copied; fetch cannot tell how far it is. */
  function copy(batch, file, tell) {
    return new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      copying = request;
      const names = new URLSearchParams({ batch, name: file.name });
      request.open("PUT", `library/import/file?${names}`);
      request.setRequestHeader("x-assistant-page", "1");
      request.upload.onprogress = (event) => tell(event.loaded);
      request.onload = () => (request.status === 200 ? done() : failed(said(request)));
      request.onabort = () => failed(CANCELLED);
      request.onerror = () =>
        failed({
          message: `${file.name} could not be copied.`,
          hint: "Choose files, not folders; is the assistant still running?",
        });
      request.send(file);
    });
  }

  function said(request) {
    try {
      return JSON.parse(request.responseText);
    } catch {
      return { message: `Error ${request.status}.`, hint: "" };
    }
  }

  function progress(name, done, all) {
    const share = all ? Math.min(100, Math.round((100 * done) / all)) : 100;
    id("copying").querySelector(".job-line").textContent = `Copying ${name} · ${share} %`;
    id("copying").querySelector("progress").value = share;
  }

  // ---------------------------------------------------------------- what the reader does

  Object.assign(page.doing, {
    "cancel-copy": () => copying?.abort(),
    "cancel-import": async (button) => {
      button.disabled = true;
      button.textContent = "Cancelling…";
      await page.json("library/import/cancel", {});
    },
    "close-ledger": () => {
      sessionStorage.setItem(CLOSED, shown);
      id("job").hidden = true;
      id("files").focus();
    },
    "forget-tables": async () => {
      await page.json("library/import/forget", {});
      await page.watchImport();
    },
  });

  document.addEventListener("change", (event) => {
    if (event.target.id === "files") bring([...event.target.files]);
  });

  document.addEventListener("submit", async (event) => {
    if (!event.target.matches?.(".mapping")) return;
    event.preventDefault();
    page.tell(null);
    try {
      await page.json("library/import/map", { column: event.target.elements.column.value });
    } catch (error) {
      page.tell(error);
    }
    page.watchImport();
  });

  // anywhere on the tab: a file that is dropped beside the box must not open in its stead
  const carries = (event) =>
    page.tab() === "library" && [...(event.dataTransfer?.types ?? [])].includes("Files");
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      id("drop").classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) id("drop")?.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    id("drop").classList.remove("over");
    bring([...event.dataTransfer.files]);
  });
})();
