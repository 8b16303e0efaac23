"""``assistant chat``: serve the page."""

from __future__ import annotations

import socket
from typing import Annotated

import typer

from assistant.errors import AssistantError
from assistant.interfaces.cli.shell import shell_of

LOOPBACK = "127.0.0.1"
FIRST_PORT = 7860
PORTS_TRIED = 20


def chat(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="The address to serve on; other than loopback lets others in.")
    ] = LOOPBACK,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65_535, show_default=False, help=f"The port; free ones from {FIRST_PORT} on."
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in a browser.")
    ] = False,
) -> None:
    """Open the chat page. It is served from this machine alone, and Ctrl-C ends it."""
    chosen = _free_port(host, port)
    with shell_of(context).opened(create=True) as assistant:
        from assistant.interfaces.web.page import serve

        serve(assistant, host=host, port=chosen, open_browser=not no_browser)


def _free_port(host: str, wanted: int | None) -> int:
    """Return the port wanted, or the first free one; raise ``AssistantError`` if there is none."""
    ports = [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for port in ports:
        if _is_free(host, port):
            return port
    taken = f"Port {wanted}" if wanted else f"Every port from {FIRST_PORT} to {ports[-1]}"
    raise AssistantError(
        f"{taken} on {host} is in use, or may not be used.", "Choose another with --port."
    )


def _is_free(host: str, port: int) -> bool:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As servers do: a port whose last connection only lingers counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError:
        return False
    return True
