"""HTTP for the hub: no hidden redirects, a token for its own host only, an end to every wait."""

from __future__ import annotations

import http.client
import os
import queue
import threading
import urllib.error
import urllib.request
from email.message import Message
from typing import Any
from urllib.parse import urljoin, urlsplit

from assistant import __version__
from assistant.weights.files import CHUNK, SourceFailed

REDIRECT_CODES = frozenset({301, 302, 303, 307, 308})
PARTIAL_CONTENT = 206
RANGE_UNUSABLE = 416
MOST_REDIRECTS = 5

_CONNECT_SECONDS = 5
_GIVE_UP_SECONDS = 8  # covers name resolution, which has no timeout of its own
_STALL_SECONDS = 30
_MISSING = 404
_REASONS = {
    401: "the hub wants a login: set HF_TOKEN",
    403: "the hub refuses access: accept the model's terms there and set HF_TOKEN",
}


class NoSuchFile(SourceFailed):
    """The hub answers, and has no file of that name."""


class LineBroken(SourceFailed):
    """The connection broke off; what came before is good."""


def head(url: str) -> tuple[int, Message]:
    """Return status and headers of ``url``, redirects not followed.

    It is asked in a thread of its own, so that nothing that hangs can hold the reader up; raise
    ``SourceFailed`` when no answer comes within seconds.
    """
    answers: queue.Queue[tuple[int, Message] | BaseException] = queue.Queue()

    def ask() -> None:
        try:
            with _open(url, "HEAD", _CONNECT_SECONDS) as answer:
                answers.put((answer.status, answer.headers))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            answers.put(error)

    threading.Thread(target=ask, name="hub-lookup", daemon=True).start()
    host = urlsplit(url).netloc
    try:
        answer = answers.get(timeout=_GIVE_UP_SECONDS)
    except queue.Empty:
        raise SourceFailed(f"{host} did not answer within {_GIVE_UP_SECONDS} s") from None
    if isinstance(answer, (OSError, http.client.HTTPException, ValueError)):
        raise SourceFailed(f"{host} cannot be reached: {_reason(answer)}") from answer
    if isinstance(answer, BaseException):
        raise answer
    return answer


def get(url: str, start: int) -> Any:
    """Open a file at byte ``start``, following redirects to the hub's store.

    Raise ``LineBroken`` when the connection fails, ``SourceFailed`` when the hub says no.
    """
    asked = url
    for _ in range(MOST_REDIRECTS):
        try:
            answer = _open(url, "GET", _STALL_SECONDS, start, token=same_host(url, asked))
        except (OSError, http.client.HTTPException) as error:
            raise LineBroken(_reason(error)) from error
        if answer.status not in REDIRECT_CODES:
            return answer
        answer.close()
        onward = urljoin(url, answer.headers.get("Location", ""))
        if urlsplit(onward).scheme not in {"https", urlsplit(url).scheme}:
            raise SourceFailed("the hub redirects to an address that is not encrypted")
        url = onward
    raise SourceFailed("the hub redirects without end")


def read(answer: Any) -> bytes:
    """Read the next piece of an answer; raise ``LineBroken`` when the connection fails."""
    try:
        return bytes(answer.read(CHUNK))
    except (OSError, http.client.HTTPException) as error:
        raise LineBroken(_reason(error)) from error


def same_host(one: str, other: str) -> bool:
    """Tell whether two addresses have the same scheme, host and port."""
    return urlsplit(one)[:2] == urlsplit(other)[:2]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leave redirects to the caller, who decides which host gets the token."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def _open(url: str, method: str, seconds: float, start: int = 0, *, token: bool = True) -> Any:
    headers = {"User-Agent": f"abstract-assistant/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    secret = os.environ.get("HF_TOKEN", "").strip()
    if secret and token:
        headers["Authorization"] = f"Bearer {secret}"
    request = urllib.request.Request(url, headers=headers, method=method)  # noqa: S310 - checked
    try:
        return urllib.request.build_opener(_NoRedirect).open(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        if error.code in REDIRECT_CODES or error.code == RANGE_UNUSABLE:
            return error
        reason = _REASONS.get(error.code, f"the hub answers {error.code} {error.reason}")
        error.close()
        if error.code == _MISSING:
            raise NoSuchFile("the hub has no such file") from error
        raise SourceFailed(reason) from error


def _reason(error: BaseException) -> str:
    inner = getattr(error, "reason", None) or error
    return str(getattr(inner, "strerror", None) or inner or type(error).__name__)
