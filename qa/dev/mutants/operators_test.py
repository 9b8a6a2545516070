# SPDX-License-Identifier: Apache-2.0
"""Which mistakes are made of a piece of code."""

import pytest

from qa.dev.mutants.operators import places, replaced


def made_of(code: str) -> list[str]:
    return [replaced(code, place, instead) for place in places(code) for instead in place.instead]


@pytest.mark.parametrize(
    ("code", "mistakes"),
    [
        ("if (a < b) {", ["if (!(a < b)) {", "if (a <= b) {", "if (a > b) {"]),
        ("x = a >= b;", ["x = a > b;", "x = a < b;"]),
        ("x = a == b;", ["x = a != b;"]),
        ("x = a && b;", ["x = a || b;"]),
        ("x = f(a) -\n    b;", ["x = f(a) +\n    b;"]),
        ("x += a;", ["x -= a;"]),
        ("++x;", ["--x;"]),
        ("x--;", ["x++;"]),
        ("x = 0;", ["x = 1;", "x = -1;"]),
        ("x = 0x10;", ["x = (0x10 + 1);", "x = (0x10 - 1);"]),
        ("x = 1'000u;", ["x = (1'000u + 1);", "x = (1'000u - 1);"]),
        ("return true;", ["return false;"]),
        ("break;", ["continue;"]),
        ("x = !a;", ["x = a;"]),
        ("return a || f(b);", ["return !(a || f(b));", "return a && f(b);"]),
        ("while (f(a)) {", ["while (!(f(a))) {"]),
        ("x = a == \"b\" && c;", ["x = a != \"b\" && c;", "x = a == \"b\" || c;"]),
    ],
)
def test_each_mistake_is_made_of_it(code: str, mistakes: list[str]) -> None:
    assert made_of(code) == mistakes


@pytest.mark.parametrize(
    "code",
    [
        "// if (a < 1) return true;",
        "/* a < b\n 1 */",
        "#include <x2.h>",
        "#define A \\\n  (a < 1)",
        'f("a < 1 && b", \'1\');',
        'f(R"(a < 1)");',
        "std::vector<std::byte> x;",
        "void f(T&& a);",
        "x = -a;",
        "x = a->b;",
        "x = 1.5;",
        "x = 1e9;",
        "uint32_t x2;",
        "static_assert(a == 4);",
        "template <int N = 3>",
        "    case 3:",
        "bool operator==(const A&) const;",
    ],
)
def test_nothing_is_made_of_what_is_no_such_code(code: str) -> None:
    assert made_of(code) == []


def test_a_condition_that_declares_is_not_negated() -> None:
    assert made_of("if (auto x = f(); x) {") == []
    assert made_of("if (const A* x = f()) {") == []


def test_digits_apart_do_not_hide_what_follows() -> None:
    assert "x = 1'000 - y;  // 'a' < 'b'" in made_of("x = 1'000 + y;  // 'a' < 'b'")
