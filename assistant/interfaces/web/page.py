"""Serve the page: one process, one port, nothing loaded from elsewhere."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

# Gradio reads these while it is imported.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "True"

import gradio as gr
import uvicorn
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse

from assistant.errors import AssistantError
from assistant.interfaces.web import find_routes, library_routes
from assistant.interfaces.web.layout import build_page
from assistant.interfaces.web.ports import PageAssistant

__all__ = ["PageServer", "build_page", "prepare", "serve"]

_log = logging.getLogger(__name__)
_HERE = Path(__file__).resolve().parent
_STYLES = ("page.css", "library.css", "find.css")
_SCRIPTS = ("server.js", "page.js", "scope.js", "library.js", "import.js", "find.js", "tabs.js")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Gradio compiles its templates in the browser, hence unsafe-eval; no other host is ever allowed.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; frame-src 'none'; object-src 'none'; frame-ancestors 'none'; "
    "base-uri 'self'; form-action 'self'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class PageServer:
    """A server that is ready to run, and the address that it will answer at."""

    url: str
    server: uvicorn.Server
    listening: socket.socket

    def run(self) -> None:
        """Serve until the process is interrupted or ``server.should_exit`` is set."""
        self.server.run(sockets=[self.listening])


def serve(
    assistant: PageAssistant,
    *,
    host: str = "127.0.0.1",
    port: int = 7860,
    open_browser: bool = True,
) -> None:
    """Serve the page until Ctrl-C; port 0 takes any free one. Raise ``AssistantError`` if taken."""
    page = prepare(assistant, host=host, port=port)
    threading.Thread(target=_after_start, args=(page, assistant, open_browser), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        page.run()


def prepare(assistant: PageAssistant, *, host: str = "127.0.0.1", port: int = 7860) -> PageServer:
    """Build the page and bind its port."""
    listening = _bound(host, port)
    app = _app(assistant, host)
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=1, lifespan="on", ws="none"
    )
    shown_host = f"[{host}]" if ":" in host else host
    url = f"http://{shown_host}:{listening.getsockname()[1]}"
    return PageServer(url, uvicorn.Server(config), listening)


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        raise AssistantError(
            f"The page cannot be served at {host}, port {port}: {error.strerror or error}.",
            "Choose another with --host and --port.",
        ) from error
    return listening


def _app(assistant: PageAssistant, host: str) -> Asgi:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.include_router(library_routes.routes(assistant))
    app.include_router(find_routes.routes(assistant))
    gr.mount_gradio_app(
        app,
        build_page(assistant),
        path="/",
        server_name=host,
        footer_links=[],
        run_history=False,
        show_error=False,
        ssr_mode=False,
        mcp_server=False,
        enable_monitoring=False,
        pwa=False,
        favicon_path=str(_HERE / "icon.svg"),
        theme=gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["monospace"]),
        head=_head(),
    )
    return _guarded(app, only_loopback=host in _LOOPBACK)


def _head() -> str:
    """Return our styles and scripts, inline: there before Gradio's are, and in no cache."""
    style = "".join((_HERE / name).read_text("utf-8") for name in _STYLES)
    scripts = ((_HERE / name).read_text("utf-8") for name in _SCRIPTS)
    return f"<style>{style}</style>" + "".join(f"<script>{script}</script>" for script in scripts)


def _guarded(app: Asgi, *, only_loopback: bool) -> Asgi:
    """Return ``app`` with the headers that keep the page to its own host.

    With ``only_loopback``, a request under another name is refused: a page elsewhere whose name
    is made to point to this machine must not get answers.
    """

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        if scope["type"] != "http":
            await app(scope, receive, send)
        elif only_loopback and not _names_loopback(scope):
            await PlainTextResponse("Unknown host name.", 400)(scope, receive, send)
        else:
            await app(scope, receive, send_with_headers)

    return guarded


def _names_loopback(scope: Scope) -> bool:
    named = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    try:
        return urlsplit(f"//{named}").hostname in _LOOPBACK
    except ValueError:
        return False


def _after_start(page: PageServer, assistant: PageAssistant, open_browser: bool) -> None:
    """Say where the page is, open it, and load what is heavy while the reader looks at it."""
    waiting = threading.Event()
    while not page.server.started:
        waiting.wait(0.05)
    Console().print(f"The page is at {page.url} (Ctrl-C ends it).", highlight=False)
    if open_browser:
        webbrowser.open(page.url)
    warm = getattr(assistant, "warm", None)
    if warm is not None:
        try:
            warm()
        except Exception:  # noqa: BLE001 - a question raises it again, for the reader to see
            _log.exception("Warming up failed.")
