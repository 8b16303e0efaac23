"""Publishers' notices are told from abstracts, wherever they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.library import abstracts, cleaning, notices

BODY = "We study the growth of mosses on walls. They grow in the shade."
NOTICES = [
    "© 2006, IEEE. All rights reserved.",
    "Copyright © 2010 John Wiley & Sons, Ltd.",
    "© 2017 The Authors. Moss Plus Published by Wiley Periodicals, Inc. on behalf of the Society for Moss.",
    "© 2023 The Authors. The Moss Record published by Wiley Periodicals LLC on behalf of Moss Friends.",
    "( PsycINFO Database Record ( c) 2002 APA, all rights reserved)",
    "(PsycInfo Database Record (c) 2022 APA, all rights reserved) (journal abstract)",
    ("© 2020 The Authors. Published by Elsevier B.V. This is an open access article under the CC BY-NC-ND "
    "license (http://creativecommons.org/licenses/by-nc-nd/4.0/) Peer-review under responsibility of the "
    "committee of the Conference"),
    "Crown Copyright © 2010 Published by Elsevier Ltd. All rights reserved.",
    "Published 2013. This article is a U.S. Government work and is in the public domain in the USA.",
    ("© The Author(s) 2024. Published by Oxford University Press on behalf of the Moss Society. All rights "
    "reserved. For permissions, please e-mail: moss@example.org."),
    "2008 Elsevier Ltd. All rights reserved.",
    "©2016 AACR.See related commentary by Doe, p. 123.",
    "J. Moss. Wall. 227: 1-2, 2012. © 2011 Wiley Periodicals, Inc.",
    "Moss Res; 76(15); 4546-58. ©2016 AACR.",
    "[Copyright 2010 Elsevier Ltd.]",
    "[Copyright &y& Elsevier]",
    "(c) RSNA, 2015.",
    "(Author abstract)",
    "VC 2015 Wiley Periodicals, Inc.",
    "© Georg Thieme Verlag KG Stuttgart · New York.",
    "Copyright © 2014 by the Society for Moss. Unauthorized reproduction of this article is prohibited.",
    "© 2021. The Author(s), under exclusive licence to Springer Nature Switzerland AG.",
    "Licensed under CC BY 4.0.",
    "Copyright: 2025 by the authors. Licensee MDPI, Basel, Switzerland.",
    "Publisher's Note: MDPI stays neutral with regard to claims in maps. Copyright is held by the owner.",
    "© 2021 Copyright for this paper by its authors. Use permitted under Creative Commons License.",
    "(C) 2015 Elsevier Ltd. Todos os direitos reservados.",
    "This work is licensed under a Creative Commons Attribution 4.0 License.",
    "© 2020 by the authors. Licensee MDPI, Basel, Switzerland.",
    ("© 2019 Doe. This is an open-access article distributed under the terms of the Creative Commons "
    "Attribution License, which permits unrestricted use, distribution, and reproduction in any medium, "
    "provided the original author and source are credited."),
    "© 2008 Elsevier Masson SAS. Tous droits réservés.",
    "© 2010 Moss. Publicado por Elsevier España, S.L. Todos los derechos reservados.",
    "Alle Rechte vorbehalten.",
    "版权所有。",
    "© 2005 Elsevier Ltd. All rights reserved. https://doi.org/10.1234/moss",
]  # fmt: skip


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("gap", [" ", "\n"])
def test_a_notice_at_the_end_is_no_content(notice: str, gap: str) -> None:
    text = f"{BODY}{gap}{notice}"
    assert text[: notices.start_of_notices(text)] == BODY


def test_a_notice_may_lack_the_full_stop_or_the_blank_before_it() -> None:
    for text in (
        "We study mosses that grow on the walls of old towns © 2006, IEEE.",
        "We study mosses that grow on the walls of old towns.© 2006, IEEE.",
        "We study mosses that grow on the walls of old towns.Copyright © 2006 Doe",
    ):
        kept = text[: notices.start_of_notices(text)]
        assert kept.rstrip(".") == "We study mosses that grow on the walls of old towns"


@pytest.mark.parametrize(
    "text",
    [
        "All software is released. It is licensed under the MIT license at https://example.org.",
        "(a) We do A; (b) we do B; (c) We find that copyright matters.",
        "Published in 2010 by a group, the method was found to be wrong. We repeat it.",
        "This article is about open access.",
        "We argue that all rights reserved is a bad default.",
        "This work presents a study of the public domain.",
        "Published work was reviewed. It is scarce.",
        "Under the terms of the treaty, fishing ended. We study why.",
        "2018 American voters were asked. They answered.",
        "The Copyright Act of 1976 changed it. Authors gained.",
        "We study the copyright of works. Holders differ.",
        "© 2019 Doe. Trial registration: NCT01234567.",
        "© 2019 Doe. Resumen. El musgo crece en las paredes.",
        f"Copyright of music is the topic. {BODY}",
        f"{BODY} © is the mark of rights. We find that its use was rare in the towns that we studied.",
    ],
)
def test_no_real_content_is_cut(text: str) -> None:
    assert notices.start_of_notices(text) == len(text)


@pytest.mark.parametrize(
    "lead",
    [
        "© 2019 Elsevier Ltd ",
        "Copyright 2008 Elsevier. ",
        "© 2020 The Author(s). ",
        "© 2013 IEEE.",
        "© 2016 The Authors. Published by Elsevier B.V. ",
        "Abstract © 2013 Springer Science+Business Media New York. ",
        "(C) 2008 Elsevier Ltd. All rights reserved. ",
        "Copyright 2017 by the Society for Moss, Inc. ",
        "{\\textcopyright} 2015 International Society for Moss. ",
        "Abstract",
        "ABSTRACT\n",
        "Abstract— ",
        "Abstract ABSTRACT: ",
        "【摘要】",
        "<正>",
        "A B S T R A C T ",
        "Abstract/Resumen: ",
        "**Abstract** ",
    ],
)
def test_what_stands_before_an_abstract_is_no_content(lead: str) -> None:
    text = cleaning.plain(f"{lead}{BODY}").text
    start, end = abstracts.content_span(text)
    assert text[start:end] == BODY


@pytest.mark.parametrize(
    "text",
    [
        "Abstract Meaning Representation (AMR) is a formalism that we study.",
        "Abstract Gardens are what we study. An abstract garden has no moss.",
        "Abstractive methods are good.",
        "Summary statistics are used by us.",
        "Description Logics are studied.",
        "© 2019 is the name of a song. We study it.",
    ],
)
def test_a_term_is_no_label(text: str) -> None:
    assert abstracts.content_span(text) == (0, len(text))


@given(st.lists(st.sampled_from(["We", "moss", "grew", "here", "2019", "(n = 3)"]), min_size=5))
def test_what_stands_before_a_notice_stays(words: list[str]) -> None:
    body = f"We saw {' '.join(words)} in the shade."
    for notice in NOTICES[:5]:
        text = f"{body} {notice}"
        assert text[: notices.start_of_notices(text)] == body


@given(st.text(max_size=200), st.sampled_from([*NOTICES, "©", "(c) ", "Copyright", "2019 "]))
def test_any_text_with_a_notice_is_cut_inside_of_it(text: str, notice: str) -> None:
    for whole in (f"{text} {notice}", f"{notice} {text}", f"{text} {notice} {text}"):
        assert 0 <= notices.start_of_notices(whole) <= len(whole)
        assert 0 <= notices.end_of_leading(whole) <= len(whole)


@pytest.mark.parametrize(
    "piece",
    ["© ", "(c) 2019 ", "Copyright. ", "Published by A ", "A ", "Abstract ", "Inc. ", "..."],
)
def test_hostile_repetition_ends_soon(piece: str) -> None:
    # no clock: what is quadratic without bound would hang the run here
    text = piece * (40_000 // len(piece))
    assert abstracts.content_span(text)[1] <= len(text)
