"""What LaTeX commands read as in plain text, and how formulas become one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.library.latex_letters import letters
from assistant.library.mapped import Mapped
from assistant.library.wordlists import listed


def _pairs(listed: str) -> dict[str, str]:
    """Return the mapping that ``listed`` spells as "name sign name sign"."""
    items = listed.split()
    return dict(zip(items[::2], items[1::2], strict=True))


SYMBOLS = {
    "quad": " ",
    "qquad": " ",
    **_pairs("""
        alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ
        iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ
        chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ
        Psi Ψ Omega Ω ell ℓ hbar ℏ
        times × texttimes × cdot · ast * star * pm ± mp ∓ div ÷ leq ≤ le ≤ leqslant ≤ geq ≥ ge ≥
        geqslant ≥
        neq ≠ ne ≠ approx ≈ sim ~ simeq ≈ equiv ≡ propto ∝ ll ≪ gg ≫ lesssim ≲ gtrsim ≳ infty ∞
        partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ in ∈ notin ∉ subset ⊂ subseteq ⊆ cup ∪ cap ∩
        to → rightarrow → leftarrow ← Rightarrow ⇒ leftrightarrow ↔ mapsto ↦ forall ∀ exists ∃
        emptyset ∅ otimes ⊗ oplus ⊕ odot ⊙ circ ° degree ° dagger † prime ′ ldots … cdots … dots …
        langle ⟨ rangle ⟩ lVert ‖ rVert ‖ Vert ‖ mid | vert | setminus ∖ perp ⊥ wedge ∧ vee ∨
        neg ¬ textregistered ® textsuperscript ^ textsubscript _ textasciitilde ~
        textbackslash \\ textbraceleft { textbraceright }
        textless < textgreater > textbar | textendash – textemdash — textquoteleft ‘
        textquoteright ’ textquotedblleft “ textquotedblright ” textmu µ textpm ± textdegree °
        textbullet • textcopyright © texttrademark ™ textasciicircum ^ textunderscore _ textdollar $
        textsterling £ textsection § textparagraph ¶ textquotesingle ' textquotedbl "
        textonequarter ¼ textthreequarters ¾ textperiodcentered · textrightarrow → textleftarrow ←
        textperthousand ‰
        textohm Ω textminus − textdiv ÷
        textsurd √ texttwosuperior ² textonesuperior ¹
        textellipsis … copyright © pounds £ euro € texteuro € textonehalf ½ dh ð th þ i ı j ȷ P ¶
        ss ß ae æ AE Æ oe œ OE Œ o ø O Ø l ł L Ł aa å AA Å S §
    """),
}
_GREEK = listed("""
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau
""")
SYMBOLS |= {f"text{name}": SYMBOLS[name] for name in (*_GREEK, "phi", "chi", "psi", "omega")}

FUNCTIONS = frozenset(
    listed("""
    log ln exp sin cos tan tanh min max sup inf lim arg argmin argmax det dim ker deg Pr gcd
    limsup liminf mod
""")
)

_SIZES = "big Big bigg Bigg bigl bigr Bigl Bigr left right middle displaystyle textstyle limits"
_STYLES = (
    "mathcal mathbb mathbf mathrm mathit mathsf mathtt mathfrak mathscr boldsymbol bm text textrm "
    "textbf textit textsf texttt textsc textup emph underline operatorname operatorname* mbox hat "
    "bar tilde vec widehat widetilde overline mathop rm bf textsl textmd ensuremath textsubscript "
    "textsuperscript"
)
_STYLE_NAMES = "|".join(sorted(map(re.escape, _STYLES.split()), key=len, reverse=True))

_SIZE = re.compile(rf"\\(?:{'|'.join(_SIZES.split())})(?![A-Za-z])\s*\.?")
_STYLED = re.compile(rf"\\(?:{_STYLE_NAMES})\s*\{{([^{{}}]*)\}}")
_STYLED_BARE = re.compile(rf"\\(?:{_STYLE_NAMES})(?![A-Za-z])\s*")
_FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([\^_])\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?(\s*)")
_GROUP = re.compile(r"\{([^{}]*)\}")
_PROTECTED = re.compile(
    r"(?<![\\^_])\{((?=[^{}]*[^\W\d_])[^{}\\,;:=|<>]{1,80}|[^\w\s{}]|_|[_^]\w{1,9})\}"
)  # {Word}, {DNA}-based, {[}
_THIN = re.compile(r"\\[,;:! ]|~")
_ESCAPED = re.compile(r"\\([%&#_$*~{}|<>\[\]`+.!\\-])")
_ATOM = re.compile(r"[A-Za-z]+|[0-9.]+|[^\w\s]|\w", re.ASCII)
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])\\(')(?=(?:s|t|re|ll|ve)(?![A-Za-z\\{}]))")  # "it\'s"
_QUOTED = re.compile(r"``|''")
_SYMBOL_NAMES = "|".join(sorted(SYMBOLS, key=len, reverse=True))
_TEXT_COMMAND = re.compile(
    rf"\{{\\({_SYMBOL_NAMES})\s*\}}|\\({_SYMBOL_NAMES})(?![A-Za-z])(?:\{{\}})?"
)
_COMMAND_END = re.compile(r"\\[A-Za-z]+\s*$")
_MAX_COMMAND = 40
_DEPTH = 6


def formula(math: Mapped) -> Mapped:
    """Return the inside of a formula as one readable line: ``2^p``, ``1/2``, ``M^Shap``."""
    math = math.sub(_SIZE, lambda _: "")
    math = math.sub(_THIN, lambda _: " ")
    math = math.rewrite(_COMMAND, _command)
    for _ in range(_DEPTH):  # from the inside out; formulas of abstracts are shallow
        before = math
        math = math.rewrite(_STYLED, _inside)
        math = math.rewrite(_FRACTION, _fraction)
        math = math.rewrite(_ROOT, _root)
        math = math.rewrite(_SCRIPT, _script)
        if math is before:
            break
        math = math.rewrite(_GROUP, _group)
    math = math.sub(_STYLED_BARE, lambda _: "")
    return _unescape(math).sub(re.compile(r"[{}\\]"), lambda _: "")


def words(text: Mapped) -> Mapped:
    """Return text outside formulas with accents composed, styles dropped and escapes undone."""
    if "\\" in text.text:
        text = text.sub(_APOSTROPHE, lambda match: match[1])
        for _ in range(_DEPTH):
            before = text
            text = letters(text).rewrite(_STYLED, _inside)
            if text is before:
                break
        text = text.sub(_TEXT_COMMAND, lambda match: SYMBOLS[match[1] or match[2]])
        text = _unescape(text)
    if "``" in text.text and "''" in text.text:
        text = text.sub(_QUOTED, lambda match: "“" if match.group() == "``" else "”")
    return text


def unprotected(text: Mapped) -> Mapped:
    """Take off the braces that keep the case of a word or hold a sign; sets keep theirs."""
    for _ in range(_DEPTH):
        if "{" not in text.text:
            return text
        before = text
        text = text.rewrite(_PROTECTED, _inside)
        if text is before:
            break
    return text


def _command(math: Mapped, match: re.Match[str]) -> Iterable[Mapped] | None:
    name = match[1]
    if name in SYMBOLS:
        # "\to x" keeps its blank, "\alpha x" too: they read better apart
        return (
            math.literal(SYMBOLS[name], match.start(), match.start(2)),
            math.slice(match.start(2), match.end()),
        )
    if name in FUNCTIONS:
        before = math.text[match.start() - 1 : match.start()]
        gap = " " if before.isalnum() else ""
        return (
            math.literal(gap, match.start(), match.start() + 1),
            math.slice(match.start(1), match.end(1)),
            math.slice(match.start(2), match.end()),
        )
    return None


def _fraction(math: Mapped, match: re.Match[str]) -> Iterable[Mapped]:
    top, bottom = (1 if match[1] is not None else 2), (3 if match[3] is not None else 4)
    yield from _grouped(math, match, top)
    yield math.literal("/", match.end(top), match.end(top) + 1)
    yield from _grouped(math, match, bottom)


def _root(math: Mapped, match: re.Match[str]) -> Iterable[Mapped]:
    yield math.literal("√", match.start(), match.start() + 1)
    yield from _grouped(math, match, 1)


def _script(math: Mapped, match: re.Match[str]) -> Iterable[Mapped]:
    if match[2]:
        yield math.slice(*match.span(1))
        yield from _grouped(math, match, 2)


def _grouped(math: Mapped, match: re.Match[str], group: int) -> Iterable[Mapped]:
    """Yield a group, in parentheses where it would otherwise run into what follows."""
    start, end = match.span(group)
    inner = math.slice(start, end)
    call = re.fullmatch(r"\w+\([^()]*\)|\([^()]*\)", match[group])
    if start == end or _ATOM.fullmatch(match[group]) or call:
        yield inner
        return
    yield math.literal("(", start, start + 1)
    yield inner
    yield math.literal(")", end - 1, end)


def _inside(text: Mapped, match: re.Match[str]) -> Iterable[Mapped]:
    return (text.slice(*match.span(1)),)


def _group(math: Mapped, match: re.Match[str]) -> Iterable[Mapped] | None:
    """Drop braces that are no argument of anything."""
    before = math.text[max(0, match.start() - _MAX_COMMAND) : match.start()]
    is_argument = before.endswith(("^", "_", "}")) or _COMMAND_END.search(before)
    return None if is_argument else _inside(math, match)


def _unescape(text: Mapped) -> Mapped:
    if "\\" not in text.text:
        return text
    return text.sub(_ESCAPED, lambda match: match[1])
