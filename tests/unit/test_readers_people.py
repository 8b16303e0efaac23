"""Lines of authors that hold several people, and lines that hold one."""

from __future__ import annotations

import pytest

from assistant.library.readers.tagged import split_people


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("Smith, J., Jones, K. and Lee, L.", ["Smith, J.", "Jones, K.", "Lee, L."]),
        ("Smith, J. A., Jones, K.-L., & Lee, L.", ["Smith, J. A.", "Jones, K.-L.", "Lee, L."]),
        ("van der Berg, A. and O'Neil, B.", ["van der Berg, A.", "O'Neil, B."]),
        ("Smith J, Jones KL, Lee L", ["Smith J", "Jones KL", "Lee L"]),
        ("García Márquez G and Núñez P", ["García Márquez G", "Núñez P"]),
        ("Smith, John; Jones, Kate", ["Smith, John", "Jones, Kate"]),
        ("Ann Smith, Ben B. Jones and Cy Lee", ["Ann Smith", "Ben B. Jones", "Cy Lee"]),
        ("Ann Smith and Ben Jones", ["Ann Smith", "Ben Jones"]),
        ("Garcia Marquez, Gabriel Jose", ["Garcia Marquez, Gabriel Jose"]),
        ("Bill and Melinda Gates Foundation", ["Bill and Melinda Gates Foundation"]),
        ("University of York, Health Group", ["University of York, Health Group"]),
        ("Smith, John", ["Smith, John"]),
        ("Smith, J.", ["Smith, J."]),
        ("Smith, J. A., Jr.", ["Smith, J. A., Jr."]),
        ("Smith, Anna and Ben", ["Smith, Anna and Ben"]),
        ("Johnson and Johnson", ["Johnson and Johnson"]),
        ("Department of Health and Human Services", ["Department of Health and Human Services"]),
        ("Ministry of Health, Labour and Welfare", ["Ministry of Health, Labour and Welfare"]),
        ("王小明、李四", ["王小明", "李四"]),
        ("", []),
    ],
)
def test_a_line_of_authors(line: str, people: list[str]):
    assert [name for name in split_people([line]) if name] == people
