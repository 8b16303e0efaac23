/* Talking to the server: asking it, telling what went wrong, saving a file that it gives.
   What it answers is our own HTML, escaped there; names never become HTML here. */
(() => {
  "use strict";

  const page = (window.assistantPage ??= {});
  const id = (name) => document.getElementById(name);

  page.fetch = async (path, form) => {
    const options = { cache: "no-store" };
    if (form) {
      Object.assign(options, {
        method: "POST",
        headers: { "x-assistant-page": "1" },
        body: new URLSearchParams(form),
      });
    }
    let answer;
    try {
      answer = await fetch(path, options);
    } catch {
      throw { message: "The assistant does not answer.", hint: "Is it still running?" };
    }
    if (!answer.ok) {
      throw await answer.json().catch(() => ({ message: `Error ${answer.status}.`, hint: "" }));
    }
    return answer;
  };
  page.json = async (path, form) => (await page.fetch(path, form)).json();

  page.tell = (error, place = id("library-message")) => {
    if (!place) return;
    place.replaceChildren();
    place.classList.toggle("error", Boolean(error));
    if (!error) return;
    if (error instanceof Error) throw error; // a fault of this script
    for (const [part, kind] of [[error.message, "what"], [error.hint, "hint"]]) {
      if (!part) continue;
      const line = document.createElement("p");
      line.className = kind;
      line.textContent = part;
      place.append(line);
    }
  };

  /* Asked for first, so that what goes wrong is told on the page and not saved as a file. */
  page.download = async (path, form) => {
    const answer = await page.fetch(path, form);
    const named = answer.headers.get("content-disposition")?.match(/filename=(\S+)/);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = named ? decodeURIComponent(named[1]) : "papers";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
})();
